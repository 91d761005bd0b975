#!/usr/bin/env bash
# Reads on replicas: a primary and three hot standbys (streaming), a PostgREST for each, and the functions under Deno. The contract suite through a
# balancer that routes as Supabase's does; then what becomes of replicas and of the primary (replicas.test.ts). Run tests/native/install.sh once
# before. Options go to tests/native/stack.sh. BALANCER=haproxy takes HAProxy (Debian's package haproxy) in place of the test's own balancer;
# SKIP_CONTRACT=1 leaves out the contract suite, and LONG_LAG_SECONDS (30) is how far replicas lag that go on replaying.
set -euo pipefail
cd "$(dirname "$0")/../.."

names=(one two three)
. tests/native/prepare.sh
stop_replicas() {
  local name
  for name in "${names[@]}"; do tests/native/stack.sh stop --dir "$WORK/$name" >/dev/null 2>&1 || true; done
}
trap 'stop_replicas; finish' EXIT
start_stack "$@"

urls=()
for name in "${names[@]}"; do
  tests/native/stack.sh start --dir "$WORK/$name" --replica-of "$WORK/stack" "$@" >"$WORK/$name.env"
  urls+=("$(sed -n 's/^supabase_url=//p' "$WORK/$name.env")")
done
echo "-- replicas: ${#urls[@]}"

# serve LOG SUPABASE_READ_URL starts the functions, and sets API_BASE_URL.
serve() {
  local port
  port=$(free_port)
  SUPABASE_READ_URL=$2 spawn "$1" node local/deno.mjs tests/native/functions.ts "$port"
  export API_BASE_URL=http://127.0.0.1:$port/functions/v1
  until_it_answers "$API_BASE_URL" || { tail -20 "$WORK/$1"; exit 1; }
}
sql() { "$postgres_bin/psql" "$DATABASE_URL" -XqAt "$@"; }
# Transactions of PostgREST on each server since it started.
transactions() {
  local env
  for env in stack "${names[@]}"; do
    "$postgres_bin/psql" "$(sed -n 's/^database_url=//p' "$WORK/$env.env")" -XqAt -c "select xact_commit + xact_rollback from pg_stat_database where datname = current_database()"
  done | paste -sd' '
}

export DOCUMENTATION_URL=https://docs.contract.example/api
if [[ -z ${SKIP_CONTRACT:-} ]]; then
  # What a test has written is on every replica when the write returns, so that the suite's next request sees it.
  sql -c "alter system set synchronous_standby_names = 'ANY ${#names[@]} (*)'" -c "alter system set synchronous_commit = 'remote_apply'" -c "select pg_reload_conf()" >/dev/null
  port=$(free_port)
  if [[ ${BALANCER:-} == haproxy ]]; then
    tests/replicas/haproxy.sh "$port" "$SUPABASE_URL" "${urls[@]}" >"$WORK/haproxy.cfg"
    spawn balancer.log haproxy -db -f "$WORK/haproxy.cfg"
  else
    spawn balancer.log node tests/replicas/balancer.mjs "$port" "$SUPABASE_URL" "${urls[@]}"
  fi
  serve functions.log "http://127.0.0.1:$port"
  echo "-- contract suite through the balancer"
  npx vitest run --project contract ${CONTRACT_TESTS:-} || { show_faults "$WORK/functions.log"; exit 1; }
  echo "-- transactions on the primary and on each replica: $(transactions)"
  sql -c "alter system reset synchronous_standby_names" -c "alter system reset synchronous_commit" -c "select pg_reload_conf()" >/dev/null
fi

echo "-- replicas and the primary on bad days"
sql -c "alter system set track_functions = 'pl'" -c "select pg_reload_conf()" >/dev/null
for name in "${names[@]}"; do "$postgres_bin/psql" "$(sed -n 's/^database_url=//p' "$WORK/$name.env")" -XqAt -c "alter system set track_functions = 'pl'" -c "select pg_reload_conf()" >/dev/null; done
export STACK_DIR=$WORK/stack REPLICA_DIRS="${names[*]/#/$WORK/}"
npx vitest run --project replicas
