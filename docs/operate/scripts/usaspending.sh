#!/bin/sh
# Asks USAspending for the contracts and assistance of the last two weeks, waits until the file is made, and imports it. Run it weekly.
set -eu
data=${FUNDING_DATA:-$HOME/funding-data}
mkdir -p "$data"
api=https://api.usaspending.gov/api/v2/download
request='{"filters": {"award_type_codes": ["A", "B", "C", "D", "02", "03", "04", "05", "07", "08"],
  "time_period": [{"start_date": "'$(date -u -d '14 days ago' +%F)'", "end_date": "'$(date -u +%F)'"}]}, "file_format": "csv"}'
answer=$(curl --fail -sS -H 'Content-Type: application/json' -d "$request" "$api/awards/")
name=$(echo "$answer" | jq -r .file_name)
tries=0
until curl -sS "$api/status?file_name=$name" | grep -q '"status": *"\(finished\|failed\)"'; do
  tries=$((tries + 1))
  [ "$tries" -lt 240 ] || { echo "not made within an hour"; exit 1; }
  sleep 15
done
curl --fail -sS --remote-time -o "$data/usaspending.zip" "$(echo "$answer" | jq -r .file_url)"
rm -f "$data"/*_PrimeAwardSummaries* # of last week: of an award that several files of an import have, the first counts
unzip -o -q -d "$data" "$data/usaspending.zip" '*_PrimeAwardSummaries*'
npm run import -- usaspending "$data"/*_PrimeAwardSummaries*.csv
