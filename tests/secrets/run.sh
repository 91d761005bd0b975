#!/usr/bin/env bash
# No secret in what the service prints, stores in its database's log, or answers: mixed traffic on a native Postgres, which
# logs every statement with its parameters, and on the embedded server. Run tests/native/install.sh once before. Options go
# to tests/native/stack.sh.
set -euo pipefail
cd "$(dirname "$0")/../.."

npx vitest run --project secrets embedded

. tests/native/prepare.sh

start_stack "$@"
psql "$DATABASE_URL" -qc "alter system set log_statement = 'all'" -c "alter system set log_parameter_max_length = -1" \
  -c "alter system set log_parameter_max_length_on_error = -1" -c "select pg_reload_conf()" >/dev/null
export SERVICE_ROLE_KEY=$SUPABASE_SERVICE_ROLE_KEY JWT_SECRET=$jwt_secret STACK_LOGS=$WORK/stack/log
npx vitest run --project secrets native
