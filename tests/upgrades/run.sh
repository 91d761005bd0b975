#!/usr/bin/env bash
# Upgrades of databases that releases made and filled: run.sh embedded, or run.sh [--postgres 15|17] for a native stack, whose
# requests are answered meanwhile, with the recipes of docs/operate/back-up.md. Then the contract suite on the result (not with
# SKIP_CONTRACT=1). With UPGRADE_GRANTS=N it only prints how long requests wait on a database with N more grants. Each release that is supported in
# turn, those with a folder here; ONLY_LAST=1: the last one; or UPGRADE_FROM=VERSION.
set -euo pipefail
cd "$(dirname "$0")/../.."

# Demo records are dated from one moment in every step, past midnight too.
export UPGRADE_TODAY=${UPGRADE_TODAY:-$(date -u +%FT%TZ)}

if [[ -z ${UPGRADE_FROM:-} ]]; then
  # Without a release that brought all migrations that there are: nothing is left to upgrade.
  versions=$(node -p '
      const migrations = fs.readdirSync("supabase/migrations").sort();
      const releases = Object.entries(JSON.parse(fs.readFileSync("supabase/releases.json")));
      releases.filter(([version, release]) => fs.existsSync(`tests/upgrades/${version}`) &&
        Object.keys(release.migrations).sort().at(-1) !== migrations.at(-1)).map(([version]) => version).join("\n")')
  [[ -n $versions ]] || { echo "tests/upgrades has no folder of a release." >&2; exit 1; }
  [[ -z ${ONLY_LAST:-} ]] || versions=$(tail -1 <<<"$versions")
  for version in $versions; do
    echo "== from $version"
    UPGRADE_FROM=$version "$0" "$@"
  done
  exit
fi

if [[ ${1:-} == embedded ]]; then exec npx vitest run --project upgrades tests/upgrades/embedded.test.ts; fi

. tests/native/prepare.sh
stop_second() { tests/native/stack.sh stop --dir "$WORK/second/stack" >/dev/null 2>&1 || true; }
trap 'stop_second; finish' EXIT
start_empty_stack "$@"
npx vitest run --project upgrades tests/upgrades/native.test.ts
[[ -z ${UPGRADE_GRANTS:-} ]] || exit 0

echo "-- the recipes of docs/operate/back-up.md, into another cluster"
mkdir "$WORK/second" && chmod 755 "$WORK/second"
tests/native/stack.sh start --dir "$WORK/second/stack" "$@" >"$WORK/second.env"
SECOND_URL=$(sed -n 's/^database_url=//p' "$WORK/second.env")
PATH=$postgres_bin:$PATH NEW_DATABASE_URL=$SECOND_URL npx vitest run --project upgrades tests/upgrades/recipes.test.ts
tests/native/stack.sh stop --dir "$WORK/second/stack"

. <(node -p '
  const { keys } = JSON.parse(fs.readFileSync("tests/upgrades/" + process.env.UPGRADE_FROM + "/secrets.json"));
  Object.entries(keys).map(([name, key]) => `export ${name.toUpperCase()}=${key}`).join("\n")')
[[ -n ${SKIP_CONTRACT:-} ]] && exit 0
PORT=$(free_port)
export DOCUMENTATION_URL=https://docs.contract.example/api
spawn functions.log node local/deno.mjs tests/native/functions.ts "$PORT"
export API_BASE_URL=http://127.0.0.1:$PORT/functions/v1
until_it_answers "$API_BASE_URL" || { tail -20 "$WORK/functions.log"; exit 1; }
npx vitest run --project contract || { show_faults "$WORK/functions.log"; exit 1; }
