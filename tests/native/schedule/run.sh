#!/usr/bin/env bash
# The dispatcher's schedule on a real pg_cron, with Postgres 17: a webhook arrives because pg_cron ran its job. pg_net and Vault are
# stand-ins. Run tests/native/install.sh --postgres 17 once before. A minute at most.
set -euo pipefail
cd "$(dirname "$0")/../../.."
. tests/native/prepare.sh

chmod 755 "$WORK"
tests/native/stack.sh start --dir "$WORK/stack" --postgres 17 --cron >"$WORK/stack.env"
. "$WORK/stack.env"
export DATABASE_URL=$database_url SUPABASE_URL=$supabase_url SUPABASE_SERVICE_ROLE_KEY=$service_role_key

# As on a hosted project whose extensions are enabled before the first `db push`.
"$postgres_bin/psql" "$DATABASE_URL" -Xq -v ON_ERROR_STOP=1 -c 'create extension pg_cron' -f tests/native/schedule/stand-ins.sql
npm run --silent migrate
# On Supabase an event trigger does this.
"$postgres_bin/psql" "$DATABASE_URL" -Xqc "notify pgrst, 'reload schema'"
npx vitest run --project native-schedule
