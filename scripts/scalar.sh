#!/usr/bin/env bash
# Fetches reference/scalar.js: one file of 4 MB out of a package that takes 287 MB with its dependencies, too much for `npm ci`.
# With --check it writes nothing, and fails when the file is not the package's.
set -euo pipefail
cd "$(dirname "$0")/.."

package=@scalar/api-reference@1.72.1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
tarball=$(npm pack --silent --pack-destination "$scratch" "$package")
tar -xzf "$scratch/$tarball" -C "$scratch" package/dist/browser/standalone.js
if [[ ${1:-} == --check ]]; then
  cmp "$scratch/package/dist/browser/standalone.js" reference/scalar.js
else
  cp "$scratch/package/dist/browser/standalone.js" reference/scalar.js
fi
