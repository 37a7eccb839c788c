#!/usr/bin/env bash
# Finds the dependencies, builds KoHyPar and partitions a small spiking neural network: at most 64 neurons a
# partition, with at most 256 distinct inbound hyperedges. The program is left in build/bin.
#
# usage: scripts/quickstart.sh [--flavor serial|openmp] [-DNAME=VALUE...]
#   --flavor      with Debian's packages of this flavour (see scripts/dependencies.sh), in build/debian-FLAVOR
#   -DNAME=VALUE  passed on to CMake
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/common.sh
parse_arguments "$@"

build kohypar_program

readonly input=inputs/convolutional.snn
readonly results="$build_folder/quickstart"
readonly partition="$results/convolutional.part" report="$results/convolutional.json"
mkdir -p "$results"
echo
"$build_folder/bin/kohypar" partition "$input" --max-size 64 --max-inbound 256 -o "$partition" --report "$report"
cat <<END

input:     $input (see inputs/README.md)
partition: $partition (one line a neuron: its part, from 0)
report:    $report
program:   $build_folder/bin/kohypar (try --help)
END
