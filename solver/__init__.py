"""Exact solvers of patience deals."""
