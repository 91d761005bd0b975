#!/usr/bin/env bash
# The goals of docs/performance.md beside what is measured now, on a native stack of its own: npm run bench -- --summary. Run
# tests/native/install.sh once before. summary.sh [FILE]: a history to which the run is added. Half an hour on two cores.
set -euo pipefail
cd "$(dirname "$0")/../.."

. tests/native/prepare.sh
start_empty_stack
DATA_DIR=$WORK/data npm run --silent bench -- --database-url "$DATABASE_URL" --summary ${1:+--history "$1"}
