#!/usr/bin/env bash
# Installs Debian's Chromium where there is none. Safe to repeat.
set -euo pipefail
command -v chromium >/dev/null && exit
[[ $(id -u) == 0 ]] || { echo "Install Debian's package chromium first." >&2; exit 1; }
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null
