#!/usr/bin/env bash
# Finds or makes what KoHyPar is built from: Kokkos, Kokkos Kernels, cxxopts, GoogleTest, zlib. In this order:
#
#   1. what is installed: by CMAKE_PREFIX_PATH, by Kokkos_ROOT, or in the system;
#   2. upstream's releases, if upstream answers within seconds: CMake then fetches and builds them;
#   3. binary packages of Debian's unstable suite, unpacked under build/dependencies, without root and without
#      touching the system. They serve for building and testing in place, not for installing.
#
# Prints the path of an initial cache for `cmake -C`. What it does, it says on standard error.
#
# usage: scripts/dependencies.sh [--flavor serial|openmp]
#   --flavor serial   go straight to 3: Kokkos 4.5 with the Serial backend, and Kokkos Kernels (3's default)
#   --flavor openmp   go straight to 3: Kokkos 5 with the OpenMP backend, without Kokkos Kernels
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/common.sh
parse_arguments "$@"

readonly folder="$PWD/build/dependencies"
readonly upstream=https://github.com/kokkos/kokkos.git
readonly upstream_seconds=10

# --- 1. Installed ---

# installed WITH_KERNELS CACHE: true, and CACHE written, if all of it is installed.
installed() {
  rm -rf "$folder/probe"
  cmake -S cmake/probe -B "$folder/probe" "${generator[@]}" -DWITH_KOKKOS_KERNELS="$1" -DOUTPUT="$2" \
    >"$folder/installed.log" 2>&1
}

# --- 2. Upstream ---

# zlib is not fetched from upstream: every distribution has it.
upstream_answers() {
  command -v git >/dev/null && has_header zlib.h &&
    GIT_TERMINAL_PROMPT=0 timeout "$upstream_seconds" git ls-remote "$upstream" HEAD >/dev/null 2>&1
}

has_header() { echo "#include <$1>" | "${CXX:-c++}" -E -x c++ - >/dev/null 2>&1; }

# --- 3. Debian's unstable suite ---

packages_of() {
  echo libcxxopts-dev googletest zlib1g-dev
  case "$1" in
    serial) echo libtrilinos-kokkos-dev libtrilinos-kokkos-kernels-dev ;;
    openmp) echo libkokkos-dev ;;
  esac
}

# The archives that this machine takes its packages from; apt tells even with empty package lists.
archive_addresses() {
  apt-get update --print-uris | sed -n "s|^'\(.*\)/dists/.*/InRelease'.*|\1|p" | sort -u
}

# apt_settings STATE ARCHIVE: apt's state in a folder of its own, which knows nothing but ARCHIVE's unstable suite.
apt_settings() {
  local keyring=/usr/share/keyrings/debian-archive-keyring.gpg signed_by=
  [[ ! -e "$keyring" ]] || signed_by="signed-by=$keyring"
  mkdir -p "$1/lists/partial" "$1/cache/archives/partial"
  : >"$1/status"
  echo "deb [target=Packages arch=$(dpkg --print-architecture) $signed_by] $2 unstable main" >"$1/sources.list"
  cat >"$1/apt.conf" <<END
Dir::State "$1";
Dir::State::Lists "$1/lists";
Dir::State::status "$1/status";
Dir::Cache "$1/cache";
Dir::Etc::SourceList "$1/sources.list";
Dir::Etc::SourceParts "/dev/null";
Dir::Etc::Preferences "/dev/null";
Dir::Etc::PreferencesParts "/dev/null";
Acquire::Languages "none";
// A mirror may lag behind the date until which the suite's index is valid.
Acquire::Check-Valid-Until "false";
// As root, apt would else download as a user who can't enter this folder.
APT::Sandbox::User "root";
Debug::NoLocking "true";
// What the system has apt do besides would touch the system.
#clear APT::Default-Release;
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
#clear DPkg::Pre-Invoke;
#clear DPkg::Post-Invoke;
#clear DPkg::Pre-Install-Pkgs;
END
}

# download STATE FLAVOR: the flavour's packages and all that they depend on, into STATE/cache/archives.
download() {
  local archive settings="$1/apt.conf"
  for archive in $(archive_addresses); do
    apt_settings "$1" "$archive"
    # shellcheck disable=SC2046 # one word a package
    if apt-get -c "$settings" update &&
      apt-get -c "$settings" install --yes --no-install-recommends --download-only $(packages_of "$2"); then
      return 0
    fi
  done
  return 1
}

# unpack STATE FOLDER: all but the C library's headers; the machine's compiler has its own.
unpack() {
  local package
  for package in "$1"/cache/archives/*.deb; do
    case "${package##*/}" in
      libc6-dev_* | libc-dev-bin_* | linux-libc-dev_*) ;;
      *) dpkg -x "$package" "$2" || return 1 ;;
    esac
  done
}

# mend PARTIAL PREFIX: fits Kokkos' CMake files in PARTIAL for use from PREFIX.
mend() {
  local package archive
  package="$(find "$1/usr/lib" -path '*/cmake/Kokkos')" || return 1
  # They name some folders absolutely.
  sed -i "s|\"/usr/include|\"$2/usr/include|g" "$package"/*.cmake || return 1
  # They name archives that one revision of the package left out. No code is missing: Kokkos' algorithms and SIMD
  # types are templates.
  for archive in libkokkosalgorithms.a libkokkossimd.a; do
    if grep -q "/$archive" "$package"/*.cmake && [[ ! -e "$package/../../$archive" ]]; then
      printf '!<arch>\n' >"$package/../../$archive"
    fi
  done
}

# make_prefix FLAVOR PREFIX: PREFIX is there only once it is complete.
make_prefix() {
  local state="$2.apt" partial="$2.partial"
  rm -rf "$state" "$partial"
  mkdir -p "$partial"
  say "fetching packages of Debian's unstable suite into build/dependencies"
  if ! { download "$state" "$1" && unpack "$state" "$partial"; } >"$2.log" 2>&1; then
    tail -n 5 "$2.log" >&2
    return 1
  fi
  mend "$partial" "$2" && mv "$partial" "$2" && rm -rf "$state"
}

# use_debian FLAVOR CACHE
use_debian() {
  local prefix="$folder/debian-$1" kernels=ON
  [[ "$1" == serial ]] || kernels=OFF
  [[ -d "$prefix" ]] || make_prefix "$1" "$prefix" || give_up
  say "using Debian's packages in ${prefix#"$PWD"/}, for building and testing in place"
  cat >"$2" <<END
# Packages of Debian's unstable suite.
set(KOHYPAR_IN_PLACE_PREFIX "$prefix" CACHE PATH "")
set(KOHYPAR_ENABLE_KOKKOS_KERNELS $kernels CACHE BOOL "")
END
}

give_up() {
  fail "nothing to build with. Not all of Kokkos (4.5 or newer), cxxopts, GoogleTest and zlib is installed
(build/dependencies/installed.log), upstream does not answer or git or zlib's headers are missing, and no
Debian archive gave the packages (build/dependencies/debian-*.log). Install what is missing, and name its folder
in CMAKE_PREFIX_PATH."
}

# --- The order ---

main() {
  local cache="$folder/$flavor.cmake"
  mkdir -p "$folder"
  if [[ "$flavor" != default ]]; then
    use_debian "$flavor" "$cache"
  elif installed ON "$cache"; then
    say "using installed packages"
  elif [[ ! -d "$folder/debian-serial" ]] && upstream_answers; then
    say "using upstream's releases of what is not installed"
    echo "# Upstream's releases of what is not installed." >"$cache"
  elif installed OFF "$cache"; then
    say "using installed packages, without Kokkos Kernels: the tests compare no colouring with its own"
  else
    use_debian serial "$cache"
  fi
  echo "$cache"
}

main
