#!/bin/sh
# Makes the file tree of the container image: scripts/assemble-image.sh DEST
#
# DEST must not exist. It gets the release executable, exactly the shared libraries that it and libqrencode need, time
# zones, CA certificates and the few files of /etc that the C library reads; nothing else, and no shell. The Dockerfile
# copies it into an empty image, scripts/test-image.sh runs it in a chroot. Needs root, since /data belongs to uid 10001.
set -eu
[ $# -eq 1 ] || { echo "usage: scripts/assemble-image.sh DEST" >&2; exit 64; }
case $1 in /*) dest=$1 ;; *) dest=$PWD/$1 ;; esac
cd "$(dirname "$0")/.."
. scripts/lib.sh

uid=10001
limit_kib=71680 # 70 MiB: the design's bound for the image

[ "$(id -u)" -eq 0 ] || fail 77 "assembling the image needs root, to give files to uid $uid"
[ ! -e "$dest" ] || fail 73 "$dest exists: name a folder that doesn't"
need_swift
# shellcheck disable=SC2086 # lists of names
need_packages $build_packages $qr_package tzdata ca-certificates
build_release

umask 022
mkdir -p "$dest/etc/ssl/certs" "$dest/usr/lib/ssl" "$dest/usr/share/doc/licenses" "$dest/tmp" "$dest/data"
install -m 0755 "$server" "$dest/server"

# The libraries. libqrencode is opened with dlopen, so ldd of the executable doesn't name it.
qrencode=$(ldconfig -p | sed -n 's/.*libqrencode\.so\.4 .*=> //p' | head -n 1)
[ -n "$qrencode" ] || fail 69 "libqrencode.so.4 is missing: the image would print no QR code"
libraries=$({ ldd "$dest/server" && ldd "$qrencode"; } | sed -n -e 's/.*=> \(\/[^ ]*\) .*/\1/p' -e 's/^[[:space:]]*\(\/[^ ]*\) (.*/\1/p')
for library in $libraries $qrencode; do
    [ -e "$dest$library" ] && continue
    mkdir -p "$dest${library%/*}"
    cp -L "$library" "$dest$library"
    # Which package it is of, with its version, and that package's licence.
    package=$(dpkg-query -S "$(readlink -f "$library")" "$library" 2>/dev/null | sed -n '1s/:.*//p') || package=
    [ -n "$package" ] || continue
    dpkg-query -W -f='${Package} ${Version}\n' "$package" | head -n 1 >>"$dest/usr/share/doc/packages.list"
    cp -L "/usr/share/doc/$package/copyright" "$dest/usr/share/doc/licenses/$package" 2>/dev/null || true
done
dpkg-query -W -f='${Package} ${Version}\n' tzdata ca-certificates >>"$dest/usr/share/doc/packages.list"
LC_ALL=C sort -u -o "$dest/usr/share/doc/packages.list" "$dest/usr/share/doc/packages.list"
install -m 0644 LICENSE "$dest/usr/share/doc/licenses/syncky-receiver"

# Time zones, without the two other copies of them (`posix`, `right`) and the link to the build machine's own zone.
mkdir -p "$dest/usr/share"
cp -R /usr/share/zoneinfo "$dest/usr/share/zoneinfo"
rm -rf "$dest/usr/share/zoneinfo/posix" "$dest/usr/share/zoneinfo/right" "$dest/usr/share/zoneinfo/localtime"

# Where OpenSSL looks for certificates and settings on Debian.
cp -L /etc/ssl/certs/ca-certificates.crt "$dest/etc/ssl/certs/ca-certificates.crt"
cp -L /etc/ssl/openssl.cnf "$dest/etc/ssl/openssl.cnf"
ln -s /etc/ssl/openssl.cnf "$dest/usr/lib/ssl/openssl.cnf"
ln -s /etc/ssl/certs/ca-certificates.crt "$dest/usr/lib/ssl/cert.pem"
ln -s /etc/ssl/certs "$dest/usr/lib/ssl/certs"

printf 'root:x:0:0:root:/:/nologin\nreceiver:x:%s:%s:receiver:/data:/nologin\n' "$uid" "$uid" >"$dest/etc/passwd"
printf 'root:x:0:\nreceiver:x:%s:\n' "$uid" >"$dest/etc/group"
printf 'passwd: files\ngroup: files\nhosts: files dns\n' >"$dest/etc/nsswitch.conf"

chmod 1777 "$dest/tmp"
chown "$uid:$uid" "$dest/data"
chmod 0700 "$dest/data"

size_kib=$(du -sk "$dest" | cut -f 1)
say "$dest holds $((size_kib / 1024)) MiB"
[ "$size_kib" -lt "$limit_kib" ] || fail 1 "the image is over $((limit_kib / 1024)) MiB"
