#!/usr/bin/env bash
# Generates the client's types from the OpenAPI document. With --check it writes nothing, and fails when they are stale.
set -euo pipefail
cd "$(dirname "$0")/.."

generator=$(scripts/tool.sh openapi-typescript)
output=packages/client/src/schema.generated.ts
# A parameter with a default is still optional in a request.
exec "$generator" functions/openapi/openapi.json --default-non-nullable=false --output "$output" "$@"
