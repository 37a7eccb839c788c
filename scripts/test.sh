#!/usr/bin/env bash
# Finds the dependencies, builds everything and runs the whole test suite. Programs are left in build/bin.
#
# usage: scripts/test.sh [--flavor serial|openmp] [-DNAME=VALUE...]
#   --flavor      with Debian's packages of this flavour (see scripts/dependencies.sh), in build/debian-FLAVOR
#   -DNAME=VALUE  passed on to CMake
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/common.sh
parse_arguments "$@"

build
ctest --test-dir "$build_folder" --output-on-failure --no-tests=error --parallel "$(processors)"
