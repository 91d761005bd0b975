#!/usr/bin/env bash
# A throw-away Supabase without Docker: Postgres, PostgREST and a gateway. Run install.sh once before; see README.md.
set -euo pipefail
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
readonly HERE
source "$HERE/lib.sh"
source "$HERE/processes.sh"

readonly DATABASE=funding
readonly MARKER=.funding-native-stack

DIR= PORT= REST_PORT= GATEWAY_PORT= TEMPLATE= LEGACY_GRANTS= CRON= MAJOR= PRIMARY=
# Command prefix to become the user that Postgres runs as: it refuses root.
AS_POSTGRES=()

usage() {
  say "usage: stack.sh start [--postgres 15|17] [--dir DIR] [--port N] [--rest-port M] [--gateway-port G] [--legacy-grants]"
  say "                      [--cron] [--template DIR | --replica-of DIR]"
  say "       stack.sh stop|status [--dir DIR]"
  exit 2
}

parse_options() {
  while (($# > 0)); do
    case "$1" in
      --legacy-grants) LEGACY_GRANTS=1 && shift && continue ;;
      --cron) CRON=1 && shift && continue ;;
      --postgres | --dir | --port | --rest-port | --gateway-port | --template | --replica-of) (($# > 1)) || usage ;;
      *) usage ;;
    esac
    case "$1" in
      --postgres) MAJOR=$2 ;;
      --dir) DIR=$(realpath -m "$2") ;;
      --port) PORT=$2 ;;
      --rest-port) REST_PORT=$2 ;;
      --gateway-port) GATEWAY_PORT=$2 ;;
      --template) TEMPLATE=$2 ;;
      --replica-of) PRIMARY=$(realpath -m "$2") ;;
    esac
    shift 2
  done
}

random_hex() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }

port_is_free() { ! (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# Below the range Linux hands to outgoing connections, so a client elsewhere cannot take the port between our look and our use.
free_port() {
  local port
  while true; do
    port=$((20000 + RANDOM % 12000))
    if port_is_free "$port"; then
      echo "$port"
      return
    fi
  done
}

choose_ports() {
  local port
  GATEWAY_PORT=${GATEWAY_PORT:-${REST_PORT:+$((REST_PORT + 1))}}
  for port in $PORT $REST_PORT $GATEWAY_PORT; do
    port_is_free "$port" || die "port $port is in use"
  done
  PORT=${PORT:-$(free_port)}
  REST_PORT=${REST_PORT:-$(free_port)}
  GATEWAY_PORT=${GATEWAY_PORT:-$(free_port)}
  ADMIN_PORT=$(free_port)
}

prepare_dir() {
  if [[ -z $DIR ]]; then
    DIR=$(mktemp -d "${TMPDIR:-/tmp}/funding-native.XXXXXX")
  elif [[ -e $DIR/$MARKER ]]; then
    die "$DIR already holds a stack: stop it first with stack.sh stop --dir $DIR"
  elif [[ -n $(ls -A "$DIR" 2>/dev/null) ]]; then
    die "$DIR is not empty, and stop would remove it"
  fi
  mkdir -p "$DIR"
  trap abandon_start EXIT
  touch "$DIR/$MARKER"
  # The Postgres user passes through to its own folder; everything else in here is for the caller alone.
  chmod 711 "$DIR"
  mkdir -m 700 "$DIR/pids" "$DIR/log" "$DIR/data"
}

abandon_start() {
  local log
  for log in "$DIR"/log/*.log; do
    [[ -s $log ]] || continue
    say "--- the end of $(basename "$log")"
    tail -n 15 "$log" >&2
  done
  stop_all
  rm -rf "$DIR"
}

# Without --dir, stop and status mean the one stack that start put in the default place.
find_dir() {
  local found=()
  if [[ -z $DIR ]]; then
    mapfile -t found < <(compgen -G "${TMPDIR:-/tmp}/funding-native.*/$MARKER")
    ((${#found[@]} > 0)) || die "no stack found; say which with --dir"
    ((${#found[@]} == 1)) || die "several stacks found; say which with --dir: ${found[*]%/*}"
    DIR=${found[0]%/*}
  fi
  [[ -e $DIR/$MARKER ]] || die "$DIR holds no stack"
}

choose_postgres_user() {
  if ((EUID != 0)); then return; fi
  AS_POSTGRES=(setpriv --reuid=postgres --regid=postgres --init-groups --)
  chown postgres "$DIR/data"
  "${AS_POSTGRES[@]}" test -w "$DIR/data" || die "the user postgres cannot reach $DIR: choose a folder under /tmp"
}

create_cluster() {
  local password_file="$DIR/data.password"
  install -m 600 /dev/null "$password_file"
  if ((EUID == 0)); then chown postgres "$password_file"; fi
  echo "$SUPERUSER_PASSWORD" >"$password_file"
  # Not syncing the fresh files saves a second; the running server syncs as always.
  "${AS_POSTGRES[@]}" "$POSTGRES_BIN/initdb" --pgdata="$DIR/data" --username=postgres --pwfile="$password_file" \
    --auth=scram-sha-256 --encoding=UTF8 --locale=C.UTF-8 --no-sync >"$DIR/log/initdb.log" 2>&1
  rm "$password_file"
}

# A copy of a stopped cluster of another stack, with passwords of its own. It has that one's grants.
copy_cluster() {
  [[ $(cat "$TEMPLATE/PG_VERSION") == "$POSTGRES_MAJOR" ]] || die "$TEMPLATE is not of Postgres $POSTGRES_MAJOR"
  cp -a --reflink=auto "$TEMPLATE/." "$DIR/data"
  "${AS_POSTGRES[@]}" "$POSTGRES_BIN/postgres" --single -D "$DIR/data" postgres >"$DIR/log/passwords.log" 2>&1 <<SQL
alter role postgres password '$SUPERUSER_PASSWORD'
alter role authenticator password '$AUTHENTICATOR_PASSWORD'
SQL
}

# A copy of the running cluster of another stack, which follows that one: a hot standby.
copy_primary() {
  local primary_port
  primary_port=$(sed -n 's/^port = //p' "$PRIMARY/data/postgresql.conf" | tail -n 1)
  PGPASSWORD=$SUPERUSER_PASSWORD "${AS_POSTGRES[@]}" "$POSTGRES_BIN/pg_basebackup" --pgdata="$DIR/data" --checkpoint=fast --no-sync \
    --dbname="host=127.0.0.1 port=$primary_port user=postgres application_name=$(basename "$DIR")" --write-recovery-conf --wal-method=stream \
    >"$DIR/log/basebackup.log" 2>&1
}

# pgvector's parallel index build asks for maintenance_work_mem of shared memory, and containers often have only 64 MB of it.
shared_memory_type() {
  local free_kb
  free_kb=$(df --output=avail -k /dev/shm 2>/dev/null | tail -n 1)
  if ((${free_kb:-0} > 1048576)); then echo posix; else echo mmap; fi
}

# As for a server of two cores and 8 GB: a quarter of it for shared buffers, as Postgres's manual advises, in which 79,700 grants
# have room. What is not used is not taken. Planner settings are those of a hosted project on SSD.
configure_cluster() {
  cat >>"$DIR/data/postgresql.conf" <<CONF
listen_addresses = '127.0.0.1'
port = $PORT
unix_socket_directories = ''
max_connections = 100
shared_buffers = 2GB
maintenance_work_mem = 512MB
work_mem = 8MB
effective_cache_size = 6GB
dynamic_shared_memory_type = $(shared_memory_type)
max_wal_size = 2GB
checkpoint_timeout = 15min
random_page_cost = 1.1
max_parallel_workers = 2
max_parallel_maintenance_workers = 2
fsync = on
timezone = 'UTC'
log_timezone = 'UTC'
log_line_prefix = '%m [%p] %u '
# As in hosted projects. The tests of planning read it.
shared_preload_libraries = 'pg_stat_statements'
CONF
  if [[ -z $CRON ]]; then return; fi
  # Background workers need no password. pg_cron holds a connection to the database, which then cannot be dropped.
  cat >>"$DIR/data/postgresql.conf" <<CONF
shared_preload_libraries = 'pg_stat_statements,pg_cron'
cron.database_name = '$DATABASE'
cron.use_background_workers = on
CONF
}

as_superuser() {
  local program=$1
  shift
  PGPASSWORD=$SUPERUSER_PASSWORD AUTHENTICATOR_PASSWORD=$AUTHENTICATOR_PASSWORD PGHOST=127.0.0.1 PGPORT=$PORT PGUSER=postgres \
    "$POSTGRES_BIN/$program" --no-password "$@"
}

start_postgres() {
  choose_postgres_user
  if [[ -n $PRIMARY ]]; then
    copy_primary
  elif [[ -n $TEMPLATE ]]; then
    copy_cluster
  else
    create_cluster
  fi
  configure_cluster
  spawn postgres "${AS_POSTGRES[@]}" "$POSTGRES_BIN/postgres" -D "$DIR/data"
  wait_for postgres 60 as_superuser psql --dbname=postgres --command='select 1'
  if [[ -n $TEMPLATE$PRIMARY ]]; then return; fi
  as_superuser createdb "$DATABASE"
  as_superuser psql --no-psqlrc --quiet --dbname="$DATABASE" --file="$HERE/roles.sql" --file="$HERE/../../local/auth/schema.sql"
  if [[ -n $LEGACY_GRANTS ]]; then
    as_superuser psql --no-psqlrc --quiet --dbname="$DATABASE" --file="$HERE/legacy-grants.sql"
  fi
}

configure_postgrest() {
  install -m 600 /dev/null "$DIR/postgrest.conf"
  cat >"$DIR/postgrest.conf" <<CONF
db-uri = "postgresql://authenticator:$AUTHENTICATOR_PASSWORD@127.0.0.1:$PORT/$DATABASE"
db-schemas = "public"
db-extra-search-path = "public,extensions"
db-anon-role = "anon"
db-pool = 10
# The rest waits in the functions, which say so when it takes long: see docs/operate/monitor.md.
db-pool-acquisition-timeout = 2
# A replica cannot listen.
db-channel-enabled = $([[ -n $PRIMARY ]] && echo false || echo true)
db-channel = "pgrst"
db-max-rows = 1000
jwt-secret = "$JWT_SECRET"
server-host = "127.0.0.1"
server-port = $REST_PORT
admin-server-port = $ADMIN_PORT
CONF
}

start_postgrest() {
  configure_postgrest
  spawn postgrest "$(postgrest_binary)" "$DIR/postgrest.conf"
  # /ready answers 200 once the schema cache is loaded and the notification channel is listened to.
  wait_for postgrest 60 curl --silent --fail --max-time 2 --noproxy '*' "http://127.0.0.1:$ADMIN_PORT/ready"
}

start_gateway() {
  install -m 600 /dev/null "$DIR/keys"
  JWT_SECRET=$JWT_SECRET node "$HERE/keys.mjs" >"$DIR/keys"
  sed -n "s/^auth_public_keys='\(.*\)'$/\1/p" "$DIR/keys" >"$DIR/jwks.json"
  spawn gateway node "$HERE/gateway.mjs" "$GATEWAY_PORT" "$REST_PORT" "$DIR/jwks.json"
  wait_for gateway 30 curl --silent --fail --max-time 2 --noproxy '*' "http://127.0.0.1:$GATEWAY_PORT/rest/v1/"
}

write_env() {
  install -m 600 /dev/null "$DIR/env"
  {
    echo "dir=$DIR"
    echo "postgres_bin=$POSTGRES_BIN"
    echo "database_url=postgresql://postgres:$SUPERUSER_PASSWORD@127.0.0.1:$PORT/$DATABASE"
    echo "rest_url=http://127.0.0.1:$REST_PORT"
    echo "supabase_url=http://127.0.0.1:$GATEWAY_PORT"
    cat "$DIR/keys"
    echo "jwt_secret=$JWT_SECRET"
  } >"$DIR/env"
}

start() {
  require_command node "install Node 20 or later"
  require_command curl "run $HERE/install.sh"
  choose_postgres "$MAJOR"
  [[ -x $POSTGRES_BIN/postgres ]] || die "Postgres $POSTGRES_MAJOR is not installed: run $HERE/install.sh${MAJOR:+ --postgres $MAJOR}"
  [[ -z $CRON || -n $(extension_version pg_cron) ]] || die "there is no pg_cron for Postgres $POSTGRES_MAJOR: take --postgres 17"
  ensure_postgrest
  choose_ports
  SUPERUSER_PASSWORD=$(random_hex) AUTHENTICATOR_PASSWORD=$(random_hex) JWT_SECRET=$(random_hex)
  if [[ -n $PRIMARY ]]; then
    # Roles and their passwords are the primary's, and so are the keys of the API.
    SUPERUSER_PASSWORD=$(sed -n 's#^database_url=postgresql://postgres:\(.*\)@.*#\1#p' "$PRIMARY/env")
    AUTHENTICATOR_PASSWORD=$(sed -n 's#^db-uri = "postgresql://authenticator:\(.*\)@.*#\1#p' "$PRIMARY/postgrest.conf")
    JWT_SECRET=$(sed -n 's/^jwt_secret=//p' "$PRIMARY/env")
  fi
  prepare_dir
  start_postgres
  start_postgrest
  start_gateway
  write_env
  trap - EXIT
  cat "$DIR/env"
}

stop() {
  find_dir
  stop_all
  rm -rf "$DIR"
  say "stopped, and removed $DIR"
}

# Exits 0 when all run and 3 when any does not, as service scripts do.
status() {
  local name code=0
  find_dir
  for name in "${PROCESSES[@]}"; do
    if running_pid "$name" >/dev/null; then
      echo "$name=running"
    else
      echo "$name=stopped"
      code=3
    fi
  done
  cat "$DIR/env"
  exit "$code"
}

main() {
  local command=${1:-}
  case "$command" in
    start | stop | status) shift ;;
    *) usage ;;
  esac
  parse_options "$@"
  "$command"
}

main "$@"
