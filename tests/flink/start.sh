#!/usr/bin/env bash
# Starts JobManager, TaskManager and SQL Gateway on loopback; returns when all three answer.
#   FLINK_ROOT  folder that install.sh filled (default: .cache/flink in the project)
#   FLINK_RUN   conf, log, pid and tmp of this cluster (default: $FLINK_ROOT/run)
#   FLINK_GATEWAY_PORT 18083, FLINK_JM_REST_PORT 18081, FLINK_JM_RPC_PORT 16123
#   FLINK_JM_XMX 256m, FLINK_TM_XMX 384m, FLINK_GW_XMX 256m, FLINK_START_TIMEOUT 120 (seconds)
#   FLINK_TIERED 1 (C1 only: a quicker start), 4 = full JIT for long runs
#   JAVA_HOME   a Java 17; the JobManager dies on Java 25
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=${FLINK_ROOT:-$here/../../.cache/flink}
[ -f "$root/.installed" ] || { echo "no Flink in $root: run tests/flink/install.sh first" >&2; exit 1; }
root=$(cd "$root" && pwd)
run=${FLINK_RUN:-$root/run}
gateway_port=${FLINK_GATEWAY_PORT:-18083}
rest_port=${FLINK_JM_REST_PORT:-18081}
rpc_port=${FLINK_JM_RPC_PORT:-16123}
timeout=${FLINK_START_TIMEOUT:-120}
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
processes=(jobmanager taskmanager gateway)

mkdir -p "$run/conf" "$run/log" "$run/tmp" "$run/pid"
run=$(cd "$run" && pwd)
for name in "${processes[@]}"; do
  pid=$(cat "$run/pid/$name.pid" 2>/dev/null || true)
  if [ -n "$pid" ] && grep -qs org.apache.flink "/proc/$pid/cmdline"; then
    echo "$name already runs (process $pid): run stop.sh first" >&2
    exit 1
  fi
done
# Another cluster on our ports would answer the readiness checks below in our name.
for port in "$gateway_port" "$rest_port" "$rpc_port"; do
  if (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
    echo "port $port is taken: set FLINK_GATEWAY_PORT, FLINK_JM_REST_PORT, FLINK_JM_RPC_PORT to free ones" >&2
    exit 1
  fi
done

sed -e "s#@JM_RPC_PORT@#$rpc_port#;s#@JM_REST_PORT@#$rest_port#;s#@GATEWAY_PORT@#$gateway_port#;s#@RUN_DIR@#$run#" \
  "$here/config.yaml" > "$run/conf/config.yaml"
cp "$here/log4j2.properties" "$run/conf/log4j2.properties"

jvm=(-Xms64m -XX:+UseSerialGC "-XX:TieredStopAtLevel=${FLINK_TIERED:-1}"
  "-Dlog4j2.configurationFile=file:$run/conf/log4j2.properties"
  --add-exports=java.rmi/sun.rmi.registry=ALL-UNNAMED --add-exports=java.security.jgss/sun.security.krb5=ALL-UNNAMED
  --add-opens=java.base/sun.nio.ch=ALL-UNNAMED)
for package in lang net io nio lang.reflect text time util util.concurrent util.concurrent.atomic util.concurrent.locks; do
  jvm+=("--add-opens=java.base/java.$package=ALL-UNNAMED")
done

launch() { # name, heap, then JVM options, main class and its arguments
  local name=$1 heap=$2
  shift 2
  # lib before ext: the Paimon jar carries stub copies of some Flink classes and must be the last on the class path.
  FLINK_CONF_DIR="$run/conf" FLINK_LIB_DIR="$root/lib" \
    nohup "$java" "${jvm[@]}" "-Xmx$heap" -cp "$root/lib/*:$root/ext/*" "$@" >"$run/log/$name.log" 2>&1 </dev/null &
  echo $! > "$run/pid/$name.pid"
}

trap '[ $? -eq 0 ] || FLINK_ROOT="$root" FLINK_RUN="$run" "$here/stop.sh"' EXIT
started=$(date +%s%N)
launch jobmanager "${FLINK_JM_XMX:-256m}" \
  org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint --configDir "$run/conf"
launch taskmanager "${FLINK_TM_XMX:-384m}" -XX:MaxDirectMemorySize=256m \
  org.apache.flink.runtime.taskexecutor.TaskManagerRunner --configDir "$run/conf"
launch gateway "${FLINK_GW_XMX:-256m}" org.apache.flink.table.gateway.SqlGateway

all_alive() {
  local name
  for name in "${processes[@]}"; do
    if ! kill -0 "$(cat "$run/pid/$name.pid")" 2>/dev/null; then
      echo "$name died; the end of $run/log/$name.log:" >&2
      tail -20 "$run/log/$name.log" >&2
      return 1
    fi
  done
}

wait_for() { # label, URL, expression that the answer must match
  local end=$((SECONDS + timeout))
  until curl -fsS -m 2 "$2" 2>/dev/null | grep -qE "$3"; do
    all_alive || exit 1
    if [ $SECONDS -ge $end ]; then
      echo "$1 did not answer within $timeout s; logs are in $run/log" >&2
      exit 1
    fi
    sleep 0.2
  done
  echo "$1 ready after $((($(date +%s%N) - started) / 1000000)) ms"
}
wait_for "gateway at http://127.0.0.1:$gateway_port" "http://127.0.0.1:$gateway_port/v3/info" productName
wait_for cluster "http://127.0.0.1:$rest_port/overview" '"slots-total":[1-9]'
