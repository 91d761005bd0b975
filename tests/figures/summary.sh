#!/usr/bin/env bash
# The goals of docs/performance.md beside what is measured now, on a native stack of its own: npm run bench -- --summary. Run
# tests/native/install.sh once before. summary.sh [OPTION...]: its options, such as --history FILE
# or --page docs. 38 to 103 minutes on two cores, as fast as they are.
set -euo pipefail
cd "$(dirname "$0")/../.."

. tests/native/prepare.sh
start_empty_stack
DATA_DIR=$WORK/data npm run --silent bench -- --database-url "$DATABASE_URL" --summary "$@"
