"""A proxy in front of an S3 server that loses, delays and refuses what it is told to."""

import http.client
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

HOP = {"connection", "keep-alive", "transfer-encoding"}


class Proxy:
    """Forwards to `upstream` (host:port).

    Attributes:
        rule: `rule(method, path)` gives None, or a fault: "lose the answer" (after it took effect),
            "refuse" (503 without effect), "refuse after" (503 after it took effect), "overwrite"
            (as if no If-None-Match had been sent), or a number of seconds to wait first.
        overwrite: `overwrite(path, body)` puts an object over whatever is there.
        faults: how often a fault was made.
    """

    def __init__(self, upstream):
        self.upstream = upstream
        self.rule = lambda method, path: None
        self.overwrite = None
        self.faults = 0
        self.lock = threading.Lock()
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do(self):
                proxy.serve(self)

            do_GET = do_PUT = do_HEAD = do_DELETE = do_POST = do

            def log_message(self, *words):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.handle_error = lambda request, address: None  # a killed worker hangs up in mid-sentence
        self.endpoint = f"127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def times(self, count, method, part, fault):
        """Make a fault `count` times, of requests whose path holds `part`."""
        left = [count]

        def rule(asked, path):
            if asked != method or part not in path or left[0] <= 0:
                return None
            left[0] -= 1
            return fault

        self.rule = rule

    def serve(self, handler):
        body = handler.rfile.read(int(handler.headers.get("Content-Length") or 0))
        with self.lock:
            fault = self.rule(handler.command, handler.path)
            self.faults += fault is not None
        if isinstance(fault, int | float):
            time.sleep(fault)
        if fault == "refuse":
            return answer(handler, 503, [], b"")
        if fault == "overwrite":
            self.overwrite(handler.path.lstrip("/"), body)
            return answer(handler, 200, [("ETag", '"new"')], b"")
        headers = {name: value for name, value in handler.headers.items() if name.lower() not in HOP}
        try:
            connection = http.client.HTTPConnection(self.upstream, timeout=60)
            connection.request(handler.command, handler.path, body or None, headers)
            got = connection.getresponse()
            data = got.read()
            connection.close()
        except OSError:
            handler.close_connection = True
            return None
        if fault == "lose the answer":
            handler.close_connection = True
            return None
        if fault == "refuse after":
            return answer(handler, 503, [], b"")
        return answer(handler, got.status, got.getheaders(), data)

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def answer(handler, status, headers, data):
    length = str(len(data))
    handler.send_response_only(status)
    for name, value in headers:
        if name.lower() == "content-length":
            length = value  # of what HEAD does not send
        elif name.lower() not in HOP:
            handler.send_header(name, value)
    handler.send_header("Content-Length", length)
    handler.end_headers()
    if handler.command != "HEAD":
        handler.wfile.write(data)
