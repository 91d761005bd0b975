#!/usr/bin/env bash
# The Python client on Debian's python3 against `npm start`, and its types under mypy.
set -euo pipefail
cd "$(dirname "$0")/../.."

packages=(python3 python3-httpx python3-pandas mypy)
if ! dpkg -s "${packages[@]}" >/dev/null 2>&1; then
  [[ $(id -u) == 0 ]] || { echo "Install Debian's packages ${packages[*]} first." >&2; exit 1; }
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null
fi
exec npx vitest run --project python "$@"
