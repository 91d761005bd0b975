#!/usr/bin/env bash
# `supabase db push` to an empty Postgres, by a role that is no superuser, as on a hosted project. Then a database that the files of
# supabase/schemas make is dumped and compared with it. Run tests/native/install.sh once before. Options go to tests/native/stack.sh.
set -euo pipefail
cd "$(dirname "$0")/../.."
WORK=$(mktemp -d)

finish() {
  tests/native/stack.sh stop --dir "$WORK/stack" >/dev/null 2>&1 || true
  rm -rf "$WORK"
}
trap finish EXIT

export SUPABASE_TELEMETRY_DISABLED=1 SUPABASE_NO_UPDATE_NOTIFIER=1 SUPABASE_NO_KEYRING=1 SUPABASE_HOME=$WORK/home
SUPABASE=$(scripts/tool.sh supabase)
chmod 755 "$WORK"
tests/native/stack.sh start --dir "$WORK/stack" "$@" >"$WORK/stack.env"
. "$WORK/stack.env"

# On a hosted project the owner of the database may create these extensions; on a plain Postgres only a superuser may.
psql "$database_url" -Xq -v ON_ERROR_STOP=1 <<'SQL'
create role hosted_owner login password 'local' createrole createdb bypassrls;
grant anon, authenticated, service_role to hosted_owner with admin option;
alter role hosted_owner set search_path = "$user", public, extensions;
create database hosted owner hosted_owner;
\c hosted
create schema extensions authorization hosted_owner;
create extension vector with schema extensions;
create extension pg_trgm with schema extensions;
create extension unaccent with schema extensions;
create database declared template hosted owner hosted_owner;
SQL
port=${database_url##*:}
target=postgresql://hosted_owner:local@127.0.0.1:${port%%/*}/hosted

# In a copy, so that the CLI leaves nothing in the checkout.
mkdir "$WORK/checkout"
cp -r supabase "$WORK/checkout/"
push() { "$SUPABASE" --workdir "$WORK/checkout" db push --yes --remote="$target" 2>&1; }

stub=$(grep -l '^-- Stands for the functions' supabase/migrations/*.sql || true)
if [[ -n $stub ]]; then
  echo "-- of a version that is not released, without its functions"
  said=$(push || true)
  [[ $said == *"npm run schema -- --whole"* ]] || { echo "$said" >&2; exit 1; }
  npm run --silent schema -- --whole "$WORK/checkout"
fi
push | grep -E '^Applying|^ERROR|^Finished'
echo "-- again"
push | grep -iE 'up to date|^Applying|^ERROR'
echo "-- npm run migrate sees the same migrations"
[[ $(npm run --silent migrate -- --database-url "$target" | tee >(cat >&2)) == "no migration is missing"$'\n'"the schema is what its migrations made" ]]

echo "-- the schema that supabase/schemas declares is the one that the migrations make"
declared=${target%/hosted}/declared
node local/deno.mjs scripts/schema/print.ts | PGOPTIONS='-c client_min_messages=warning' psql "$declared" -Xq -v ON_ERROR_STOP=1 >/dev/null
# Postgres leaves out brackets that it does not need when it reads SQL again.
dump() { "$postgres_bin/pg_dump" --schema-only --exclude-schema=supabase_migrations "$1" | grep -vE '^(--|\\(un)?restrict|$)' | tr -d '()'; }
dump "$target" >"$WORK/migrated.sql"
dump "$declared" >"$WORK/declared.sql"
(($(wc -l <"$WORK/migrated.sql") > 10000))
diff "$WORK/migrated.sql" "$WORK/declared.sql"
