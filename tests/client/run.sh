#!/usr/bin/env bash
# The client, packed and installed from its tarball, on Node, Deno, Bun, workerd and Chromium against `npm start`.
set -euo pipefail
cd "$(dirname "$0")/../.."

if ! command -v chromium >/dev/null; then
  [[ $(id -u) == 0 ]] || { echo "Install Debian's package chromium first." >&2; exit 1; }
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null
fi
exec npx vitest run --config tests/client/vitest.config.ts "$@"
