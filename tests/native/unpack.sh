# Postgres of a later Debian release, in a folder of its own; sourced by install.sh. Its programs are ordinary executables that find
# their libraries, the C library among them, and their extensions in that folder. So they need no root, no chroot and no container.

# Unpacks trixie's packages of the wanted Postgres and all that they depend on. About 95 MB are fetched.
unpack_postgres() {
  choose_postgres "$WANTED"
  mkdir -p "$(dirname "$POSTGRES_ROOT")"
  # One at a time: another may have begun, and clusters may then run from its folder.
  exec 9>"$POSTGRES_ROOT.lock"
  flock 9
  if unpacked_postgres_runs; then
    step "postgres $POSTGRES_MAJOR" "already there ($("$POSTGRES_BIN/postgres" --version | grep -o '[0-9.]*' | head -n 1))"
    return
  fi
  read_trixie deb
  quietly trixie_apt install --yes --download-only --no-install-recommends patchelf \
    "postgresql-$POSTGRES_MAJOR" "postgresql-$POSTGRES_MAJOR-pgvector" "postgresql-$POSTGRES_MAJOR-pgtap" \
    "postgresql-$POSTGRES_MAJOR-cron" || die "could not fetch trixie's packages of Postgres $POSTGRES_MAJOR"
  local new
  new=$(mktemp -d "$POSTGRES_ROOT.XXXXXX")
  unpack_packages "$new" && set_library_folder "$new" || { rm -rf "$new"; die "trixie's packages of Postgres $POSTGRES_MAJOR do not unpack"; }
  rm -rf "$POSTGRES_ROOT"
  mv "$new" "$POSTGRES_ROOT"
  unpacked_postgres_runs || die "Postgres $POSTGRES_MAJOR does not run from $POSTGRES_ROOT"
  step "postgres $POSTGRES_MAJOR" "unpacked to $POSTGRES_ROOT ($("$POSTGRES_BIN/postgres" --version | grep -o '[0-9.]*' | head -n 1))"
}

unpacked_postgres_runs() {
  "$POSTGRES_BIN/postgres" --version >/dev/null 2>&1 && "$POSTGRES_BIN/psql" --version >/dev/null 2>&1 &&
    [[ $(extension_version vector) == "$PGVECTOR_VERSION" && -n $(extension_version pgtap) && -n $(extension_version pg_cron) ]]
}

# unpack_packages FOLDER
unpack_packages() {
  chmod 755 "$1"
  printf '%s\0' "$SCRATCH"/apt/cache/archives/*.deb |
    FOLDER=$1 xargs -0 -n 1 -P "$(nproc)" bash -c 'set -o pipefail; dpkg-deb --fsys-tarfile "$0" | tar -x -C "$FOLDER" --no-same-owner \
      --exclude=./etc --exclude=./var --exclude=./usr/sbin --exclude="./usr/share/[!p]*" --exclude="./usr/*/perl*"'
}

# Programs name their loader, and where it looks for libraries, by absolute paths: those of the folder's final place.
set_library_folder() {
  local libraries=usr/lib/x86_64-linux-gnu loader=ld-linux-x86-64.so.2
  quietly "$1/$libraries/$loader" --library-path "$1/$libraries" "$1/usr/bin/patchelf" \
    --set-interpreter "$POSTGRES_ROOT/$libraries/$loader" --force-rpath --set-rpath "$POSTGRES_ROOT/$libraries" \
    "$1/usr/lib/postgresql/$POSTGRES_MAJOR/bin"/*
}
