# What git says: a line a ref, LOCAL_REF LOCAL_ID REMOTE_REF REMOTE_ID.
lines=$(cat)
if [ -n "$lines" ]; then
	run_before "$@" <<EOF
$lines
EOF
else
	run_before "$@" </dev/null
fi
go_on $?

is_commit() {
	git rev-parse --quiet --verify "$1^{commit}" 2>/dev/null
}

# What a branch, whose tip is $1, is held against if the remote does not have
# it: where it leaves the remote's default branch, else any branch of a remote,
# else its root; where that is all there is, nothing.
find_base() {
	if [ -z "$(git rev-list -n 1 "$1" --not --remotes="$remote")" ]; then
		echo "$1" # nothing of it is new there
		return
	fi
	default=$(git symbolic-ref --quiet "refs/remotes/$remote/HEAD") &&
		git merge-base "$default" "$1" 2>/dev/null && return
	fork=$(git rev-list --boundary "$1" --not --remotes |
		sed -n '/^-/{s///p;q;}')
	if [ -n "$fork" ]; then
		echo "$fork"
		return
	fi
	root=$(git rev-list --max-parents=0 "$1" | tail -n 1)
	if [ "$root" = "$1" ]; then
		git hash-object -t tree /dev/null
	else
		echo "$root"
	fi
}

remote=$1
worst=0
while read -r local_ref local_id remote_ref remote_id; do
	case $local_id in *[!0]*) ;; *) continue ;; esac # it is deleted
	case $remote_ref in refs/notes/*) continue ;; esac
	tip=$(is_commit "$local_id") || continue # the tag of a file
	base=
	case $remote_id in *[!0]*) base=$(is_commit "$remote_id") ;; esac
	[ -n "$base" ] || base=$(find_base "$tip") || exit 3
	echo "scgate hook: $local_ref" >&2
	"$scgate" check --base "$base" --head "$tip" </dev/null
	status=$?
	[ "$status" -le "$worst" ] || worst=$status
done <<EOF
$lines
EOF
exit "$worst"
