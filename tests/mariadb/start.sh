#!/usr/bin/env bash
# Starts two MariaDB servers on loopback: one that speaks TLS and one that cannot. Returns when both answer.
#   MARIADB_ROOT  folder that install.sh filled (default: .cache/mariadb in the project)
#   MARIADB_RUN   data, keys, logs and ids of these servers (default: $MARIADB_ROOT/run); what lies there is made anew
#   MARIADB_PORT 19306 for the server with TLS; the next port is for the other
#   MARIADB_START_TIMEOUT 60 (seconds)
# The tests read from $MARIADB_RUN: port, plain-port, ca.pem, other-ca.pem, queries.log (each statement that the first server got).
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=${MARIADB_ROOT:-$here/../../.cache/mariadb}
[ -f "$root/.installed" ] || { echo "no MariaDB in $root: run tests/mariadb/install.sh first" >&2; exit 1; }
root=$(cd "$root" && pwd)
run=${MARIADB_RUN:-$root/run}
port=${MARIADB_PORT:-19306}
timeout=${MARIADB_START_TIMEOUT:-60}
LD_LIBRARY_PATH=$root/$(cat "$root/.libraries")
export LD_LIBRARY_PATH

for name in tls plain; do
  pid=$(cat "$run/$name.pid" 2>/dev/null || true)
  if [ -n "$pid" ] && grep -qs mariadbd "/proc/$pid/cmdline"; then
    echo "the $name server already runs (process $pid): run stop.sh first" >&2
    exit 1
  fi
done
for taken in "$port" $((port + 1)); do
  if (exec 3<>"/dev/tcp/127.0.0.1/$taken") 2>/dev/null; then
    echo "port $taken is taken: set MARIADB_PORT to a free one with a free one behind it" >&2
    exit 1
  fi
done
rm -rf "$run"
mkdir -p "$run"
run=$(cd "$run" && pwd)
started=$(date +%s%N)

# An authority with a certificate for the server, and one that has signed nothing.
authority() { # name
  openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj "/CN=$1" -keyout "$run/$1-key.pem" -out "$run/$1.pem" 2>/dev/null
}
authority ca
authority other-ca
openssl req -newkey rsa:2048 -nodes -subj /CN=localhost -keyout "$run/server-key.pem" -out "$run/server.csr" 2>/dev/null
printf 'subjectAltName=DNS:localhost,IP:127.0.0.1\n' > "$run/names"
openssl x509 -req -in "$run/server.csr" -CA "$run/ca.pem" -CAkey "$run/ca-key.pem" -CAcreateserial -days 30 \
  -extfile "$run/names" -out "$run/server.pem" 2>/dev/null

mine=(--no-defaults "--user=$(id -un)")
"$root/usr/bin/mariadb-install-db" "${mine[@]}" --basedir="$root/usr" --datadir="$run/tls" \
  --auth-root-authentication-method=normal --skip-test-db >"$run/install.log" 2>&1 || { tail -20 "$run/install.log" >&2; exit 1; }
cp -a "$run/tls" "$run/plain"

launch() { # name, port, further options
  local name=$1 port=$2
  shift 2
  nohup "$root/usr/sbin/mariadbd" "${mine[@]}" --basedir="$root/usr" --lc-messages-dir="$root/usr/share/mysql" \
    --datadir="$run/$name" --socket="$run/$name.sock" --port="$port" --pid-file="$run/$name.server-pid" \
    --bind-address=127.0.0.1,127.0.0.2 --skip-name-resolve --character-set-server=utf8mb4 \
    --innodb-buffer-pool-size=16M --innodb-log-file-size=4M --key-buffer-size=1M --max-connections=50 --performance-schema=off \
    "$@" >"$run/$name.log" 2>&1 </dev/null &
  echo $! > "$run/$name.pid"
}

trap '[ $? -eq 0 ] || MARIADB_ROOT="$root" MARIADB_RUN="$run" "$here/stop.sh"' EXIT
launch tls "$port" --ssl-cert="$run/server.pem" --ssl-key="$run/server-key.pem" --general-log=1 --general-log-file="$run/queries.log"
launch plain $((port + 1))

client() { # name, then the client's arguments
  local name=$1
  shift
  "$root/usr/bin/mariadb" --no-defaults --user=root --socket="$run/$name.sock" "$@"
}

for name in tls plain; do
  end=$((SECONDS + timeout))
  until client "$name" --execute='SELECT 1' >/dev/null 2>&1; do
    if ! kill -0 "$(cat "$run/$name.pid")" 2>/dev/null; then
      echo "the $name server died; the end of $run/$name.log:" >&2
      tail -20 "$run/$name.log" >&2
      exit 1
    fi
    if [ $SECONDS -ge $end ]; then
      echo "the $name server did not answer within $timeout s; its log is $run/$name.log" >&2
      exit 1
    fi
    sleep 0.1
  done
done

# The password has what an address would take for something else.
accounts="CREATE USER reader@'127.0.0.%' IDENTIFIED BY 'p@ss:w/rd#1%41'; GRANT SELECT ON *.* TO reader@'127.0.0.%';"
client tls --execute="$accounts ALTER USER reader@'127.0.0.%' REQUIRE SSL;"
client plain --execute="$accounts"
for name in tls plain; do client "$name" --default-character-set=utf8mb4 <"$here/values.sql"; done
echo "$port" > "$run/port"
echo $((port + 1)) > "$run/plain-port"
echo "MariaDB ready after $((($(date +%s%N) - started) / 1000000)) ms, on ports $port and $((port + 1))"
