#!/usr/bin/env bash
# Makes the virtual environment of the tests' helper in .cache/venv under the project, once per state of requirements.txt.
#   PYTHON  the interpreter to build it with (default: python3)
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
venv=$root/.cache/venv
python=${PYTHON:-python3}
command -v "$python" >/dev/null || { echo "venv.sh needs Python 3.10 or newer; $python was not found" >&2; exit 1; }

# The interpreter's version is part of the stamp: a venv does not survive a change of it.
stamp=$(cat "$here/requirements.txt" <("$python" --version) | sha256sum | cut -c1-16)
if [ "$(cat "$venv/.stamp" 2>/dev/null)" = "$stamp" ] && "$venv/bin/python" -c '' 2>/dev/null; then
  echo "the tests' Python environment is up to date: $venv"
  exit 0
fi

echo "making the tests' Python environment in $venv"
rm -rf "$venv"
mkdir -p "$root/.cache"
"$python" -m venv "$venv"
echo "installing $(grep -cvE '^ *(#|$)' "$here/requirements.txt") pinned packages: $(grep -vE '^ *(#|$)' "$here/requirements.txt" | tr '\n' ' ')"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --only-binary :all: -r "$here/requirements.txt"
echo "$stamp" > "$venv/.stamp"
echo "done"
