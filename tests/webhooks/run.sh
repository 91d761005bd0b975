#!/usr/bin/env bash
# What webhooks promise, proved on a native Postgres and PostgREST with dispatcher processes that are killed. Run
# tests/native/install.sh once before. Options go to tests/native/stack.sh.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tests/native/prepare.sh

start_stack "$@"
npx vitest run --config tests/webhooks/proofs/vitest.config.ts
