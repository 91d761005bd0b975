#!/usr/bin/env bash
# Requests that no client should send, to the functions over native Postgres and PostgREST. Run tests/native/install.sh
# once before. Options go to tests/fuzz/index.ts.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tests/native/prepare.sh

start_stack
PORT=$(free_port)
export DISPATCH_SECRET=dispatch-secret-of-the-tests
spawn functions.log node local/deno.mjs tests/native/functions.ts "$PORT"
functions_pid=${STARTED[-1]}
export API_BASE_URL=http://127.0.0.1:$PORT/functions/v1
until_it_answers "$API_BASE_URL" || { tail -20 "$WORK/functions.log"; exit 1; }

watched=(--watch "functions=$functions_pid")
for name in postgres postgrest; do
  read -r pid _ <"$WORK/stack/pids/$name"
  watched+=(--watch "$name=$pid")
done
node local/deno.mjs tests/fuzz/index.ts --given --log "$WORK/functions.log" "${watched[@]}" "$@"
