#!/usr/bin/env bash
# The README's two commands on other versions of Node than this machine's: npm ci, npm start until it answers, npm test, in a copy of the
# checkout. run.sh [22|24 ...]: both, if none is named. NODE_ONLY=1 leaves out the tests that have no chance to differ.
set -euo pipefail
cd "$(dirname "$0")/../.."

scratch=$(mktemp -d)
server=
finish() {
  if [[ -n $server ]]; then kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; fi
  rm -rf "$scratch"
}
trap finish EXIT

free_port() {
  node -e 'const server = net.createServer().listen(0, "127.0.0.1", () => { console.log(server.address().port); server.close(); })'
}

# but NAME... is the pattern, after a folder, of all its files but these.
but() { local IFS='|'; echo "(?!($*)\.test)"; }

# What NODE_ONLY leaves out: what Postgres answers, which is the same WebAssembly on each version; how texts of records are read; Git's commits.
# What remains uses Node's own modules (HTTP, sockets, streams, files, processes, cryptography, Intl), builds the dashboard, is about the clients,
# takes little time, or sends some requests of each kind. A new file of a folder with `but` is left out until it is named.
left_out=(
  'accounts/' 'clock/' 'embeddings/' 'ingest/' 'retention/' 'sql/'
  "contract/$(but account auth checkout common-grants errors health http known-lists lists mcp openapi-document requests required semantic-search supabase-js)"
  "service/$(but billing command-line command-line-listen csv-answers csv-streams health log metrics off overload runtimes sign-in storage-bucket)"
  "webhooks/$(but addresses delivery one-truth result-writer)"
  'catalogue/(crawl/|lists|suggestions)' 'saved-searches/account-api'
  'unit/bench/(export|queries)' 'unit/database/(declarations|functions-migration|schema-faults)' 'unit/scripts/subjects'
  "unit/ingest/$(but command csv date documents/{archive,docx,html,pdf} files json json-records lines ndjson sources xml xml-readers)"
)
# Vitest takes no --exclude for a project that has its own.
files=()
if [[ -n ${NODE_ONLY:-} ]]; then
  pattern=$(printf '|%s' "${left_out[@]}")
  mapfile -t files < <(git ls-files 'tests/*.test.ts' | grep -vP "^tests/(${pattern:1})")
fi

for major in "${@:-22 24}"; do
  for version in $major; do
    node=$(scripts/tool.sh "node$version")
    folder=$scratch/$version
    mkdir "$folder"
    git ls-files -z | xargs -0 cp --parents -t "$folder" --no-dereference
    (
      cd "$folder"
      export PATH=$(dirname "$node"):$PATH
      echo "== Node $(node --version)"
      npm ci --no-audit --no-fund --loglevel=error
    )
    port=$(free_port)
    PATH=$(dirname "$node"):$PATH PORT=$port npm --prefix "$folder" start >"$scratch/start.log" 2>&1 &
    server=$!
    for ((waited = 0; ; waited++)); do
      if grep -q '^api_key=' "$scratch/start.log" && curl --silent --fail "http://127.0.0.1:$port/functions/v1/health/ready"; then break; fi
      if ((waited == 300)) || ! kill -0 "$server" 2>/dev/null; then cat "$scratch/start.log"; exit 1; fi
      sleep 1
    done
    echo
    kill "$server"
    wait "$server" || { echo "npm start did not end well"; cat "$scratch/start.log"; exit 1; }
    server=
    (cd "$folder" && PATH=$(dirname "$node"):$PATH npm test --silent -- ${files[@]+"${files[@]}"})
    rm -rf "$folder"
  done
done
