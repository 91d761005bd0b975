#!/usr/bin/env bash
# Webhook guarantees on a native Postgres and PostgREST, with dispatcher processes that are killed. Run
# tests/native/install.sh once before. Options go to tests/native/stack.sh.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tests/native/prepare.sh

start_stack "$@"
# WEBHOOK_TESTS picks some: "clock neighbours".
npx vitest run --project webhooks ${WEBHOOK_TESTS:-}
