#!/usr/bin/env bash
# Formats all C++ sources with clang-format, or only checks them.
#
# usage: scripts/format.sh [--check]
#   --check   change nothing; fail if a file would change
#
# CLANG_FORMAT names another clang-format. Versions differ in details: the sources are formatted with version 14.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/common.sh

mode=(-i)
case "${1:-}" in
  "") ;;
  --check) mode=(--dry-run -Werror) ;;
  -h | --help) usage && exit 0 ;;
  *) fail "unknown argument: $1 (try --help)" ;;
esac
formatter="${CLANG_FORMAT:-clang-format}"
command -v "$formatter" >/dev/null || fail "$formatter is not installed (Debian: clang-format)"
git ls-files -z '*.cpp' '*.hpp' '*.h' | xargs -0 "$formatter" "${mode[@]}"
