#!/usr/bin/env bash
# The contract suite on Cloudflare's runtime: workerd on this machine serves worker/index.ts over a native
# Postgres and PostgREST. Run tests/native/install.sh once before. Options go to tests/native/stack.sh. RUNTIME_ONLY=1 leaves out the files
# that are about what the database finds, whatever the runtime is: three quarters of the time.
set -euo pipefail
cd "$(dirname "$0")/../.."

# Nothing here needs Cloudflare, and nothing is told to it.
export WRANGLER_SEND_METRICS=false WRANGLER_HIDE_BANNER=true CLOUDFLARE_CF_FETCH_ENABLED=false CI=1
WRANGLER=node_modules/wrangler/bin/wrangler.js
. tests/native/prepare.sh

echo "-- bundle"
node "$WRANGLER" deploy --dry-run --outdir "$WORK/bundle" >"$WORK/bundle.log" 2>&1 || { cat "$WORK/bundle.log"; exit 1; }
size=$(gzip -9c "$WORK/bundle/index.js" | wc -c)
echo "gzipped: $((size / 1024)) KiB of at most 480"
((size <= 480 * 1024))
# A module of Node, for example, without which the Worker would not start.
if grep -A 4 WARNING "$WORK/bundle.log"; then exit 1; fi

start_stack "$@"

(
  umask 077
  cat >"$WORK/worker.env" <<VARS
SUPABASE_URL=$SUPABASE_URL
SUPABASE_SECRET_KEY=$SUPABASE_SERVICE_ROLE_KEY
SUPABASE_PUBLISHABLE_KEY=sb_publishable_of_the_test
WEBHOOK_SECRETS_KEY=$WEBHOOK_SECRETS_KEY
STRIPE_WEBHOOK_SECRET=$STRIPE_WEBHOOK_SECRET
STRIPE_SECRET_KEY=$STRIPE_SECRET_KEY
STRIPE_API_URL=$STRIPE_API_URL
DASHBOARD_URL=$DASHBOARD_URL
METRICS_SECRET=$METRICS_SECRET
DOCUMENTATION_URL=https://docs.contract.example/api
VARS
)
# As an operator with a bucket for snapshots deploys it.
export SNAPSHOT_BUCKET=snapshots-of-the-test SNAPSHOT_BUCKET_STATE=$WORK/state
node tests/workers/with-bucket.mjs "$SNAPSHOT_BUCKET" >"$WORK/wrangler.json"
PORT=$(free_port)
spawn worker.log node tests/workers/serve.mjs "$WORK/wrangler.json" "$WORK/bundle/index.js" "$WORK/worker.env" "$WORK/state" "$PORT"
export API_BASE_URL=http://127.0.0.1:$PORT/functions/v1
until_it_answers "$API_BASE_URL" || { tail -20 "$WORK/worker.log"; exit 1; }

echo "-- contract suite at $API_BASE_URL"
# Requests and answers, streams, cryptography, timers, memory between requests, and calls of other services.
runtime=(account account-keys auth billing checkout common-grants csv errors health http key-limits known-lists lists mcp metrics
  openapi-document requests required semantic-search supabase-js)
if [[ -n ${RUNTIME_ONLY:-} ]]; then CONTRACT_TESTS=$(printf 'contract/%s.test.ts ' "${runtime[@]}"); fi
npx vitest run --project contract ${CONTRACT_TESTS:-} || { show_faults "$WORK/worker.log"; exit 1; }

echo "-- dashboard and snapshots"
npx vitest run --project workers
