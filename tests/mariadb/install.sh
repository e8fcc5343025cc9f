#!/usr/bin/env bash
# Lays MariaDB's server out in $MARIADB_ROOT/usr, from Debian's packages; nothing is installed in the system.
#   MARIADB_ROOT  target folder (default: .cache/mariadb in the project)
# It needs apt-get, dpkg-deb and Debian's lists of packages; as root the lists are brought up to date if a package is not found.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=${MARIADB_ROOT:-$here/../../.cache/mariadb}
for tool in apt-get dpkg-deb openssl; do
  command -v "$tool" >/dev/null || { echo "install.sh needs $tool" >&2; exit 1; }
done
# What mariadb-server-core needs beyond what a Debian has, and the client that the start script asks with.
packages=(mariadb-server-core mariadb-client-core libaio1 liburing2 libnuma1)

stamp=$(sha256sum "${BASH_SOURCE[0]}" | cut -c1-16)
if [ "$(cat "$root/.installed" 2>/dev/null)" = "$stamp" ]; then
  echo "MariaDB is already installed in $root"
  exit 0
fi

mkdir -p "$root"
root=$(cd "$root" && pwd)
rm -rf "$root/packages" "$root/usr" "$root/lib" "$root/etc" "$root/var"
mkdir "$root/packages"
cd "$root/packages"
if ! apt-get -q download "${packages[@]}" >"$root/install.log" 2>&1; then
  if [ "$(id -u)" = 0 ]; then apt-get -q update >>"$root/install.log" 2>&1 || true; fi
  apt-get -q download "${packages[@]}" >>"$root/install.log" 2>&1 || { tail -5 "$root/install.log" >&2; exit 1; }
fi
for package in *.deb; do dpkg-deb -x "$package" "$root"; done
# A server that lacks a library must not leave a stamp.
libraries=$(dirname "$(find "$root" -name 'liburing.so.2' | head -1)")
LD_LIBRARY_PATH=$libraries "$root/usr/sbin/mariadbd" --no-defaults --version
# The folder may be found under another path later.
echo "${libraries#"$root"/}" > "$root/.libraries"
rm -rf "$root/packages"
echo "$stamp" > "$root/.installed"
echo "installed MariaDB in $root, $(du -sh "$root" | cut -f1)"
