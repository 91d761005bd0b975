#!/usr/bin/env bash
# Runs supabase/tests/*.test.sql on a Postgres that has pgTAP: pgtap.sh DATABASE_URL
set -euo pipefail
cd "$(dirname "$0")/../.."
psql "$1" -qc 'create extension if not exists pgtap with schema extensions' 2>/dev/null ||
  { echo "pgTAP is not installed for this Postgres (Debian: postgresql-15-pgtap, postgresql-17-pgtap)" >&2; exit 1; }
passed=0 failed=0
for file in supabase/tests/*.test.sql; do
  output=$(psql "$1" -XAtq -v ON_ERROR_STOP=1 -f "$file" 2>&1) || { printf '%s\n%s\n' "$file" "$output"; failed=$((failed + 1)); continue; }
  passed=$((passed + $(grep -c '^ok ' <<< "$output" || true)))
  if wrong=$(grep -E '^not ok|^# Looks like|^# Failed' <<< "$output"); then
    printf '%s\n%s\n' "$file" "$wrong"
    failed=$((failed + $(grep -c '^not ok' <<< "$output" || echo 1)))
  fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
