#!/usr/bin/env bash
# Counts the instructions of the compiler's stages under valgrind and prints them as JSON: unlike times, they hold on any machine
# of one architecture, with one toolchain.
#   tests/benches/instructions.sh                                          the counts
#   tests/benches/instructions.sh --against docs/performance-baseline.json the counts, and on stderr each ratio to the baseline;
#                                                                          fails if one is above MOST_RATIO (default: 1.05)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
command -v valgrind >/dev/null || { echo "instructions.sh needs valgrind" >&2; exit 1; }
baseline=
if [ "${1:-}" = --against ]; then baseline=${2:?a file with the baseline}; fi

# Same symbols and same code generation as `cargo bench`.
binary=$(cargo build --quiet --release --package unisono-compiler --example stages --message-format json |
  sed -n 's/.*"executable":"\([^"]*\/examples\/stages[^"]*\)".*/\1/p' | tail -1)

count() { # stage, workload
  # Hash seeds and addresses must not differ between two runs.
  setarch -R valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect='*stages::measured*' "$binary" "$1" "$2" 2>&1 |
    sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}

shapes='simple dimension_where three_way_join stitch derived bridge window percentile'
pairs() { # a stage and a workload a line
  for workload in shop tpch warehouse_1000 warehouse_10000; do
    for stage in parse load; do echo "$stage $workload"; done
  done
  for workload in shop tpch warehouse_10000/three_way_join; do echo "compile $workload"; done
  for shape in $shapes; do echo "compile warehouse_1000/$shape"; done
}

counts=$(
  separator=
  while read -r stage workload; do
    instructions=$(count "$stage" "$workload")
    [ "${instructions:-0}" -gt 0 ] || { echo "$stage $workload was not counted" >&2; exit 1; }
    printf '%s    "%s/%s": %s' "$separator" "$stage" "$workload" "$instructions"
    separator=$',\n'
  done < <(pairs)
)
printf '{\n  "unit": "instructions (callgrind)",\n  "target": "%s",\n  "rustc": "%s",\n  "counts": {\n%s\n  }\n}\n' \
  "$(rustc -vV | sed -n 's/^host: //p')" "$(rustc -vV | sed -n 's/^release: //p')" "$counts"

[ -n "$baseline" ] || exit 0
awk -F'"' -v most="${MOST_RATIO:-1.05}" '
  !/\// { next }
  { value = $3; gsub(/[^0-9]/, "", value) }
  NR == FNR { before[$2] = value; next }
  !($2 in before) { printf "%-40s %14d  not in the baseline\n", $2, value; failed = 1; next }
  { ratio = value / before[$2]; printf "%-40s %14d  %.3f\n", $2, value, ratio; if (ratio > most) failed = 1 }
  END { exit failed }
' "$baseline" <(echo "$counts") >&2
