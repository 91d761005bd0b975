#!/bin/sh
# Fetches what the publishers have today and imports it. One source's failure does not stop the others.
set -u
data=${FUNDING_DATA:-$HOME/funding-data}
mkdir -p "$data/rejects"
failures=0

# fetch FILE URL: the file appears whole or not at all, with its publisher's time: data_as_of is read off it.
fetch() {
  curl --fail --silent --show-error --location --remote-time --retry 3 --retry-delay 30 \
    --output "$data/$1.part" "$2" && mv "$data/$1.part" "$data/$1"
}

# take SOURCE FILE...: 0 is well, 3 means that some rows were rejected and the rest is in.
take() {
  npm run --silent import -- "$@" --rejects "$data/rejects/$1.ndjson"
  status=$?
  case $status in
    0 | 3) ;;
    4) echo "$1: refused to archive so much; see docs/operate/import-daily.md"; failures=$((failures + 1)) ;;
    *) echo "$1: failed with status $status"; failures=$((failures + 1)) ;;
  esac
}

failed() { echo "$1: not fetched"; failures=$((failures + 1)); }

# Grants.gov: today's extract, else yesterday's. Its days are Washington's.
extracts=https://prod-grants-gov-chatbot.s3.amazonaws.com/extracts
today=$(TZ=America/New_York date +%Y%m%d)
yesterday=$(TZ=America/New_York date -d yesterday +%Y%m%d)
if fetch grants-gov.zip "$extracts/GrantsDBExtract${today}v2.zip" ||
  fetch grants-gov.zip "$extracts/GrantsDBExtract${yesterday}v2.zip"; then
  take grants-gov "$data/grants-gov.zip"
else failed grants-gov; fi

# SAM.gov: every active notice.
if fetch sam-gov.csv \
  "https://s3.amazonaws.com/falextracts/Contract%20Opportunities/datagov/ContractOpportunitiesFullCSV.csv"; then
  take sam-gov "$data/sam-gov.csv"
else failed sam-gov; fi

# NSF: what was awarded in the last week, in pages of 25.
from=$(date -u -d '7 days ago' +%m/%d/%Y)
rm -f "$data"/nsf-*.json
offset=1
while :; do
  fetch "nsf-$offset.json" "https://api.nsf.gov/services/v1/awards.json?dateStart=$from&rpp=25&offset=$offset" ||
    { failed nsf; break; }
  grep -q '"id"' "$data/nsf-$offset.json" || break
  offset=$((offset + 25))
done
rm -f "$data/nsf-$offset.json" # the page after the last
[ "$offset" -gt 1 ] && take nsf "$data"/nsf-*.json

# APIs of the CommonGrants protocol: addresses with spaces between them; COMMON_GRANTS_API_KEY goes to each. On Sundays their whole lists, to
# archive what they lack.
for address in ${COMMON_GRANTS:-}; do
  case $(date -u +%u) in
    7) take common-grants "$address" --full ;;
    *) take common-grants "$address" ;;
  esac
done

# The catalogue as files, where SNAPSHOTS says where: a folder, supabase:BUCKET or r2:BUCKET.
if [ -n "${SNAPSHOTS:-}" ]; then
  npm run --silent snapshot -- "$SNAPSHOTS" --keep 14 || { echo "snapshot: failed"; failures=$((failures + 1)); }
fi

# An hour of checks of records' links, each weekly: what the hour does not suffice for comes tomorrow.
if [ "${LINKS_MINUTES:-60}" != 0 ]; then
  npm run --silent links -- --minutes "${LINKS_MINUTES:-60}" || { echo "links: failed"; failures=$((failures + 1)); }
fi

exit "$failures"
