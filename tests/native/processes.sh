# Starting and ending the processes of the stack in $DIR; sourced by stack.sh, after lib.sh.

# In the order they start and stop. Postgres goes first because PostgREST would wait for the queries it still has running there.
readonly PROCESSES=(postgres postgrest gateway)

# A pid with its start time names one process for ever; a pid alone may be somebody else's after a reboot.
# A zombie counts as gone: in a container nobody may ever reap it.
process_start_time() {
  local stat fields
  stat=$(cat "/proc/$1/stat" 2>/dev/null) || return 0
  read -r -a fields <<<"${stat##*) }"
  if [[ ${fields[0]} != Z ]]; then echo "${fields[19]}"; fi
}

# spawn NAME COMMAND... starts a process that outlives this shell, with its output in DIR/log.
spawn() {
  local name=$1
  shift
  (cd "$DIR" && exec setsid "$@" </dev/null >>"$DIR/log/$name.log" 2>&1) &
  echo "$! $(process_start_time $!)" >"$DIR/pids/$name"
}

# Prints the pid of one of our processes while it runs, and fails when it does not.
running_pid() {
  local pid start_time
  read -r pid start_time 2>/dev/null <"$DIR/pids/$1" || return 1
  [[ -n $start_time && $(process_start_time "$pid") == "$start_time" ]] || return 1
  echo "$pid"
}

wait_until_gone() {
  local name=$1 deadline=$((SECONDS + $2))
  while running_pid "$name" >/dev/null; do
    ((SECONDS < deadline)) || return 1
    sleep 0.05
  done
}

# To Postgres SIGINT means "drop the clients and close cleanly"; SIGTERM would wait for every client to leave.
stop_process() {
  local name=$1 polite=TERM forced=KILL pid
  if [[ $name == postgres ]]; then polite=INT forced=QUIT; fi
  pid=$(running_pid "$name") || return 0
  kill -s "$polite" "$pid" 2>/dev/null || true
  # The 0 matters: inside an EXIT trap a bare return gives the status the script was ending with.
  if wait_until_gone "$name" 20; then return 0; fi
  kill -s "$forced" "$pid" 2>/dev/null || true
  wait_until_gone "$name" 10 || die "$name (pid $pid) does not stop"
}

stop_all() {
  local name
  for name in "${PROCESSES[@]}"; do stop_process "$name"; done
}

# wait_for NAME SECONDS COMMAND... waits until the command succeeds, and gives up at once if the process has died.
wait_for() {
  local name=$1 deadline=$((SECONDS + $2))
  shift 2
  until "$@" >/dev/null 2>&1; do
    running_pid "$name" >/dev/null || die "$name ended while starting"
    ((SECONDS < deadline)) || die "$name is not ready in time"
    sleep 0.05
  done
}
