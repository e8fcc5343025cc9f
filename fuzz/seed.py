#!/usr/bin/env python3
"""Seeds for the fuzz targets. In: models/, tests/cases, docs/diagnostics and the function table of this project.
Out: .cache/fuzz/seeds/TARGET/*, one file an input, named by its hash, and .cache/fuzz/TARGET.dict, the words of the target."""

import hashlib
import json
import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent
PROJECT = HERE.parent
WORK = PROJECT / ".cache/fuzz"


def save(target, text):
    data = text.encode()
    if 0 < len(data) <= 16384:
        folder = WORK / "seeds" / target
        folder.mkdir(parents=True, exist_ok=True)
        (folder / hashlib.sha1(data).hexdigest()[:16]).write_bytes(data)


def blocks(page, kind):
    """The fenced blocks of a page, such as those of `yaml model`."""
    return re.findall(rf"^```\w+ {kind}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)


def texts(value):
    """Every text in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from texts(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from texts(item)


def expressions(model):
    """The scalars of `expression` in a model's text."""
    for scalar in re.findall(r"\bexpression: *([^\n{\[]+)", model):
        scalar = scalar.rstrip("}] ,")
        quoted = re.fullmatch(r"'(.*)'", scalar)
        yield quoted.group(1).replace("''", "'") if quoted else scalar


def request(text):
    save("request", text)
    try:
        parsed = json.loads(text)
    except ValueError:
        return
    for entry in texts(parsed):
        save("expression", entry)


def document(text):
    save("document", text)
    for expression in expressions(text):
        save("expression", expression)


def main():
    for path in sorted(PROJECT.glob("models/*/model.yaml")) + sorted(PROJECT.glob("tests/cases/**/*model*.yaml")):
        document(path.read_text())
    document((HERE / "model.yaml").read_text())
    requests = sorted(PROJECT.glob("models/*/queries/*.json"))
    for pattern in ("query.json", "query_named.json", "request.json"):
        requests += sorted(PROJECT.glob(f"tests/cases/**/{pattern}"))
    for path in requests:
        request(path.read_text())
    for path in sorted(PROJECT.glob("docs/diagnostics/*.md")):
        page = path.read_text()
        for block in blocks(page, "model"):
            document(block)
        for block in blocks(page, "request"):
            request(block)

    # Every function once over the columns of model.yaml, and every form of the grammar's own sample.
    table = (PROJECT / "compiler/src/function.rs").read_text()
    functions = sorted(set(re.findall(r'= "([A-Z][A-Z_0-9]+)"', table)))
    for name in functions:
        for arguments in ("a.n", "a.s, 'x'", "a.f, 2", "a.n, a.t"):
            call = f"{name}({arguments})"
            save("expression", call)
            for form in (call, f"SUM({call})", f"{call} OVER (ORDER BY a.d)"):
                request(json.dumps({"dimensions": ["b.s"], "measures": [{"expr": form, "as": "v"}]}))
            request(json.dumps({"fields": ["a.id", {"expr": call, "as": "v"}], "where": [f"{call} IS NOT NULL"]}))
    for source in ("compiler/src/syntax/expr/parse/tests.rs", "compiler/src/syntax/expr/print/tests.rs"):
        for text in re.findall(r'^\s+"((?:[^"\\]|\\.)+)",?$', (PROJECT / source).read_text(), re.MULTILINE):
            save("expression", text.replace('\\"', '"'))

    keywords = (PROJECT / "compiler/src/syntax/expr/keywords.rs").read_text()
    words = sorted(set(re.findall(r'"([A-Z]{2,})"', keywords)) | set(functions) | {"metric_time", "UNBOUNDED"})
    signs = ["(", ")", "||", "<>", "::", "'", '\\"', ",", ".", ":p", "--", "/*", "*/", "1e5", "1.5", "''"]
    keys = sorted(set(re.findall(r'"([a-z_]+)"', (PROJECT / "compiler/src/syntax/read/keys.rs").read_text())))
    asked = sorted(set(re.findall(r'"([a-z_]+)"', (PROJECT / "compiler/src/query/request/keys.rs").read_text())))
    yaml = ["- ", ": ", "&a ", "*a", "<<: ", "!!str ", "|\\x0a", ">-\\x0a", "{", "}", "[", "]", "\\x0a", "\\x0a  ", "%YAML 1.2", "---", "~"]
    names = ["a", "a.n", "a.s", "a.d", "b.s", "c.n", "e.s", "q.s", "r.v", "mr", "ml", "__month", ":month"]
    dictionaries = {
        "expression": words + signs,
        "document": keys + yaml + words + ["0.2.0.dev0", "ANSI_SQL", "UNISONO", "Integer", "Decimal", "Date"],
        "request": asked + names + words + signs + ["ASC", "DESC", "FIRST", "LAST", "month", "UTC"],
    }
    for target, entries in dictionaries.items():
        (WORK / f"{target}.dict").write_text("".join(f'"{entry}"\n' for entry in entries))


if __name__ == "__main__":
    main()
