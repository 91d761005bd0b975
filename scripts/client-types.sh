#!/usr/bin/env bash
# Writes the client's types from the OpenAPI document. With --check it writes nothing, and fails when they are stale.
set -euo pipefail
cd "$(dirname "$0")/.."

generator=$(scripts/tool.sh openapi-typescript)
output=packages/client/src/schema.generated.ts
# A parameter's default is what the API does without it, not something that every request must say.
exec "$generator" functions/openapi/openapi.json --default-non-nullable=false --output "$output" "$@"
