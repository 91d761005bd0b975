#!/usr/bin/env bash
# Load on both stacks, or on the one that --stack names; other options go to tests/load/index.ts. The native one needs
# tests/native/install.sh once before.
set -euo pipefail
cd "$(dirname "$0")/../.."

stack=both
options=()
while (($# > 0)); do
  case "$1" in
    --stack) stack=${2:-} && shift 2 ;;
    --help) exec node local/deno.mjs tests/load/index.ts --help ;;
    *) options+=("$1") && shift ;;
  esac
done

case "$stack" in both | embedded | native) ;; *) echo "--stack takes embedded, native or both" >&2 && exit 2 ;; esac

if [[ $stack != native ]]; then
  node local/deno.mjs tests/load/index.ts --stack embedded ${options[@]+"${options[@]}"}
fi
if [[ $stack != embedded ]]; then
  . tests/native/prepare.sh
  start_stack
  STACK_DIR=$WORK/stack node local/deno.mjs tests/load/index.ts --stack native ${options[@]+"${options[@]}"}
fi
