#!/usr/bin/env bash
# The contract suite, the SQL suite and others on real Postgres and PostgREST. Run install.sh once before; for `--postgres 17`, that of
# the same name. Options go to stack.sh. NATIVE_TESTS picks some: "contract sql".
set -euo pipefail
cd "$(dirname "$0")/../.."
. tests/native/prepare.sh
NATIVE_TESTS=${NATIVE_TESTS:-contract csv rpcs imports sql schedule}

# part NAME WORDS COMMAND... runs one of NATIVE_TESTS, if it is picked.
part() {
  local before=$SECONDS words=$2
  if [[ " $NATIVE_TESTS " != *" $1 "* ]]; then return; fi
  shift 2
  echo "-- $words"
  "$@"
  echo "-- $((SECONDS - before)) s: $words"
}

# vitest_with_log PROJECT ... shows the functions' log after a failure.
vitest_with_log() {
  npx vitest run --project "$@" || { show_faults "$WORK/functions.log"; exit 1; }
}

start_stack "$@"
PORT=$(free_port)
export DOCUMENTATION_URL=https://docs.contract.example/api
spawn functions.log node local/deno.mjs tests/native/functions.ts "$PORT"
export API_BASE_URL=http://127.0.0.1:$PORT/functions/v1
until_it_answers "$API_BASE_URL" || { tail -20 "$WORK/functions.log"; exit 1; }

part contract "contract suite at $API_BASE_URL" vitest_with_log contract ${CONTRACT_TESTS:-}
part csv "CSV answers, read by Python" vitest_with_log native-csv
part rpcs "every RPC with hostile arguments, through PostgREST" npx vitest run --project native-rpcs
part imports "imports at once" npx vitest run --project native-imports
part sql "SQL suite" tests/native/pgtap.sh "$DATABASE_URL"
if (($("$postgres_bin/psql" "$DATABASE_URL" -XAtc 'show server_version_num') >= 170000)); then
  part schedule "the dispatcher's schedule, with pg_cron" tests/native/schedule/run.sh
fi
