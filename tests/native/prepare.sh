# A native stack with demo records and three keys; sourced, from the repository's root, by the suites that run on one.
# Sets DATABASE_URL, SUPABASE_URL, SUPABASE_SERVICE_ROLE_KEY, STRIPE_..., DASHBOARD_URL, METRICS_SECRET, AUTH_ISSUER, AUTH_SIGNING_KEY, API_KEY, LIMITED_API_KEY and
# FREE_API_KEY, and WORK, a scratch folder. When the script ends, so does all that was started, by its pid.

WORK=$(mktemp -d)
STARTED=()

finish() {
  local pid
  for pid in ${STARTED[@]+"${STARTED[@]}"}; do
    kill "$pid" 2>/dev/null || continue
    wait "$pid" 2>/dev/null || true
  done
  tests/native/stack.sh stop --dir "$WORK/stack" >/dev/null 2>&1 || true
  rm -rf "$WORK"
}
trap finish EXIT

# start_stack OPTION... takes the options of stack.sh.
start_stack() {
  local template
  template=$(tests/native/template.sh $(template_options "$@"))
  start_empty_stack --template "$template/data" "$@"
  . "$template/keys"
  # The template may be hours old: its bounded clock would take that for a jump.
  "$postgres_bin/psql" "$database_url" -XAtqc 'select funding.confirm_clock()' >/dev/null
  echo "-- demo records on Postgres $("$postgres_bin/psql" "$database_url" -XAtc 'show server_version')"
  export API_KEY LIMITED_API_KEY FREE_API_KEY
}

# start_empty_stack OPTION... starts one without a schema, and sets no keys.
start_empty_stack() {
  chmod 755 "$WORK"
  tests/native/stack.sh start --dir "$WORK/stack" "$@" >"$WORK/stack.env"
  . "$WORK/stack.env"
  export DATABASE_URL=$database_url SUPABASE_URL=$supabase_url SUPABASE_SERVICE_ROLE_KEY=$service_role_key
  export STRIPE_WEBHOOK_SECRET=whsec_for_tests_alone METRICS_SECRET=metrics-secret-of-the-tests
  # The contract suite listens there in Stripe's place.
  STRIPE_API_URL=http://127.0.0.1:$(free_port)
  export STRIPE_API_URL STRIPE_SECRET_KEY=sk_test_ofTheContractTests1 DASHBOARD_URL=https://dashboard.contract.example
  export AUTH_ISSUER=$supabase_url/auth/v1 AUTH_SIGNING_KEY=$auth_signing_key
  WEBHOOK_SECRETS_KEY=$(head -c 32 /dev/urandom | base64)
  export WEBHOOK_SECRETS_KEY
}

# show_faults LOG shows what went wrong beneath tests that failed: the last warnings and errors in a log of the functions, and Postgres's deadlocks.
show_faults() {
  grep -aE '"level":"(warning|error)"' "$1" | tail -20 || tail -20 "$1"
  grep -aA 8 'deadlock detected' "$WORK/stack/log/postgres.log" | tail -40 || true
}

# Those of stack.sh's options that decide what a template holds.
template_options() {
  while (($# > 0)); do
    case "$1" in
      --legacy-grants) echo "$1" ;;
      --postgres) echo "$1 ${2:-}" ;;
    esac
    shift
  done
}

free_port() {
  node -e 'const s=require("net").createServer().listen(0,"127.0.0.1",()=>{console.log(s.address().port);s.close()})'
}

# spawn LOG COMMAND... starts a process that ends with this script.
spawn() {
  local log=$1
  shift
  "$@" >"$WORK/$log" 2>&1 &
  STARTED+=($!)
}

# until_it_answers BASE_URL waits until the functions there reach the database.
until_it_answers() {
  local attempt
  for ((attempt = 0; attempt < 150; attempt++)); do
    [[ $(curl -s -o /dev/null -w '%{http_code}' -H "Authorization: Bearer $API_KEY" "$1/grants-api?limit=1") == 200 ]] && return
    sleep 0.2
  done
  echo "nothing answers at $1" >&2
  return 1
}
