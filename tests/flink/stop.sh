#!/usr/bin/env bash
# Stops the processes that start.sh recorded, by their ids and no others.
#   FLINK_ROOT, FLINK_RUN  as for start.sh
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=${FLINK_ROOT:-$here/../../.cache/flink}
run=${FLINK_RUN:-$root/run}
for name in gateway taskmanager jobmanager; do
  file=$run/pid/$name.pid
  [ -f "$file" ] || continue
  pid=$(cat "$file")
  # The id may belong to another process by now.
  if grep -qs org.apache.flink "/proc/$pid/cmdline"; then
    kill "$pid" 2>/dev/null
    for _ in $(seq 50); do
      kill -0 "$pid" 2>/dev/null || break
      sleep 0.1
    done
    if grep -qs org.apache.flink "/proc/$pid/cmdline"; then kill -9 "$pid" 2>/dev/null; fi
    echo "stopped $name (process $pid)"
  fi
  rm -f "$file"
done
