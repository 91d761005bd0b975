#!/usr/bin/env bash
# The README's two commands on other versions of Node than this machine's: npm ci, npm start until it answers, npm test, in a copy of the
# checkout. run.sh [22|24 ...]: both, if none is named. NODE_ONLY=1 runs the tests that have a chance to differ.
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

# What NODE_ONLY runs: the tests of what uses Node's own modules (HTTP, sockets, streams, files, processes, cryptography, compression, Intl), of what
# Node itself runs (the launcher, builds, the client), and some requests of each kind. What Postgres answers is the same WebAssembly on each version.
node_only=(
  contract/{errors,http,lists,mcp,openapi-document,requests,required,supabase-js}
  service/{command-line,command-line-listen,csv-answers,csv-streams,health,log,metrics,off,overload,runtimes,sign-in,storage-bucket}
  security/headers webhooks/{addresses,delivery,one-truth}
  unit/{account,auth,client,documents,embedded,endpoint,http,links,log,mail,overload,platform,status,supply-chain,usage,web}/'*'
  unit/dashboard/{build,encoding,explorer-code,request,requests,serve,webhook-verify} unit/database/{pglite-faults,replicas}
  unit/ingest/{command,csv,date,documents/{archive,docx,html,pdf,xlsx},files,json,json-records,lines,ndjson,xml,xml-readers}
)
files=()
if [[ -n ${NODE_ONLY:-} ]]; then
  node_only=("${node_only[@]/#/tests/}")
  listed=$(git ls-files --error-unmatch "${node_only[@]/%/.test.ts}")
  mapfile -t files <<<"$listed"
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
