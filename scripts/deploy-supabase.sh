#!/usr/bin/env bash
# Deploys to the linked Supabase project with the pinned CLI: migrations first, functions second. docs/operate/install.md walks the path.
# Options go to both commands: --yes in CI.
set -euo pipefail
cd "$(dirname "$0")/.."

supabase=$(scripts/tool.sh supabase)
"$supabase" db push --remote "$@"
"$supabase" functions deploy --use-api "$@"
