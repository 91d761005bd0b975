#!/usr/bin/env bash
# Runs each command that the documents name a figure of, with few records and rounds: whether it runs, not what it measures. Run
# tests/native/install.sh once before. FIGURES="NAME ..." runs some alone. A command that fails does not keep the others from running.
set -euo pipefail
cd "$(dirname "$0")/../.."

. tests/native/prepare.sh
start_stack
started=$SECONDS
failed=()
times=()

# figure NAME COMMAND... runs a command, for twenty minutes at most, unless FIGURES names others.
figure() {
  local name=$1 before=$SECONDS
  shift
  if [[ -n ${FIGURES:-} && " $FIGURES " != *" $name "* ]]; then return; fi
  printf '\n== %s\n' "$name"
  timeout --kill-after 10 1200 "$@" </dev/null || failed+=("$name")
  times+=("$(printf '%5d s  %s' $((SECONDS - before)) "$name")")
}

postgres=(--database-url "$DATABASE_URL")
brief=(--rounds 1 --slice 100)
# `npm run` passes a signal to a shell that does not pass it on; `timeout` ends the whole group.
# All cases that have a goal, and the page of a copy of the docs.
mkdir "$WORK/docs"
cp docs/performance.md docs/figures.json docs/speed-history.json "$WORK/docs"
DATA_DIR=$WORK/data figure bench-summary npm run --silent bench -- "${postgres[@]}" --rows 1500 "${brief[@]}" --summary \
  --history "$WORK/speed-history.json" --page "$WORK/docs"
# modes: the summary leaves out its kinds of searches and pgbench.
for case in modes awards embeddings documents; do
  figure "bench-$case" npm run --silent bench -- "${postgres[@]}" --rows 1500 "${brief[@]}" --only "$case"
done
figure bench-replicas tests/replicas/bench.sh --rows 1500 "${brief[@]}"
for case in suggest embedded-churn; do
  DATA_DIR=$WORK/data figure "bench-$case" npm run --silent bench -- --rows 1500 "${brief[@]}" --only "$case"
done

native=("${postgres[@]}" --supabase-url "$SUPABASE_URL" --service-key "$SUPABASE_SERVICE_ROLE_KEY")
figure bench:webhooks npm run --silent bench:webhooks -- "${native[@]}" --events 200 --records 500
figure bench:import npm run --silent bench:import -- "${postgres[@]}" --opportunities 300
figure bench:retention npm run --silent bench:retention -- "${postgres[@]}" --months 1 --requests 200 --keys 10 --changes 100
figure bench:soak npm run --silent bench:soak -- "${postgres[@]}" --rows 1000 --minutes 2 --report-every 1 --import-every 1
figure bench:keys env LOG_LEVEL=off npm run --silent bench:keys -- 20
figure bench:usage npm run --silent bench:usage -- --keys 5 --days 3
figure bench:cold-start npm run --silent bench:cold-start -- 1
figure bench:first-start npm run --silent bench:first-start -- --rounds 1 --busy 1
figure test:load npm run --silent test:load -- --stack native --seconds 2 --beside-postgrest

# Two subjects, in the form of BEIR.
mkdir -p "$WORK/rivers/qrels"
cat >"$WORK/rivers/corpus.jsonl" <<'JSON'
{"_id": "salmon", "title": "", "text": "Salmon return to rivers where dams were removed"}
{"_id": "rivers", "title": "Rivers", "text": "Restoring rivers and streams for fish"}
{"_id": "fish", "title": "Fish", "text": "Fish in streams and rivers"}
{"_id": "roads", "title": "Roads", "text": "Paving roads and repairing bridges"}
{"_id": "bridges", "title": "Bridges", "text": "Repairing bridges on county roads"}
{"_id": "paving", "title": "Paving", "text": "Paving county roads with asphalt"}
JSON
printf '{"_id": "1", "text": "salmon"}\n{"_id": "2", "text": "asphalt"}\n' >"$WORK/rivers/queries.jsonl"
printf 'query-id\tcorpus-id\tscore\n1\tsalmon\t1\n2\tpaving\t1\n' >"$WORK/rivers/qrels/test.tsv"
judged=()
if [[ -d ../shared/data ]]; then judged=(--judged); fi
figure relevance npm run --silent relevance -- "$WORK/rivers" --mixed --worst "${judged[@]}"
figure relevance-parts npm run --silent relevance -- "$WORK/rivers" --parts
figure calibrate npm run --silent calibrate -- "$WORK/rivers" --mixed

first_load() {
  local port lines
  tests/browser/install.sh
  port=$(free_port)
  DATA_DIR=$WORK/first-load PORT=$port spawn first-load.log npm --silent start
  for ((tries = 0; tries < 300; tries++)); do
    if grep -q '^curl' "$WORK/first-load.log"; then break; fi
    sleep 1
  done
  value() { sed -n "s/^$1=//p" "$WORK/first-load.log"; }
  # Without a request, the overview has no chart.
  curl -fsS -o /dev/null -H "Authorization: Bearer $(value api_key)" "$(value base_url)/grants-api?limit=1"
  CHROMIUM=$(command -v chromium-headless-shell) VISITS=1 timeout 300 npm run --silent bench:first-load -- "http://127.0.0.1:$port" "$(value sign_in_link)"
}
if [[ -z ${FIGURES:-} || " $FIGURES " == *" bench:first-load "* ]]; then
  printf '\n== bench:first-load\n'
  before=$SECONDS
  first_load || failed+=(bench:first-load)
  times+=("$(printf '%5d s  %s' $((SECONDS - before)) bench:first-load)")
fi

printf '\n== %s s in all\n' $((SECONDS - started))
printf '%s\n' "${times[@]}"
if ((${#failed[@]} > 0)); then
  printf 'FAILED: %s\n' "${failed[*]}" >&2
  exit 1
fi
