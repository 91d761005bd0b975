#!/usr/bin/env bash
# A stopped cluster with the migrations, the demo records and three keys, from which suites start their stacks: template.sh prints
# its folder, in which `data` is Postgres's and `keys` has the keys. It is made once for each state of the sources and each day,
# since demo records are dated from today, and lies in the user's cache. `--legacy-grants` and `--postgres` are stack.sh's.
set -euo pipefail
cd "$(dirname "$0")/../.."
source tests/native/lib.sh
source tests/native/processes.sh

# All that decides what the commands below write.
readonly SOURCES=(supabase/migrations supabase/schemas cli database ingest local shared tests/native package-lock.json)
readonly TEMPLATES="$CACHE_DIR/templates"

template_path() {
  local hash
  hash=$({ date -u +%F && echo "$*" && "$POSTGRES_BIN/postgres" --version && find "${SOURCES[@]}" -type f -print0 | sort -z | xargs -0 sha256sum; } | sha256sum)
  echo "$TEMPLATES/${hash:0:16}"
}

key_on_tier() {
  npm run --silent account -- create "$1@contract.example" --tier "$1" >/dev/null
  npm run --silent key -- create "$1@contract.example" | sed -n 's/^api_key=//p'
}

abandon() {
  tests/native/stack.sh stop --dir "$WORK/stack" >/dev/null 2>&1 || true
  rm -rf "$WORK"
}

make_template() {
  local path=$1 stack
  shift
  WORK=$(mktemp -d)
  trap abandon EXIT
  chmod 755 "$WORK"
  stack=$(tests/native/stack.sh start --dir "$WORK/stack" "$@")
  eval "$stack"
  export DATABASE_URL=$database_url
  npm run --silent migrate >&2
  npm run --silent seed >&2
  npm run --silent tier -- add limited --quota 100 >/dev/null
  mkdir -p -m 700 "$path.new"
  install -m 600 /dev/null "$path.new/keys"
  {
    echo "API_KEY=$(key_on_tier developer)"
    echo "LIMITED_API_KEY=$(key_on_tier limited)"
    echo "FREE_API_KEY=$(key_on_tier free)"
  } >"$path.new/keys"
  (($(grep -c '=fo_live_' "$path.new/keys") == 3)) || die "the commands made no keys"
  DIR=$WORK/stack
  stop_all
  cp -a --reflink=auto "$DIR/data" "$path.new/data"
  mv "$path.new" "$path"
}

options=("$@") major=
while (($# > 0)); do
  if [[ $1 == --postgres ]]; then major=${2:-}; fi
  shift
done
choose_postgres "$major"
mkdir -p "$TEMPLATES"
path=$(template_path ${options[@]+"${options[@]}"})
# One suite makes it, and those that start meanwhile wait.
exec 9>"$TEMPLATES/lock"
flock 9
if [[ ! -d $path ]]; then
  find "$TEMPLATES" -mindepth 1 -maxdepth 1 -type d \( -mmin +120 -o -name '*.new' \) -exec rm -rf {} +
  make_template "$path" ${options[@]+"${options[@]}"} 9>&-
fi
touch "$path"
echo "$path"
