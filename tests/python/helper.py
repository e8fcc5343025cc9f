"""The tests' helper: one long-lived process that reads JSON requests on stdin and answers on stdout, one line each.

In: {"op", "id", ...} for the operations of OPERATIONS below; any request may carry "timeout" in seconds.
Out: {"id", ...} with what the operation answers, or {"id", "error"}. Nothing else is ever written to stdout.
"""

import json
import signal
import sys
import threading

import columnar
import gateway
import oracle
import paimon
import parsers
import starrocks_oracle

# A request that names no timeout of its own.
TIMEOUT_SECONDS = 60.0

OPERATIONS = {
    "duckdb": oracle.run,
    "duckdb_close": oracle.close,
    "paimon": paimon.run,
    "pyarrow": columnar.run,
    "paimon_make": paimon.make,
    "paimon_write": paimon.write,
    "sqlglot_parse": parsers.parse,
    "sqlglot_transpile": parsers.transpile,
    "starrocks": starrocks_oracle.run,
    "flink_open": gateway.open_gateway,
    "flink": gateway.run,
    "flink_close": gateway.close,
}


class Deadline:
    """Ends what runs inside after `seconds`: Python code by a signal, an engine's own code by calling `interrupt`."""

    def __init__(self, seconds):
        self.seconds = seconds
        self.passed = False
        self.interrupts = []

    def on_timeout(self, interrupt):
        self.interrupts.append(interrupt)

    def __enter__(self):
        # The engine's code holds the interpreter's main thread, where a signal handler would have to wait for it.
        self.timer = threading.Timer(self.seconds, self.interrupt)
        self.timer.daemon = True
        self.timer.start()
        signal.signal(signal.SIGALRM, self.alarm)
        signal.setitimer(signal.ITIMER_REAL, self.seconds)
        return self

    def __exit__(self, *_):
        signal.setitimer(signal.ITIMER_REAL, 0)
        self.timer.cancel()

    def interrupt(self):
        self.passed = True
        for interrupt in self.interrupts:
            interrupt()

    def alarm(self, *_):
        self.passed = True
        raise TimeoutError


def timeout_of(request):
    """The seconds that one query, parse or statement may take."""
    return float(request.get("timeout") or TIMEOUT_SECONDS)


def answer(request):
    """The answer to one request, without its id."""
    operation = OPERATIONS.get(request.get("op"))
    if operation is None:
        return {"error": f"unknown operation {request.get('op')!r}; known are {', '.join(OPERATIONS)}"}
    # A request with several statements may take the time once for each, and once more to tidy up.
    deadline = Deadline(timeout_of(request) * (1 + len(request.get("statements", []))))
    try:
        with deadline:
            return operation(request, deadline)
    except Exception as error:  # Whatever an engine or a parser raises is an answer to the caller.
        if deadline.passed:
            return {"error": f"timeout after {deadline.seconds:g} s"}
        return {"error": f"{type(error).__name__}: {error}"}


def main():
    """Answers requests until stdin ends, which it does when the parent process goes away."""
    # Libraries print warnings where they like; stdout belongs to the protocol.
    out, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        if not line.strip():
            continue
        try:
            request = json.loads(line)
            reply = {"id": request.get("id"), **answer(request)}
        except (ValueError, AttributeError) as error:
            reply = {"id": None, "error": f"not a JSON object: {error}"}
        out.write(json.dumps(reply, allow_nan=False) + "\n")
        out.flush()


if __name__ == "__main__":
    main()
