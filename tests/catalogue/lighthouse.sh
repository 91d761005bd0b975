#!/usr/bin/env bash
# Lighthouse's scores of the public catalogue's search page and of a record of each kind, on a server that runs. Fails where one is below 95. Lighthouse
# is no dependency of the project: npx brings it.
# usage: npm run test:lighthouse -- [ORIGIN]
set -euo pipefail
cd "$(dirname "$0")/../.."
origin=${1:-http://127.0.0.1:54321}
tests/browser/install.sh
folder=$(mktemp -d)
chromium-headless-shell --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync --disable-background-networking \
  --disable-component-update --remote-debugging-port=0 --user-data-dir="$folder/profile" about:blank 2>"$folder/chromium.log" &
chromium=$!
trap 'kill $chromium 2>/dev/null; wait $chromium 2>/dev/null || true; rm -rf "$folder"' EXIT
until port=$(grep -oP 'ws://127.0.0.1:\K[0-9]+' "$folder/chromium.log" 2>/dev/null); do sleep 0.2; done

# First link of a page to a record of a kind.
link() { curl -sf "$origin$1" | grep -oP "href=\"\K/$2/[^\"]*" | head -1 || true; }

grant=$(link /funding grants)
worst=0
for path in /funding "$grant" "$(link '/funding?dataset=contracts' contracts)" "$(link "$grant" funders)"; do
  [[ -n $path ]] || continue
  npx --yes lighthouse@12 "$origin$path" --port="$port" --quiet --output=json --output-path="$folder/report.json"
  node -e '
    const { categories, audits } = JSON.parse(require("node:fs").readFileSync(process.argv[2], "utf8"));
    const scores = Object.values(categories).map(({ title, score }) => [title, Math.round(score * 100)]);
    const lcp = audits["largest-contentful-paint"].displayValue;
    console.log(`${process.argv[1]}: ${scores.map((one) => one.join(" ")).join(", ")}; largest paint after ${lcp}`);
    if (scores.some(([, score]) => score < 95)) process.exitCode = 1;
  ' "$path" "$folder/report.json" || worst=1
done
exit $worst
