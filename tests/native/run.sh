#!/usr/bin/env bash
# The contract suite and the SQL suite on real Postgres and PostgREST. Run install.sh once before.
# Options go to stack.sh.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tests/native/prepare.sh

start_stack "$@"
PORT=$(free_port)
export DOCUMENTATION_URL=https://docs.contract.example/api
spawn functions.log node local/deno.mjs tests/native/functions.ts "$PORT"
export API_BASE_URL=http://127.0.0.1:$PORT/functions/v1
until_it_answers "$API_BASE_URL" || { tail -20 "$WORK/functions.log"; exit 1; }

echo "-- contract suite at $API_BASE_URL"
npx vitest run --project contract ${CONTRACT_TESTS:-} || { tail -20 "$WORK/functions.log"; exit 1; }

echo "-- CSV answers, read by Python"
npx vitest run --project native-csv || { tail -20 "$WORK/functions.log"; exit 1; }

echo "-- every RPC with hostile arguments, through PostgREST"
npx vitest run --project native-rpcs

echo "-- imports at once"
npx vitest run --project native-imports

echo "-- SQL suite"
tests/native/pgtap.sh "$DATABASE_URL"
