#!/usr/bin/env bash
# Faults: processes are killed, connections run out and the disk is full, on the native stack, and the
# embedded server is killed; and the network between the functions, PostgREST and Postgres misbehaves. Run tests/native/install.sh once before. Root is needed for small disks to fill: without it, the
# native one is left out and the embedded one fails. Options go to vitest: `embedded` runs what needs no native stack, `native network clock` the rest.
set -euo pipefail
cd "$(dirname "$0")/../.."

# These need no stack.
if [[ $* == embedded ]]; then exec npx vitest run --project faults embedded; fi

. tests/native/prepare.sh

# The stack on a disk of its own, of 1.5 GB in memory.
mkdir "$WORK/disk"
unmount() {
  umount "$WORK/disk" 2>/dev/null || true
}
if mount -t tmpfs -o size=1500m,mode=755 tmpfs "$WORK/disk" 2>/dev/null; then
  export STACK_HAS_OWN_DISK=1
  trap 'tests/native/stack.sh stop --dir "$WORK/disk/stack" >/dev/null 2>&1; unmount; finish' EXIT
else
  echo "-- a disk of its own cannot be mounted: what happens when it is full is not tested"
  trap 'tests/native/stack.sh stop --dir "$WORK/disk/stack" >/dev/null 2>&1; finish' EXIT
fi
start_stack --dir "$WORK/disk/stack"
export STACK_DIR=$WORK/disk/stack
npx vitest run --project faults "$@"
