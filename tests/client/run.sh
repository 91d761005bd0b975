#!/usr/bin/env bash
# The client, packed and installed from its tarball, on Node, Deno, Bun, workerd and Chromium against `npm start`.
set -euo pipefail
cd "$(dirname "$0")/../.."

tests/browser/install.sh
exec npx vitest run --project client "$@"
