#!/usr/bin/env bash
# Makes a Debian machine ready for stack.sh: Postgres, pgvector, pgTAP and PostgREST. Safe to run again; what is there is left alone.
# usage: install.sh [--postgres 15|17]
# The release's own Postgres comes from apt. On bookworm, `--postgres 17` adds trixie's in a folder of its own.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
source "$(dirname "${BASH_SOURCE[0]}")/unpack.sh"

case "$#${1:-}" in
  0 | 2--postgres) choose_postgres "${2:-}" ;;
  *) die "usage: install.sh [--postgres 15|17]" ;;
esac
WANTED=$POSTGRES_MAJOR
choose_postgres
SCRATCH=$(mktemp -d "${TMPDIR:-/tmp}/funding-native-install.XXXXXX")
readonly WANTED SCRATCH
readonly PG_CONFIG="$POSTGRES_BIN/pg_config"
readonly CLUSTER_RULES=/etc/postgresql-common/createcluster.conf
ROOT=()

cleanup() {
  if [[ -e $SCRATCH/createcluster.conf ]]; then "${ROOT[@]}" cp "$SCRATCH/createcluster.conf" "$CLUSTER_RULES"; fi
  rm -rf "$SCRATCH"
}
trap cleanup EXIT

step() { say "$1: $2"; }

# Runs a noisy command quietly and shows its last lines only if it fails.
quietly() {
  if ! "$@" >"$SCRATCH/log" 2>&1; then
    tail -n 25 "$SCRATCH/log" >&2
    return 1
  fi
}

# Called before the first change, so a machine that has everything needs no privilege at all.
become_root() {
  if ((EUID == 0)) || ((${#ROOT[@]} > 0)); then return; fi
  sudo -n true 2>/dev/null || die "$1 needs root: run this script as root, or with password-less sudo"
  ROOT=(sudo)
}

apt_root() { quietly "${ROOT[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 "$@"; }

is_installed() { [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]]; }

is_available() { apt-cache show "$1" 2>/dev/null | grep -q .; }

refresh_package_lists() {
  if [[ -e $SCRATCH/refreshed ]]; then return; fi
  become_root "apt-get update"
  apt_root update || die "apt-get update failed; see the lines above"
  touch "$SCRATCH/refreshed"
}

# install_packages WHAT PACKAGE... installs only those that are missing.
install_packages() {
  local what=$1 missing=() package
  shift
  for package in "$@"; do
    is_installed "${package%%=*}" || missing+=("$package")
  done
  if ((${#missing[@]} == 0)); then
    step "$what" "already there"
    return
  fi
  refresh_package_lists
  apt_root install --yes --no-install-recommends "${missing[@]}" || die "apt-get could not install ${missing[*]}"
  step "$what" "installed ${missing[*]}"
}

# Debian starts a cluster on port 5432 when it installs a server. Nobody asked for one, so it is told not to while we install ours.
install_postgres() {
  local package="postgresql-$POSTGRES_MAJOR"
  if ! is_installed "$package"; then
    become_root "installing Postgres"
    install_packages "postgres tools" postgresql-common
    cp "$CLUSTER_RULES" "$SCRATCH/createcluster.conf"
    "${ROOT[@]}" pg_conftool "$CLUSTER_RULES" set create_main_cluster false
  fi
  install_packages "postgres" "$package"
}

# The headers should be those of the server they meet, even where apt has a newer minor version of both.
server_headers_package() {
  local package="postgresql-server-dev-$POSTGRES_MAJOR" version
  version=$(dpkg-query -W -f '${Version}' "postgresql-$POSTGRES_MAJOR")
  if apt-cache show "$package=$version" >/dev/null 2>&1; then package+="=$version"; fi
  echo "$package"
}

check_node() {
  local hint="install Node 20 or later from nodejs.org or your distribution"
  require_command node "$hint"
  require_command npm "$hint"
  (($(node -p 'process.versions.node.split(".")[0]') >= 20)) || die "Node $(node --version) is too old: $hint"
  step node "already there ($(node --version))"
}

check_contrib() {
  local name
  for name in pg_trgm unaccent; do
    [[ -n $(extension_version "$name") ]] || die "postgresql-$POSTGRES_MAJOR came without the contrib extension $name"
  done
  step "pg_trgm, unaccent" "already there"
}

# The mirror this machine already uses for Debian itself; security and third-party archives carry no pgvector.
debian_mirror() {
  apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Label: Debian' 'Component: main' | sort -u | head -n 1
}

# An apt of its own, in a scratch folder: trixie's packages are read, and signatures checked, without touching the machine's lists.
# It takes no package for installed, needs no privilege, and installs nothing.
trixie_apt() {
  apt-get \
    -o Dir::Etc::SourceList="$SCRATCH/apt/sources.list" -o Dir::Etc::SourceParts=/dev/null \
    -o Dir::Etc::Preferences=/dev/null -o Dir::Etc::PreferencesParts=/dev/null \
    -o Dir::State::Lists="$SCRATCH/apt/lists" -o Dir::State::status="$SCRATCH/apt/status" -o Dir::Cache="$SCRATCH/apt/cache" \
    -o Debug::NoLocking=true -o APT::Sandbox::User=root -o Acquire::Languages=none "$@"
}

# read_trixie KIND reads its index of packages (deb) or of sources (deb-src).
read_trixie() {
  local mirror
  mirror=$(debian_mirror)
  [[ -n $mirror ]] || die "no Debian mirror found in the machine's apt configuration"
  mkdir -p "$SCRATCH/apt/lists/partial" "$SCRATCH/apt/cache/archives/partial"
  : >"$SCRATCH/apt/status"
  echo "$1 [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror trixie main" >"$SCRATCH/apt/sources.list"
  quietly trixie_apt update || die "could not read trixie's index from the Debian mirror in use"
}

download_pgvector_source() {
  read_trixie deb-src
  mkdir "$SCRATCH/source"
  cd "$SCRATCH/source"
  quietly trixie_apt source pgvector || die "could not fetch trixie's source package pgvector"
  cd pgvector-*/ || die "trixie's source package pgvector did not unpack"
}

build_pgvector() {
  install_packages "build tools" build-essential dpkg-dev "$(server_headers_package)"
  download_pgvector_source
  grep -q "default_version = '$PGVECTOR_VERSION'" vector.control || die "trixie now carries another pgvector than $PGVECTOR_VERSION"
  # No -march=native: an index built on one runner must be readable, and the code runnable, on the next.
  quietly make -j"$(nproc)" OPTFLAGS="" PG_CONFIG="$PG_CONFIG" || die "pgvector did not compile"
  become_root "installing pgvector"
  quietly "${ROOT[@]}" make install OPTFLAGS="" PG_CONFIG="$PG_CONFIG" || die "pgvector did not install"
  cd - >/dev/null
  step pgvector "built $PGVECTOR_VERSION for Postgres $POSTGRES_MAJOR"
}

ensure_pgvector() {
  local found package="postgresql-$POSTGRES_MAJOR-pgvector"
  found=$(extension_version vector)
  if [[ $found == "$PGVECTOR_VERSION" ]]; then
    step pgvector "already there ($found)"
    return
  fi
  [[ -z $found ]] || die "Postgres $POSTGRES_MAJOR has pgvector $found, and the tests need $PGVECTOR_VERSION: remove it first"
  refresh_package_lists
  if is_available "$package"; then
    install_packages pgvector "$package"
  else
    build_pgvector
  fi
  found=$(extension_version vector)
  [[ $found == "$PGVECTOR_VERSION" ]] || die "expected pgvector $PGVECTOR_VERSION, found '${found:-none}'"
}

fetch_postgrest() {
  local state="already there"
  [[ -x $(postgrest_binary) ]] || state="fetched"
  ensure_postgrest
  "$(postgrest_binary)" --version >/dev/null || die "PostgREST $POSTGREST_VERSION does not run on this machine"
  step postgrest "$state ($POSTGREST_VERSION)"
}

main() {
  require_command apt-get "this script is for Debian"
  say "Postgres $POSTGRES_MAJOR is what this Debian release carries"
  check_node
  install_packages "curl" curl ca-certificates
  install_postgres
  install_packages "pgtap" "postgresql-$POSTGRES_MAJOR-pgtap"
  # Older releases carry a pg_cron that knows no seconds.
  if ((POSTGRES_MAJOR >= 17)); then install_packages "pg_cron" "postgresql-$POSTGRES_MAJOR-cron"; fi
  install_packages "a clock to set" libfaketime
  check_contrib
  ensure_pgvector
  fetch_postgrest
  if [[ $WANTED != "$POSTGRES_MAJOR" ]]; then unpack_postgres; fi
  say "ready: tests/native/stack.sh start${2:+ --postgres $2}"
}

main "$@"
