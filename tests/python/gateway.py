"""A Flink SQL Gateway over its REST interface, with the standard library only.

In: {"op": "flink_open", "url"} once, then {"op": "flink", "statements": [...], "mode": "batch"|"streaming", "session": "name"?}.
Out: {"version"}, and {"results": [...]} with {"ok": true, "columns", "rows", "kinds"} or {"ok": false, "error"} for each statement.
A request has a session of its own, unless it names one, which keeps catalogs, views and tables until it is closed.
"""

import http.client
import json
import time
import urllib.error
import urllib.request

# The gateway has no timeout of its own that works; a request may name another with "timeout".
STATEMENT_SECONDS = 180.0
FIRST_PAUSE_SECONDS = 0.01
LONGEST_PAUSE_SECONDS = 0.2

GATEWAY = {"url": None}
SESSIONS = {}


class GatewayError(Exception):
    """An answer of the gateway that is no success, reduced to its innermost cause."""

    def __init__(self, body):
        lines = "\n".join(body.get("errors", [])).split("\n")
        causes = [line.strip() for line in lines if line.strip().startswith("Caused by:")]
        super().__init__(causes[-1].removeprefix("Caused by:").strip() if causes else lines[0])


def open_gateway(request, _deadline):
    """Says which gateway the later requests go to, and what it is."""
    GATEWAY["url"] = request["url"].rstrip("/")
    info = call("GET", "/v3/info")
    return {"product": info["productName"], "version": info["version"]}


def run(request, _deadline):
    """Runs statements in order; one that fails does not keep the next from running."""
    if GATEWAY["url"] is None:
        raise ValueError("no gateway yet: send flink_open first")
    name = request.get("session")
    session = SESSIONS.get(name)
    if session is None:
        session = call("POST", "/v3/sessions", {"properties": {}})["sessionHandle"]
        if name is not None:
            SESSIONS[name] = session
    properties = settings(request["mode"])
    seconds = float(request.get("timeout") or STATEMENT_SECONDS)
    try:
        return {"results": [outcome(session, statement, properties, seconds) for statement in request["statements"]]}
    finally:
        if name is None:
            call("DELETE", f"/v3/sessions/{session}")


def close(request, _deadline):
    """Closes a named session; its SELECTs end, jobs that it submitted go on."""
    session = SESSIONS.pop(request.get("session"), None)
    if session is not None:
        call("DELETE", f"/v3/sessions/{session}")
    return {"closed": session is not None}


def settings(mode):
    """What a statement runs with."""
    if mode == "batch":
        # Without it an INSERT answers before any row is committed.
        return {"execution.runtime-mode": "batch", "table.dml-sync": "true"}
    if mode == "streaming":
        return {"execution.runtime-mode": "streaming", "execution.checkpointing.interval": "500 ms"}
    raise ValueError(f"mode is batch or streaming, not {mode!r}")


def outcome(session, statement, properties, seconds):
    """One statement's result or error."""
    try:
        return {"ok": True, **execute(session, statement, properties, seconds)}
    except (GatewayError, TimeoutError, urllib.error.URLError) as error:
        # An empty TimeoutError is the deadline of the whole request, which the caller reports.
        if isinstance(error, TimeoutError) and not str(error):
            raise
        return {"ok": False, "error": str(error)}


def execute(session, statement, properties, seconds):
    """Runs a statement to its end and gives all of its rows as text, in the order in which they came."""
    end = time.monotonic() + seconds
    submitted = call("POST", f"/v3/sessions/{session}/statements",
                     {"statement": statement, "executionConfig": properties})
    operation = f"/v3/sessions/{session}/operations/{submitted['operationHandle']}"
    columns, rows, kinds, pause = [], [], [], FIRST_PAUSE_SECONDS
    # PLAIN_TEXT keeps the scale of decimals and the digits of timestamps, which JSON drops.
    page = f"{operation}/result/0?rowFormat=PLAIN_TEXT"
    try:
        while True:
            answer = call("GET", page)
            results = answer.get("results", {})
            if results.get("columns"):
                columns = [{"name": c["name"], "type": type_text(c["logicalType"])} for c in results["columns"]]
            for row in results.get("data", []):
                rows.append(row["fields"])
                kinds.append(row["kind"])
            # The status says FINISHED before a running job has failed; only the end of the stream is success.
            if answer["resultType"] == "EOS":
                return {"columns": columns, "rows": rows, "kinds": kinds}
            if time.monotonic() > end:
                raise TimeoutError(f"timeout after {seconds:g} s")
            if not results.get("data"):
                # Empty pages come at once for as long as the job runs.
                time.sleep(pause)
                pause = min(pause * 1.5, LONGEST_PAUSE_SECONDS)
            page = answer["nextResultUri"]
    finally:
        # This also ends the job behind a SELECT; cancelling does not.
        call("DELETE", f"{operation}/close")


def type_text(logical):
    """A column's type with its precision and scale, as DECIMAL(10,2)."""
    arguments = [str(logical[key]) for key in ("precision", "scale") if logical.get(key) is not None]
    return f"{logical['type']}({','.join(arguments)})" if arguments else logical["type"]


def call(method, path, body=None):
    """One request to the gateway; every answer but success is raised."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(
        GATEWAY["url"] + path, data=data, method=method, headers={"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=STATEMENT_SECONDS) as response:
            return json.loads(response.read() or b"{}")
    except urllib.error.HTTPError as error:
        raise GatewayError(body_of(error)) from None
    except http.client.HTTPException as error:
        raise GatewayError({"errors": [f"the gateway broke off its answer: {error}"]}) from None


def body_of(error):
    """The JSON of an error answer, or its text where it is none."""
    text = error.read().decode(errors="replace")
    try:
        return json.loads(text)
    except ValueError:
        return {"errors": [f"HTTP {error.code}: {text[:200]}"]}
