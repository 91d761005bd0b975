#!/usr/bin/env bash
# Prints the path of a large tool at its pinned version, fetched from npm once per machine: tool.sh NAME
# They are no devDependencies: `npm ci` is the first thing a newcomer waits for, and few changes need them.
set -euo pipefail

case "${1:-}" in
  supabase) package=supabase@3.1.0 program=node_modules/.bin/supabase ;;
  wrangler) package=wrangler@4.86.0 program=node_modules/wrangler/bin/wrangler.js ;;
  # The one that wrangler bundles with, so what it weighs is what is deployed.
  esbuild) package=wrangler@4.86.0 program=node_modules/.bin/esbuild ;;
  redocly) package=@redocly/cli@2.77.0 program=node_modules/.bin/redocly ;;
  # The plainest build: it runs on processors without AVX2 too.
  bun) package=@oven/bun-linux-x64-baseline@1.4.5 program=node_modules/@oven/bun-linux-x64-baseline/bin/bun ;;
  openapi-typescript) package=openapi-typescript@7.13.0 program=node_modules/.bin/openapi-typescript ;;
  *)
    echo "usage: tool.sh supabase|wrangler|esbuild|redocly|openapi-typescript|bun" >&2
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
