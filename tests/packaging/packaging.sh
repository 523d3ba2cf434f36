#!/bin/sh
# SPDX-License-Identifier: MIT
# packaging.sh SOURCE BUILD LIBDIR DOCDIR CMAKE GENERATOR CC: install into a
# prefix, build the examples that it holds against it, with CMake and with
# pkg-config: the program that embeds a pipeline and the one that measures energy,
# which run, and the stage. Move
# the prefix away, and run the stage there. No installed file names a folder.
set -eu
source=$1 build=$2 libdir=$3 docdir=$4 cmake=$5 generator=$6 cc=$7

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

fail() {
	echo "packaging: $*" >&2
	exit 1
}

"$cmake" --install "$build" --prefix "$tmp/first" >/dev/null

doc=$tmp/first/$docdir
for page in README.md LICENSE docs/stage-authors.md docs/embedding.md \
	docs/decisions/README.md plugins/nat/nat.md examples/router.conf \
	examples/nat-capture/nat.conf examples/nat-capture/make_capture.py; do
	cmp "$source/$page" "$doc/$page" || fail "$page is not installed"
done
# As a user has them: out of what is installed.
cp -R "$doc/examples" "$tmp/examples"
stage=$tmp/examples/out-of-tree-stage
embed=$tmp/examples/embed
energy=$tmp/examples/energy

! grep -rl -e "$tmp" -e "$source" -e "$build" \
	"$tmp/first/$libdir/cmake" "$tmp/first/$libdir/pkgconfig" \
	"$tmp/first/include" || fail "these files name a folder"

with_cmake() {
	"$cmake" -G "$generator" -S "$1" -B "$2" -DCMAKE_C_COMPILER="$cc" \
		-DCMAKE_PREFIX_PATH="$tmp/first" >/dev/null
	"$cmake" --build "$2" >/dev/null
}
with_cmake "$stage" "$tmp/cmake"
with_cmake "$embed" "$tmp/embed-cmake"
with_cmake "$energy" "$tmp/energy"

export PKG_CONFIG_PATH="$tmp/first/$libdir/pkgconfig"
mkdir "$tmp/pkg-config"
# shellcheck disable=SC2046 # a list of words
"$cc" -std=c17 -Wall -Wextra -Wpedantic -Werror -O2 -fPIC \
	-fvisibility=hidden -shared -Wl,-z,defs \
	-o "$tmp/pkg-config/sample.so" "$stage/sample.c" \
	$(pkg-config --cflags --libs sluice)
mkdir "$tmp/embed-pkg-config"
# shellcheck disable=SC2046
"$cc" -std=c17 -Wall -Wextra -Wpedantic -Werror -O2 \
	-o "$tmp/embed-pkg-config/embed" "$embed/main.c" \
	$(pkg-config --cflags --libs sluice) \
	-Wl,-rpath,"$(pkg-config --variable=libdir sluice)"

cat >"$tmp/embed.conf" <<END
source = { plugin = "trace_text"; path = "examples/out-of-tree-stage/packets.txt"; };
sink = { plugin = "trace_text"; path = "-"; };
END
echo 'source = { plugin = "nosuch"; };' >"$tmp/wrong.conf"
for how in cmake pkg-config; do
	program=$tmp/embed-$how/embed
	"$program" "$tmp/embed.conf" >"$tmp/out" 2>"$tmp/err" ||
		fail "embed, $how: exit $?"
	cmp "$stage/packets.txt" "$tmp/out" || fail "embed, $how: wrong output"
	grep -q '^packets: 5 in, 5 out, 0 dropped$' "$tmp/err" ||
		fail "embed, $how: wrong figures"
	code=0
	"$program" "$tmp/wrong.conf" 2>"$tmp/err" || code=$?
	[ "$code" = 2 ] || fail "embed, $how: exit $code for a wrong configuration"
	[ "$(grep -c '^embed: .*wrong.conf:' "$tmp/err")" = 2 ] ||
		fail "embed, $how: not two problems"
done

printf 'time_s,watts\n0,10\n9000,10\n' >"$tmp/watts.csv"
"$tmp/energy/meter" "replay:file=$tmp/watts.csv" true >"$tmp/out" ||
	fail "meter: exit $?"
grep -q ' J, 10\.0[0-9]* W$' "$tmp/out" || fail "meter: wrong figures"

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
