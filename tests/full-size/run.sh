#!/usr/bin/env bash
# Proofs at full size, on real Postgres: plans, recall, totals, and a refit of the lexicon under load. Run
# tests/native/install.sh once before. About seven minutes on two cores, of which three fill the database.
set -euo pipefail
cd "$(dirname "$0")/../.."

WORK=$(mktemp -d)
finish() {
  tests/native/stack.sh stop --dir "$WORK/stack" >/dev/null 2>&1 || true
  rm -rf "$WORK"
}
trap finish EXIT

chmod 755 "$WORK"
tests/native/stack.sh start --dir "$WORK/stack" "$@" >"$WORK/stack.env"
. "$WORK/stack.env"
export DATABASE_URL=$database_url

echo "-- 79,700 grants, 29,400 contracts and 6,600 funders on Postgres $(psql "$DATABASE_URL" -Atc 'show server_version')"
npm run --silent migrate
npm run --silent seed -- --grants 79700 --contracts 29400 --funders 6600 2>"$WORK/seed.log" || { tail "$WORK/seed.log"; exit 1; }

# FULL_SIZE_TESTS picks some: "plans recall totals".
npx vitest run --config tests/full-size/vitest.config.ts ${FULL_SIZE_TESTS:-}
