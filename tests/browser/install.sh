#!/usr/bin/env bash
# Installs Debian's Chromium for tests, which has no window, where there is none. Safe to repeat.
set -euo pipefail
command -v chromium-headless-shell >/dev/null && exit
[[ $(id -u) == 0 ]] || { echo "Install Debian's package chromium-headless-shell first." >&2; exit 1; }
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium-headless-shell >/dev/null
