#!/usr/bin/env bash
# Generates the client's types from the OpenAPI document. With --check it writes nothing, and fails when they are stale.
set -euo pipefail
cd "$(dirname "$0")/.."

generator=$(scripts/tool.sh openapi-typescript)
output=packages/client/src/schema.generated.ts
# Without options, as strangers run it: what a request may leave out has to be optional by the document alone.
exec "$generator" functions/openapi/openapi.json --output "$output" "$@"
