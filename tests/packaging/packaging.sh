#!/bin/sh
# SPDX-License-Identifier: MIT
# packaging.sh SOURCE BUILD LIBDIR CMAKE GENERATOR CC: install into a prefix,
# build the out-of-tree stage against it with CMake and with pkg-config, move
# the prefix away, and run the stage there. No installed file names a folder.
set -eu
source=$1 build=$2 libdir=$3 cmake=$4 generator=$5 cc=$6
stage=$source/examples/out-of-tree-stage

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

fail() {
	echo "packaging: $*" >&2
	exit 1
}

"$cmake" --install "$build" --prefix "$tmp/first" >/dev/null

! grep -rl -e "$tmp" -e "$source" -e "$build" \
	"$tmp/first/$libdir/cmake" "$tmp/first/$libdir/pkgconfig" \
	"$tmp/first/include" || fail "these files name a folder"

"$cmake" -G "$generator" -S "$stage" -B "$tmp/cmake" \
	-DCMAKE_C_COMPILER="$cc" -DCMAKE_PREFIX_PATH="$tmp/first" >/dev/null
"$cmake" --build "$tmp/cmake" >/dev/null

export PKG_CONFIG_PATH="$tmp/first/$libdir/pkgconfig"
mkdir "$tmp/pkg-config"
# shellcheck disable=SC2046 # a list of words
"$cc" -std=c17 -Wall -Wextra -Wpedantic -Werror -O2 -fPIC \
	-fvisibility=hidden -shared -o "$tmp/pkg-config/sample.so" \
	"$stage/sample.c" $(pkg-config --cflags --libs sluice)

mv "$tmp/first" "$tmp/second"
PKG_CONFIG_PATH="$tmp/second/$libdir/pkgconfig"
plugins=$(pkg-config --variable=plugindir sluice)
[ -f "$plugins/trace_text.so" ] || fail "no trace_text.so in $plugins"

cat >"$tmp/expected" <<END
eth0 104.44.44.10 10.230.30.3 4003 5003 ftp
eth0 104.44.44.11 10.230.30.4 4004 5003 sip
eth0 104.44.44.12 10.230.30.5 4005 5006 http
END
for how in cmake pkg-config; do
	SLUICE_PLUGIN_PATH="$tmp/$how" "$tmp/second/bin/runpipe" --quiet \
		"$stage/sample.conf" >"$tmp/$how.out" || fail "$how: exit $?"
	cmp "$tmp/expected" "$tmp/$how.out" || fail "$how: wrong output"
done
