#!/usr/bin/env bash
# Usage: scripts/fuzz.sh SECONDS    runs each libFuzzer target of build/fuzz for that long.
# Seeds are the small files of tests/data/bad and tests/fuzz/seeds; what is found on the way is kept
# in build/fuzz/corpus, what breaks a reader in build/fuzz/crash-*.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:?seconds for each target}
declare -A endings=(
  [edges]='txt csv gz' [mtx]=mtx [metis]=graph [graphml]=graphml [gml]=gml [npy]=npy [npz]=npz
)
for format in "${!endings[@]}"; do
  corpus=build/fuzz/corpus/$format seeds=build/fuzz/seeds/$format
  mkdir -p "$corpus" "$seeds"
  for ending in ${endings[$format]}; do
    find tests/data/bad tests/fuzz/seeds -name "*.$ending" -exec cp -t "$seeds" {} +
  done
  echo "fuzz: $format for $seconds s"
  build/fuzz/tests/fuzz/fuzz_"$format" -max_total_time="$seconds" -max_len=4096 -rss_limit_mb=2048 \
    -timeout=10 -print_final_stats=0 -verbosity=0 -artifact_prefix=build/fuzz/crash-"$format"- \
    "$corpus" "$seeds"
done
