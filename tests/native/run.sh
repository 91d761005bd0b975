#!/usr/bin/env bash
# The contract suite and the SQL suite on real Postgres and PostgREST. Run install.sh once before.
set -euo pipefail
cd "$(dirname "$0")/../.."
HERE=tests/native
WORK=$(mktemp -d)
FUNCTIONS_PID=

finish() {
  [ -z "$FUNCTIONS_PID" ] || kill "$FUNCTIONS_PID" 2>/dev/null || true
  "$HERE/stack.sh" stop --dir "$WORK/stack" >/dev/null 2>&1 || true
  rm -rf "$WORK"
}
trap finish EXIT

chmod 755 "$WORK"
"$HERE/stack.sh" start --dir "$WORK/stack" > "$WORK/stack.env"
set -a; . "$WORK/stack.env"; set +a

echo "-- demo records on $(psql "$database_url" -Atc 'show server_version')"
npm run --silent migrate -- --database-url "$database_url"
npm run --silent seed -- --database-url "$database_url"
psql "$database_url" -qc "notify pgrst, 'reload schema'"

export DATABASE_URL=$database_url
key_on_tier() {
  npm run --silent account -- create "$1@contract.example" --tier "$1" >/dev/null
  npm run --silent key -- create "$1@contract.example" | sed -n 's/^api_key=//p'
}
npm run --silent account -- define-tier limited --quota 100 >/dev/null
API_KEY=$(key_on_tier developer) LIMITED_API_KEY=$(key_on_tier limited) FREE_API_KEY=$(key_on_tier free)
export API_KEY LIMITED_API_KEY FREE_API_KEY

PORT=$(node -e 'const s=require("net").createServer().listen(0,"127.0.0.1",()=>{console.log(s.address().port);s.close()})')
export SUPABASE_URL=$supabase_url SUPABASE_SERVICE_ROLE_KEY=$service_role_key
export DOCUMENTATION_URL=https://docs.contract.example/api
node local/deno.mjs "$HERE/functions.ts" "$PORT" > "$WORK/functions.log" 2>&1 &
FUNCTIONS_PID=$!
export API_BASE_URL=http://127.0.0.1:$PORT/functions/v1
for _ in $(seq 1 100); do
  [ "$(curl -s -o /dev/null -w '%{http_code}' -H "Authorization: Bearer $API_KEY" "$API_BASE_URL/grants-api?limit=1")" = 200 ] && break
  sleep 0.2
done

echo "-- contract suite at $API_BASE_URL"
npx vitest run --config tests/contract/vitest.config.ts || { tail -20 "$WORK/functions.log"; exit 1; }

echo "-- SQL suite"
"$HERE/pgtap.sh" "$database_url"
