#!/usr/bin/env bash
# A native stack with the records of the full-size proofs. Options go to tests/native/stack.sh; `stack.sh stop` ends it.
# About five minutes on one processor. HALF=1 makes half of the grants and funders. Contracts are as many: their pages at offset 10,000 and
# their vector index have proofs of their own.
set -euo pipefail
cd "$(dirname "$0")/../.."

stack=$(tests/native/stack.sh start "$@")
eval "$stack"
trap 'tests/native/stack.sh stop --dir "$dir" >/dev/null 2>&1 || true' EXIT

export DATABASE_URL=$database_url
parts=${HALF:+2}
records=(--grants $((79700 / ${parts:-1})) --contracts 29400 --funders $((6600 / ${parts:-1})))
echo "-- ${records[*]}, on Postgres $(psql "$DATABASE_URL" -Atc 'show server_version')"
npm run --silent migrate
npm run --silent seed -- "${records[@]}" 2>"$dir/log/seed.log" || { tail "$dir/log/seed.log"; exit 1; }
trap - EXIT
