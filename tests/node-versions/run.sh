#!/usr/bin/env bash
# The README's two commands on other versions of Node than this machine's: npm ci, npm start until it answers, npm test, in a copy of the
# checkout. run.sh [22|24 ...]: both, if none is named.
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
    (cd "$folder" && PATH=$(dirname "$node"):$PATH npm test --silent)
    rm -rf "$folder"
  done
done
