#!/usr/bin/env bash
# The pages of `npm start` in Chromium.
set -euo pipefail
cd "$(dirname "$0")/../.."

tests/browser/install.sh
exec npx vitest run --project browser "$@"
