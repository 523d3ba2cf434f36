
# The hook that was here before runs first. A script of sh is read, not run, so
# that its $0 stays what it was: some look for their name and their helpers
# there. This must not stand in a condition, where "set -e" has no effect.
run_before() {
	[ -x "$before" ] || return 0
	read -r first <"$before"
	case $first in
	'#!/bin/sh' | '#! /bin/sh' | '#!/usr/bin/env sh') (. "$before") ;;
	*) "$before" "$@" ;;
	esac
}

go_on() {
	[ "$1" -eq 0 ] || exit "$1"
}

if ! scgate=$(command -v scgate); then
	scgate=$installed
	if [ ! -x "$scgate" ]; then
		echo "scgate hook: scgate is neither on PATH nor where it was" \
			"(${installed:-not known})" >&2
		echo "install it, or go on without it: git $passed_by" \
			"--no-verify" >&2
		exit 3
	fi
fi

