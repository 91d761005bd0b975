#!/usr/bin/env bash
# The pages of `npm start` in Chromium, and the one file in them that is not ours.
set -euo pipefail
cd "$(dirname "$0")/../.."

tests/browser/install.sh
scripts/scalar.sh --check
exec npx vitest run --config tests/browser/vitest.config.ts "$@"
