"""The command `dealsweep`: parse, call, and turn errors into one line and an exit code.

Each module here adds its commands by `register(app)`. Exit codes: 0 complete; 1 error; 2 usage;
3 complete with failed deals; 4 incomplete; 11 another driver holds the run; 130 interrupted.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec

import typer

from pipeline.errors import DealsweepError, ExitCode

app = typer.Typer(
    name="dealsweep",
    help="Exact verdicts for millions of patience deals.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

# Nothing here multiplies matrices: numpy's library for it need not start its threads, which spin for a while.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

for _name in ("runs", "answers", "boards"):
    if find_spec(f"pipeline.cli.{_name}"):
        import_module(f"pipeline.cli.{_name}").register(app)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code; every error is one line on standard error."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        code = app(given or ["--help"], standalone_mode=False)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader of our output has had enough; nothing more can be written.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.ERROR
    except (Exception, KeyboardInterrupt) as error:
        message, exit_code = _explain(error)
        line = " ".join(part.strip() for part in message.splitlines() if part.strip())
        print(f"dealsweep: {line}", file=sys.stderr)
        return exit_code
    return code if isinstance(code, int) else ExitCode.COMPLETE


def _explain(error: BaseException) -> tuple[str, ExitCode]:
    """What to say of an error, and the exit code. Raises an unexpected one again on request."""
    match error:
        case DealsweepError():
            return str(error), error.exit_code
        case KeyboardInterrupt():
            return "interrupted", ExitCode.INTERRUPTED
        case typer.Abort():
            return "aborted", ExitCode.ERROR
        case ValueError():
            # The solver's way to say that a request makes no sense.
            return str(error), ExitCode.USAGE
    if hasattr(error, "format_message"):
        # The command line's own errors: unknown options, missing arguments.
        return str(error.format_message()) or "see dealsweep --help", ExitCode.USAGE
    if os.environ.get("DEALSWEEP_TRACEBACK"):
        raise error
    kind = type(error).__name__
    return f"unexpected {kind}: {error} (DEALSWEEP_TRACEBACK=1 shows where)", ExitCode.ERROR
