# For .ci/run and .ci/nightly, which source it: steps, one after the other or some at a time, and what each took, in seconds and in seconds of
# processor. Programs that detach from their step, such as Postgres, are not in the latter.

SCRATCH=$(mktemp -d)
chmod 755 "$SCRATCH"
took=() running=
names=() commands=()
declare -A started=()

# processor_seconds FILE: the sum of what bash's `times` says of a shell and its children.
processor_seconds() { awk -F '[ms ]' '{ sum += $1 * 60 + $2 + $4 * 60 + $5 } END { printf "%.0f", sum }' "$1"; }

# step NAME COMMAND...
step() {
  local name=$1 before=$SECONDS
  shift
  printf '\n== %s\n' "$name"
  running=$name
  (
    "$@"
    times >"$SCRATCH/times"
  )
  running=
  took+=("$(printf '%5d s %5d s  %s' $((SECONDS - before)) "$(processor_seconds "$SCRATCH/times")" "$name")")
}

# queue NAME COMMAND... keeps a step for run_queue. It measures no time, and needs one processor or less.
queue() {
  names+=("$1")
  shift
  commands+=("${*@Q}")
}

# run_queue [MOST] runs the queued steps in their order, MOST at a time (3): most wait for some of their time, so that two would leave a processor
# idle. The output of each is printed in one piece when it ends. After a failure, no further step is started, and those that run are ended.
run_queue() {
  local most=${1:-3} pid index status next=0
  local -A since=()
  printf '\n== %s at a time:\n' "$most"
  printf '%s\n' "${names[@]}"
  while ((next < ${#commands[@]} || ${#started[@]} > 0)); do
    while ((next < ${#commands[@]} && ${#started[@]} < most)); do
      # Each in a process group of its own, so that all of it can be ended.
      set -m
      { eval "${commands[next]}"; times >"$SCRATCH/times-$next"; } </dev/null >"$SCRATCH/step-$next.log" 2>&1 &
      set +m
      started[$!]=$next since[$!]=$SECONDS
      next=$((next + 1))
    done
    status=0
    wait -n -p pid "${!started[@]}" || status=$?
    index=${started[$pid]}
    unset "started[$pid]"
    printf '\n== %s\n' "${names[index]}"
    cat "$SCRATCH/step-$index.log"
    running=${names[index]}
    ((status == 0)) || exit "$status"
    running=
    took+=("$(printf '%5d s %5d s  %s' $((SECONDS - since[$pid])) "$(processor_seconds "$SCRATCH/times-$index")" "${names[index]}")")
  done
  names=() commands=()
}

finish() {
  local pid
  for pid in "${!started[@]}"; do
    kill -- "-$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
  done
  tests/native/stack.sh stop --dir "$SCRATCH/full-size" >/dev/null 2>&1 || true
  rm -rf "$SCRATCH"
  printf '\n== %s s in all%s\n' "$SECONDS" "${running:+; FAILED in $running}"
  printf '%s\n' ${took[@]+"${took[@]}"}
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# Both by apt-get, which runs once at a time.
install_programs() { tests/native/install.sh --postgres 17 && tests/browser/install.sh; }
