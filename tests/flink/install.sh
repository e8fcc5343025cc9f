#!/usr/bin/env bash
# Copies the Flink jars into $FLINK_ROOT/lib and the Paimon jar into $FLINK_ROOT/ext, with Maven.
#   FLINK_ROOT     target folder (default: .cache/flink in the project)
#   MAVEN_REPO     local Maven repository to use and fill (default: Maven's own); keep it to install offline
#   MAVEN_OFFLINE  1 = stay off the network
#   FLINK_PAIR     another pair than the pom's: Flink, its line in Paimon's names, Paimon, as in "1.20.3 1.20 1.3.1"
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=${FLINK_ROOT:-$here/../../.cache/flink}
command -v mvn >/dev/null || { echo "install.sh needs Maven (mvn) and a Java 17" >&2; exit 1; }

pair=()
if [ -n "${FLINK_PAIR:-}" ]; then
  read -r flink line paimon <<<"$FLINK_PAIR"
  pair=("-Dflink.version=$flink" "-Dflink.csv.version=$flink" "-Dpaimon.flink=$line" "-Dpaimon.version=$paimon")
fi
stamp=$( (cat "$here/pom.xml"; echo "${FLINK_PAIR:-}") | sha256sum | cut -c1-16)
if [ "$(cat "$root/.installed" 2>/dev/null)" = "$stamp" ]; then
  echo "Flink is already installed in $root"
  exit 0
fi

maven=(mvn -B -q -Dstyle.color=never -f "$here/pom.xml" "${pair[@]}")
if [ -n "${MAVEN_REPO:-}" ]; then maven+=("-Dmaven.repo.local=$MAVEN_REPO"); fi
if [ "${MAVEN_OFFLINE:-0}" = 1 ]; then maven+=(-o); fi

echo "installing Flink into $root (about 220 MB of jars)"
rm -rf "$root/lib" "$root/ext"
mkdir -p "$root/lib" "$root/ext"
root=$(cd "$root" && pwd)
"${maven[@]}" dependency:copy-dependencies -DincludeScope=runtime -DoutputDirectory="$root/lib"
"${maven[@]}" dependency:copy -DoutputDirectory="$root/ext"
# An empty copy must not leave a stamp.
ls "$root"/lib/flink-sql-gateway-*.jar "$root"/ext/paimon-flink-*.jar >/dev/null
echo "$stamp" > "$root/.installed"
echo "installed $(find "$root/lib" "$root/ext" -name '*.jar' | wc -l) jars, $(du -shc "$root/lib" "$root/ext" | tail -1 | cut -f1)"
