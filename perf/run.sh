#!/usr/bin/env bash
# Builds the benchmark and records whole runs of the partitioner on the networks of perf/README.md: one JSON file with
# machine, versions, commit, date, options, and for each network quality, times, memory and work. A network that fails
# is recorded with its error, and the others still run.
#
# usage: perf/run.sh [OPTION...] [-DNAME=VALUE...] [-- BENCHMARK_OPTION...]
#   --preset NAME     of CMakePresets.json: openmp (the default), serial, cuda-hopper, cuda-ampere, ...
#   --small           networks for CPUs instead of those for GPUs
#   --only NETWORK    this one alone, of either set; may be given several times
#   --list            print the networks with their limits and runs, and end
#   --machine TEXT    what the results say of the machine, instead of what it says of itself
#   --shared          other work runs on this machine too: plots leave the times out
#   --commit TEXT     what the results say of the sources, instead of what git says
#   --no-build        use build/PRESET as it is
#   -o, --output FILE instead of perf/results/MACHINE-DATE.json
#   --flavor openmp   with Debian's packages (see scripts/dependencies.sh)
#   -DNAME=VALUE      passed on to CMake, e.g. -DKokkos_ROOT=/path
#   --                what follows goes to every run: -- --effort fast
# Exit code: 0 if every network was partitioned, 1 if one failed.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/common.sh

# Network, Ω, Δ, timed runs.
readonly large_networks="\
lenet            1024 4096  7
model:32:4:1:16  1024 4096  5
rand:16384:127   1024 4096  5
rand:65536:191   1024 4096  3
vgg11            4096 65536 3
alexnet          4096 65536 2
rand:262144:256  1024 4096  1
mobilenet        4096 65536 1"
readonly small_networks="\
lenet            1024 4096  3
model:12:3:1:6   128  512   5
rand:2048:24     256  600   5
model:32:4:1:16  1024 4096  1"

# --- Arguments ---

preset=openmp networks="$large_networks" machine='' commit='' shared=false builds=true output='' only=() benchmark_arguments=() others=()

value_of() { [[ -n "${2:-}" ]] || fail "$1 needs a value (try --help)"; }

read_arguments() {
  while (($#)); do
    case "$1" in
      --preset) value_of "$@" && preset="$2" && shift ;;
      --small) networks="$small_networks" ;;
      --only) value_of "$@" && only+=("$2") && shift ;;
      --list) printf 'GPU:\n%s\nCPU (--small):\n%s\n' "$large_networks" "$small_networks" && exit 0 ;;
      --machine) value_of "$@" && machine="$2" && shift ;;
      --commit) value_of "$@" && commit="$2" && shift ;;
      --shared) shared=true ;;
      --no-build) builds=false ;;
      -o | --output) value_of "$@" && output="$2" && shift ;;
      --flavor) value_of "$@" && others+=("$1" "$2") && shift ;;
      --)
        benchmark_arguments=("${@:2}")
        break
        ;;
      *) others+=("$1") ;;
    esac
    shift
  done
  parse_arguments "${others[@]}"
}

check_preset() {
  local names
  command -v cmake >/dev/null || return 0
  names="$(cmake --list-presets 2>/dev/null | sed -n 's/^ *"\([^"]*\)".*/\1/p')"
  grep -qxF -- "$preset" <<<"$names" || fail "there is no preset $preset; CMakePresets.json has ${names//$'\n'/, }"
}

# Keeps the lines of the networks named by --only, from the chosen set first.
choose_networks() {
  ((${#only[@]})) || return 0
  local all="$networks"$'\n'"$large_networks"$'\n'"$small_networks" chosen='' name
  for name in "${only[@]}"; do
    local line
    line="$(awk -v name="$name" '$1 == name { print; exit }' <<<"$all")"
    [[ -n "$line" ]] || fail "no network $name in the table (try --list)"
    chosen+="$line"$'\n'
  done
  networks="${chosen%$'\n'}"
}

# --- What is recorded about the machine ---

gpu() { [[ "$preset" == cuda* ]] && nvidia-smi --query-gpu="$1" --format=csv,noheader 2>/dev/null | head -n 1; }

describe_machine() {
  local name
  if name="$(gpu name)" && [[ -n "$name" ]]; then
    echo "$name (driver $(gpu driver_version)), $(processors) host cores"
  else
    name="$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo 2>/dev/null | head -n 1)"
    echo "${name:-unknown processor}, $(processors) cores"
  fi
}

# For the file's name: the GPU's, or the preset with the number of cores.
machine_slug() {
  local name
  if name="$(gpu name)" && [[ -n "$name" ]]; then
    tr '[:upper:] ' '[:lower:]-' <<<"${name#NVIDIA }"
  else
    echo "$preset-$(processors)"
  fi
}

cached() { sed -n "s/^$1:[^=]*=//p" "$build_folder/CMakeCache.txt" 2>/dev/null | head -n 1; }

describe_build() {
  local compiler
  compiler="$("$(cached CMAKE_CXX_COMPILER)" --version 2>/dev/null | grep -m 1 'release\|[0-9]\.[0-9]' || true)"
  echo "$(cached CMAKE_BUILD_TYPE), preset $preset, ${compiler:-unknown compiler}"
}

# With ", modified" if what is built differs from it.
describe_commit() {
  local sources=(CMakeLists.txt cmake include src perf/partition_benchmark.cpp)
  git rev-parse --short HEAD 2>/dev/null | tr -d '\n' || echo -n unknown
  [[ -z "$(git status --porcelain -- "${sources[@]}" 2>/dev/null)" ]] || echo -n ", modified"
}

# --- JSON ---

json_string() {
  local text="${1//\\/\\\\}"
  text="${text//\"/\\\"}"
  printf '"%s"' "$(tr '\n\t' '  ' <<<"$text" | tr -d '\000-\037' | sed 's/ *$//')"
}

member() { printf '  %s: %s,\n' "$(json_string "$1")" "$2"; }

write_head() {
  echo "{"
  member machine "$(json_string "$machine")"
  member shared "$shared"
  member date "$(json_string "$date")"
  member commit "$(json_string "${commit:-$(describe_commit)}")"
  member build "$(json_string "$(describe_build)")"
  member command "$(json_string "kohypar_partition_benchmark NETWORK --max-size Ω --max-inbound Δ --runs N ${benchmark_arguments[*]}")"
  printf '  "results": [\n'
}

# run_network NETWORK Ω Δ RUNS: the benchmark's JSON, or one that tells how it failed.
run_network() {
  local errors="$work/errors" result="$work/result" code=0
  "$build_folder/bin/kohypar_partition_benchmark" "$1" --max-size "$2" --max-inbound "$3" --runs "$4" \
    "${benchmark_arguments[@]}" >"$result" 2>"$errors" || code=$?
  if ((code == 0)); then
    sed 's/^/    /' "$result"
    return 0
  fi
  local reason="failed"
  ((code != 5)) || reason="out of memory"
  ((code != 137)) || reason="killed, perhaps for its memory"
  ((code != 130)) || fail "interrupted; nothing is recorded"
  say "$1: $reason (exit code $code): $(tail -n 1 "$errors")"
  printf '    {"input": %s, "max_size": %s, "max_inbound": %s, "failure": %s, "exit_code": %s, "message": %s}\n' \
    "$(json_string "$1")" "$2" "$3" "$(json_string "$reason")" "$code" "$(json_string "$(tail -n 1 "$errors")")"
  return 1
}

# --- The order ---

build_benchmark() {
  build_folder="build/$preset"
  cmake_arguments=(--preset "$preset" -DKOHYPAR_BUILD_PERF=ON "${cmake_arguments[@]}")
  ! "$builds" || build kohypar_partition_benchmark >&2
  [[ -x "$build_folder/bin/kohypar_partition_benchmark" ]] || fail "there is no benchmark in $build_folder/bin"
}

record() {
  local name max_size max_inbound runs failures=0 separator=''
  write_head >"$work/record"
  while read -r name max_size max_inbound runs; do
    say "$name, Ω $max_size, Δ $max_inbound, $runs runs"
    printf '%s' "$separator" >>"$work/record"
    run_network "$name" "$max_size" "$max_inbound" "$runs" </dev/null >>"$work/record" || failures=$((failures + 1))
    separator=$'    ,\n'
  done <<<"$networks"
  printf '  ]\n}\n' >>"$work/record"
  cp "$work/record" "$output"
  say "$output written, $failures failed"
  ((failures == 0))
}

main() {
  read_arguments "$@"
  ! "$builds" || require_tools
  check_preset
  choose_networks
  date="$(date +%F)"
  [[ -n "$machine" ]] || machine="$(describe_machine)"
  [[ -n "$output" ]] || output="perf/results/$(machine_slug)-$date.json"
  [[ ! -e "$output" ]] || fail "$output is there already; name another file with -o, or remove it"
  [[ -d "$(dirname "$output")" ]] || fail "there is no folder $(dirname "$output")"
  build_benchmark
  work="$(mktemp -d)"
  trap 'rm -rf "$work"' EXIT
  record
}

main "$@"
