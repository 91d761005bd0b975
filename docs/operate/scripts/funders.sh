#!/bin/sh
# Fetches this year's index of the IRS and imports the private foundations: each other return would be a rejected row. Run it monthly.
set -eu
data=${FUNDING_DATA:-$HOME/funding-data}
mkdir -p "$data"
year=$(date -u +%Y)
curl --fail -sS --remote-time -o "$data/index.csv" "https://apps.irs.gov/pub/epostcard/990/xml/$year/index_$year.csv"
grep -E '^RETURN_ID|,990PF,' "$data/index.csv" > "$data/irs-990pf.csv"
npm run import -- irs-990pf "$data/irs-990pf.csv"
