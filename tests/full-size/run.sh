#!/usr/bin/env bash
# Proofs at full size, on real Postgres: plans, recall, totals, and a refit of the lexicon under load. Run
# tests/native/install.sh once before. Options go to tests/native/stack.sh. About seven minutes on two cores, of which four
# fill the database, unless FULL_SIZE_STACK names the folder of a stack that prepare.sh has made.
set -euo pipefail
cd "$(dirname "$0")/../.."

if [[ -z ${FULL_SIZE_STACK:-} ]]; then
  WORK=$(mktemp -d)
  finish() {
    tests/native/stack.sh stop --dir "$WORK/stack" >/dev/null 2>&1 || true
    rm -rf "$WORK"
  }
  trap finish EXIT
  chmod 755 "$WORK"
  tests/full-size/prepare.sh --dir "$WORK/stack" "$@"
  FULL_SIZE_STACK=$WORK/stack
fi
. "$FULL_SIZE_STACK/env"
export DATABASE_URL=$database_url

# FULL_SIZE_TESTS picks some: "plans recall totals".
npx vitest run --project full-size ${FULL_SIZE_TESTS:-}
