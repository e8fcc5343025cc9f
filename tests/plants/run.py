#!/usr/bin/env python3
"""Takes the treatment of a trap away, and wants a test of the dialects, or of the compiler that it is in, to fail; one trap after the other.

    tests/plants/run.py              # all of plants.json, in a copy of the sources; 3 to 10 s each
    tests/plants/run.py FL-01 SR-03  # only those

plants.json: the trap's id in docs/traps.md, a file, the text that stands there once, what takes its place. A plant whose text is not there
once, or that does not compile, proves nothing and is reported like one that no test found.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
LEFT_OUT = ["target", ".cache", ".git"]


def main():
    plants = json.loads((ROOT / "tests/plants/plants.json").read_text(encoding="utf-8"))
    wanted = set(sys.argv[1:])
    if wanted:
        plants = [plant for plant in plants if plant["trap"] in wanted]
    with tempfile.TemporaryDirectory() as folder:
        tree = pathlib.Path(folder) / "tree"
        # With the times of now: in a build folder that is kept, cargo would take the plant that was built last for the tree that is older.
        left_out = shutil.ignore_patterns(*LEFT_OUT)
        shutil.copytree(ROOT, tree, ignore=left_out, symlinks=True, copy_function=shutil.copy)
        # The first file by its name is one of the compiler's, if any is.
        if run(tree, min(plant["file"] for plant in plants)) != "passed":
            sys.exit("the tests fail before anything is planted")
        missed = 0
        for plant in plants:
            said = planted(tree, plant)
            missed += said != "found"
            print(f"{plant['trap']} {plant['file']}: {said}", flush=True)
    print(f"{len(plants)} planted, {len(plants) - missed} found")
    sys.exit(1 if missed else 0)


def planted(tree, plant):
    """What came of one plant."""
    path = tree / plant["file"]
    text = path.read_text(encoding="utf-8")
    if text.count(plant["old"]) != 1:
        return f"no place: its text stands there {text.count(plant['old'])} times"
    path.write_text(text.replace(plant["old"], plant["new"]), encoding="utf-8")
    try:
        return {"passed": "NOT FOUND", "failed": "found"}.get(said := run(tree, plant["file"]), said)
    finally:
        path.write_text(text, encoding="utf-8")


def run(tree, file):
    """The tests of the dialects, and of the compiler where the file is one of its own."""
    packages = ["unisono-dialects", "unisono-compiler"] if file.startswith("compiler/") else ["unisono-dialects"]
    said = "passed"
    for package in packages:
        said = tests(tree, package) if said == "passed" else said
    return said


def tests(tree, package):
    """The tests of one package without those of limits, which are slow and know no form."""
    command = ["cargo", "test", "-j1", "--offline", "-p", package, "--lib"]
    env = {**os.environ, "CARGO_TARGET_DIR": os.environ.get("PLANTS_TARGET_DIR", str(tree / "target"))}
    built = subprocess.run([*command, "--no-run"], cwd=tree, env=env, capture_output=True, text=True, check=False)
    if built.returncode:
        lines = [line for line in built.stderr.splitlines() if line.startswith("error")]
        return "does not compile: " + (lines or ["?"])[0]
    ran = subprocess.run([*command, "--", "--skip", "limits"], cwd=tree, env=env, capture_output=True, text=True, check=False)
    return "failed" if ran.returncode else "passed"


if __name__ == "__main__":
    main()
