#!/usr/bin/env bash
# Searches by another engine: the two functions by which they are ranked ask a second database, and those of this one that rank raise. The contract suite
# on that, then engine.test.ts. Run tests/native/install.sh once before. Options go to tests/native/stack.sh; SKIP_CONTRACT=1 leaves out the contract suite.
set -euo pipefail
cd "$(dirname "$0")/../.."

. tests/native/prepare.sh
start_stack "$@"

sql() { "$postgres_bin/psql" -XqAt -v ON_ERROR_STOP=1 "$@"; }
# A database with sessions cannot be copied. PostgREST comes back by itself.
sql "${DATABASE_URL%/*}/postgres" \
  -c "alter database funding allow_connections false" \
  -c "select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = 'funding'" \
  -c "create database engine template funding" \
  -c "alter database funding allow_connections true" >/dev/null
export ENGINE_URL=${DATABASE_URL%/*}/engine
password=${DATABASE_URL#postgresql://postgres:}
sql "$DATABASE_URL" -v password="${password%%@*}" -f tests/engine/engine.sql

port=$(free_port)
export DOCUMENTATION_URL=https://docs.contract.example/api
spawn functions.log node local/deno.mjs tests/native/functions.ts "$port"
export API_BASE_URL=http://127.0.0.1:$port/functions/v1
until_it_answers "$API_BASE_URL" || { tail -20 "$WORK/functions.log"; exit 1; }

if [[ -z ${SKIP_CONTRACT:-} ]]; then
  echo "-- contract suite, ranked by the database engine"
  npx vitest run --project contract ${CONTRACT_TESTS:-} || { show_faults "$WORK/functions.log"; exit 1; }
fi
npx vitest run --project engine
