#!/usr/bin/env bash
# Kills and starts a process of the native stack in DIR, as a bad day and a supervisor would.
# usage: process.sh DIR kill|start postgres|postgrest
#        process.sh DIR immediate-restart
set -euo pipefail
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")/../native" && pwd)
source "$HERE/lib.sh"
DIR=$1
source "$HERE/processes.sh"

choose_postgres "$(cat "$DIR/data/PG_VERSION")"
BIN=$POSTGRES_BIN
AS_POSTGRES=()
# Variables that begin with SERVER_ are for the program alone.
mapfile -t SERVER_ENVIRONMENT < <(env | sed -n 's/^SERVER_\([A-Z_]*=\)/\1/p')
if ((EUID == 0)); then AS_POSTGRES=(setpriv --reuid=postgres --regid=postgres --init-groups --); fi

# With its children: one that is at work goes on answering until it next looks for its parent.
kill_postgres() {
  local pid children
  pid=$(running_pid postgres)
  mapfile -t children < <(ps -o pid= --ppid "$pid")
  kill -s KILL "$pid"
  # Some may have ended by themselves.
  kill -s KILL "${children[@]// /}" 2>/dev/null || true
}

# A server whose predecessor was killed is refused while a process of that one lives: it is tried again.
start_postgres() {
  local deadline=$((SECONDS + 30)) port
  port=$(sed -n 's/^port = //p' "$DIR/data/postgresql.conf" | tail -n 1)
  until spawn postgres "${AS_POSTGRES[@]}" env "${SERVER_ENVIRONMENT[@]}" "$BIN/postgres" -D "$DIR/data" && until_accepting "$port"; do
    ((SECONDS < deadline)) || die "postgres does not start"
    sleep 0.3
  done
}

until_accepting() {
  while running_pid postgres >/dev/null; do
    if "$BIN/pg_isready" --quiet --host=127.0.0.1 --port="$1"; then return 0; fi
    sleep 0.05
  done
  return 1
}

case "$2 ${3:-}" in
  "kill postgres") kill_postgres ;;
  "kill postgrest") kill -s KILL "$(running_pid postgrest)" ;;
  "start postgres") running_pid postgres >/dev/null || start_postgres ;;
  "start postgrest") spawn postgrest env "${SERVER_ENVIRONMENT[@]}" "$(postgrest_binary)" "$DIR/postgrest.conf" ;;
  "immediate-restart ")
    "${AS_POSTGRES[@]}" "$BIN/pg_ctl" stop --silent --mode=immediate --pgdata="$DIR/data"
    start_postgres
    ;;
  *) die "usage: process.sh DIR kill|start postgres|postgrest, or DIR immediate-restart" ;;
esac
