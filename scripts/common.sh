# Sourced by the scripts beside it: messages, arguments, and the build itself.
# shellcheck shell=bash disable=SC2034 # the other scripts use the variables

# For a build folder that is not there yet: CMake's own default is make, even where there is only ninja.
generator=()
! command -v ninja >/dev/null || generator=(-G Ninja)

say() { echo "kohypar: $*" >&2; }

fail() {
  say "$@"
  exit 1
}

# The comment at the head of the running script.
usage() { sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; }

# parse_arguments [--flavor serial|openmp] [-DNAME=VALUE...]
# Sets flavor, build_folder, dependency_arguments and cmake_arguments.
parse_arguments() {
  flavor=default build_folder=build dependency_arguments=() cmake_arguments=()
  while (($#)); do
    case "$1" in
      --flavor)
        [[ "${2:-}" =~ ^(serial|openmp)$ ]] || fail "--flavor takes serial or openmp"
        flavor="$2" build_folder="build/debian-$2" dependency_arguments=(--flavor "$2")
        shift
        ;;
      -D?*) cmake_arguments+=("$1") ;;
      -h | --help) usage && exit 0 ;;
      *) fail "unknown argument: $1 (try --help)" ;;
    esac
    shift
  done
}

processors() { nproc 2>/dev/null || echo 2; }

# Says all that is missing at once, with what Debian calls it.
require_tools() {
  local missing=() version
  command -v "${CXX:-c++}" >/dev/null || missing+=("a C++20 compiler, g++ 12 or clang 14 or newer (Debian: g++)")
  command -v ninja >/dev/null || command -v make >/dev/null || missing+=("ninja or make (Debian: ninja-build)")
  if command -v cmake >/dev/null; then
    version="$(cmake --version | sed -n '1s/[^0-9]*//p')"
    printf '3.24\n%s\n' "$version" | sort --check=quiet --version-sort ||
      missing+=("CMake 3.24 or newer; this one is $version")
  else
    missing+=("CMake 3.24 or newer (Debian: cmake)")
  fi
  ((${#missing[@]} == 0)) || fail "missing on this machine:$(printf '\n  - %s' "${missing[@]}")"
}

# A Release build in build_folder; configured anew if the dependencies are others than last time.
configure() {
  local cache used="$build_folder/dependencies.used" anew=()
  cache="$(scripts/dependencies.sh "${dependency_arguments[@]}")"
  mkdir -p "$build_folder"
  if ! cmp --silent "$cache" "$used"; then
    anew=(--fresh "${generator[@]}")
  fi
  cmake -S . -B "$build_folder" -C "$cache" "${anew[@]}" -DCMAKE_BUILD_TYPE=Release "${cmake_arguments[@]}"
  cp "$cache" "$used"
}

# build [TARGET]: everything, from finding the dependencies on; all targets if none is named.
build() {
  require_tools
  configure
  cmake --build "$build_folder" --parallel "$(processors)" ${1:+--target "$1"}
}
