#!/usr/bin/env bash
# A native stack with the records of the full-size proofs. Options go to tests/native/stack.sh; `stack.sh stop` ends it.
# About five minutes on one processor.
set -euo pipefail
cd "$(dirname "$0")/../.."

stack=$(tests/native/stack.sh start "$@")
eval "$stack"
trap 'tests/native/stack.sh stop --dir "$dir" >/dev/null 2>&1 || true' EXIT

export DATABASE_URL=$database_url
echo "-- 79,700 grants, 29,400 contracts and 6,600 funders on Postgres $(psql "$DATABASE_URL" -Atc 'show server_version')"
npm run --silent migrate
npm run --silent seed -- --grants 79700 --contracts 29400 --funders 6600 2>"$dir/log/seed.log" || { tail "$dir/log/seed.log"; exit 1; }
trap - EXIT
