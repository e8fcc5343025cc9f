#!/usr/bin/env bash
# Stops the servers that start.sh recorded, by their ids and no others.
#   MARIADB_ROOT, MARIADB_RUN  as for start.sh
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=${MARIADB_ROOT:-$here/../../.cache/mariadb}
run=${MARIADB_RUN:-$root/run}
for name in tls plain; do
  file=$run/$name.pid
  [ -f "$file" ] || continue
  pid=$(cat "$file")
  # The id may belong to another process by now.
  if grep -qs mariadbd "/proc/$pid/cmdline"; then
    kill "$pid" 2>/dev/null
    for _ in $(seq 100); do
      kill -0 "$pid" 2>/dev/null || break
      sleep 0.1
    done
    if grep -qs mariadbd "/proc/$pid/cmdline"; then kill -9 "$pid" 2>/dev/null; fi
    echo "stopped the $name server (process $pid)"
  fi
  rm -f "$file"
done
