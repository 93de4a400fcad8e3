#!/usr/bin/env bash
# Usage: scripts/fuzz.sh SECONDS    runs each libFuzzer target of build/fuzz for that long.
# Seeds are the small files of tests/data/bad and tests/fuzz/seeds; what is found on the way is kept
# in build/fuzz/corpus, what breaks a reader in build/fuzz/crash-*.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:?seconds for each target}
# The endings of the seeds, as in tests/fuzz/targets.cpp.
declare -A endings=(
  [edges]='txt csv gz' [mtx]=mtx [metis]=graph [graphml]=graphml [gml]=gml [npy]=npy [npz]=npz
  [labels_tsv]=labels [labels_csv]=labels [labels_json]=json [labels_npy]=npy
  [features_csv]=features [features_npy]=npy [tud]=tud [packed]=npz [archive]=npz
)
for program in build/fuzz/tests/fuzz/fuzz_*; do
  [ -x "$program" ] && [ -f "$program" ] || continue
  target=${program##*/fuzz_}
  corpus=build/fuzz/corpus/$target seeds=build/fuzz/seeds/$target
  mkdir -p "$corpus" "$seeds"
  for ending in ${endings[$target]}; do
    find tests/data/bad tests/fuzz/seeds -name "*.$ending" -exec cp -t "$seeds" {} +
  done
  echo "fuzz: $target for $seconds s"
  "$program" -max_total_time="$seconds" -max_len=4096 -rss_limit_mb=2048 \
    -timeout=10 -print_final_stats=0 -verbosity=0 -artifact_prefix=build/fuzz/crash-"$target"- \
    "$corpus" "$seeds"
done
