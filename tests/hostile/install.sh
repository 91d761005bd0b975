#!/usr/bin/env bash
# Installs Debian's libfaketime, by which the hostile mix sets the server's clock, where there is none. Safe to repeat.
set -euo pipefail
compgen -G '/usr/lib/*/faketime/libfaketime.so.1' >/dev/null && exit
[[ $(id -u) == 0 ]] || { echo "Install Debian's package libfaketime first." >&2; exit 1; }
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends libfaketime >/dev/null
