#!/usr/bin/env bash
# Deploys to the linked Supabase project with the pinned CLI: migrations first, functions second. docs/operate/install.md walks the path.
# Options go to both commands: --yes in CI.
set -euo pipefail
cd "$(dirname "$0")/.."

supabase=$(scripts/tool.sh supabase)
# Of a version that is not released the migrations have the functions only in this copy.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -R supabase "$folder/"
npm run --silent schema -- --whole "$folder"
"$supabase" --workdir "$folder" db push --remote "$@"
"$supabase" functions deploy --use-api "$@"
