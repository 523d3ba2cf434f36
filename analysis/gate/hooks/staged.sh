run_before "$@"
go_on $?
exec "$scgate" check --staged
