#!/usr/bin/env bash
# Changes TypeScript in small ways with Stryker, one at a time ("<" to "<=", a condition to "true", a block left out), and runs the unit tests
# that reach each change. Prints those that no test notices. In a copy of the working tree, which it deletes.
#
# usage: npm run test:mutation:typescript -- [FILES]
#   FILES  by default shared/overload/**/*.ts and shared/lru-cache.ts (300 changes, five minutes); `shared/csv/write.ts:10-40` is a part of one
set -euo pipefail
cd "$(dirname "$0")/../.."

if [[ ${1:-} == --help ]]; then
  sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0"
  exit
fi
files="${*:-shared/overload/**/*.ts shared/lru-cache.ts}"

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
git ls-files --cached --others --exclude-standard -z | xargs -0 cp --parents --target-directory="$copy"
cp -r node_modules "$copy"
cd "$copy"
# Of npm: the folder of the caller, from which commands take relative paths.
unset INIT_CWD
npm install --no-save --ignore-scripts --no-audit --no-fund --loglevel=error @stryker-mutator/core@9.6.1 @stryker-mutator/vitest-runner@9.6.1

cat >vitest.mutation.config.ts <<'CONFIG'
import { defineConfig } from "vitest/config";

// Those that open no database: each change would wait for one.
export default defineConfig({
  test: {
    include: ["tests/unit/**/*.test.ts"],
    exclude: ["tests/unit/database/**", "tests/unit/embedded/**", "tests/unit/lexicon/**", "tests/unit/ingest/bounds.test.ts"],
    pool: "threads",
    // The first run of all tests is with coverage, and may be beside other work.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    env: { PROPERTIES: "brief" },
  },
});
CONFIG
FILES=$files node --input-type=module >stryker.config.json <<'CONFIG'
console.log(
  JSON.stringify({
    testRunner: "vitest",
    plugins: ["@stryker-mutator/vitest-runner"],
    vitest: { configFile: "vitest.mutation.config.ts", related: true },
    mutate: process.env.FILES.split(" "),
    // Stryker 9 cannot read one with TypeScript 7; Vitest needs none.
    tsconfigFile: "none.json",
    disableTypeChecks: false,
    ignoreStatic: true,
    coverageAnalysis: "perTest",
    timeoutMS: 20_000,
    reporters: ["clear-text"],
    allowConsoleColors: false,
  }),
);
CONFIG
node_modules/.bin/stryker run
