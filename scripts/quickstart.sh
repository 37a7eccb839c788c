#!/usr/bin/env bash
# Finds the dependencies, builds KoHyPar and partitions a small spiking neural network: at most 64 neurons a
# partition, with at most 80 distinct inbound hyperedges. The program is left in build/bin.
#
# usage: scripts/quickstart.sh [--flavor serial|openmp] [-DNAME=VALUE...]
#   --flavor      with Debian's packages of this flavour (see scripts/dependencies.sh), in build/debian-FLAVOR
#   -DNAME=VALUE  passed on to CMake
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/common.sh
parse_arguments "$@"

build kohypar_program

readonly results="$build_folder/quickstart"
mkdir -p "$results"
echo
"$build_folder/bin/kohypar" partition inputs/convolutional.snn --max-size 64 --max-inbound 80 \
  -o "$results/convolutional.part" --report "$results/convolutional.json"
echo
echo "The program is $build_folder/bin/kohypar (try --help); inputs/README.md tells what was partitioned."
