#!/usr/bin/env bash
# What reads cost the primary with two replicas: `npm run bench -- --only replicas` on a primary and two hot standbys, which this starts. Run
# tests/native/install.sh once before. Options go to the benchmark.
set -euo pipefail
cd "$(dirname "$0")/../.."

. tests/native/prepare.sh
stop_replicas() {
  local name
  for name in one two; do tests/native/stack.sh stop --dir "$WORK/$name" >/dev/null 2>&1 || true; done
}
trap 'stop_replicas; finish' EXIT
start_empty_stack
urls=()
for name in one two; do
  tests/native/stack.sh start --dir "$WORK/$name" --replica-of "$WORK/stack" >"$WORK/$name.env"
  urls+=(--replica-url "$(sed -n 's/^database_url=//p' "$WORK/$name.env")")
done
npm run --silent bench -- --only replicas --database-url "$DATABASE_URL" "${urls[@]}" "$@"
