#!/usr/bin/env bash
# A native stack with the records of the full-size proofs. Options go to tests/native/stack.sh; `stack.sh stop` ends it.
# About five minutes on one processor. FULL_SIZE_GRANTS (79700) is the number of grants; contracts and funders are in proportion.
set -euo pipefail
cd "$(dirname "$0")/../.."

stack=$(tests/native/stack.sh start "$@")
eval "$stack"
trap 'tests/native/stack.sh stop --dir "$dir" >/dev/null 2>&1 || true' EXIT

export DATABASE_URL=$database_url
grants=${FULL_SIZE_GRANTS:-79700}
contracts=$((29400 * grants / 79700)) funders=$((6600 * grants / 79700))
echo "-- $grants grants, $contracts contracts and $funders funders on Postgres $(psql "$DATABASE_URL" -Atc 'show server_version')"
npm run --silent migrate
npm run --silent seed -- --grants $grants --contracts $contracts --funders $funders 2>"$dir/log/seed.log" || { tail "$dir/log/seed.log"; exit 1; }
trap - EXIT
