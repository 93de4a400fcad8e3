#!/usr/bin/env bash
# Usage: scripts/fuzz.sh SECONDS [JOBS]    fuzzes each target for that long, JOBS of them at a time.
# Seeds are the small files of tests/data/bad and tests/fuzz/seeds; what is found on the way is kept
# in build/fuzz/corpus, what breaks a reader in build/fuzz/crash-*, what was said in build/fuzz/log.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:?seconds for each target} jobs=${2:-$(nproc)}
# The targets of tests/fuzz/targets.cpp, with the endings of their seeds.
declare -A endings=(
  [edges]='txt csv gz' [mtx]=mtx [metis]=graph [graphml]=graphml [gml]=gml [npy]=npy [npz]=npz
  [labels_tsv]=labels [labels_csv]=labels [labels_json]=json [labels_npy]=npy
  [features_csv]=features [features_npy]=npy [tud]=tud [packed]=npz [archive]=npz
)
for target in "${!endings[@]}"; do
  mkdir -p build/fuzz/{corpus,seeds}/"$target" build/fuzz/log
  for ending in ${endings[$target]}; do
    find tests/data/bad tests/fuzz/seeds -name "*.$ending" \
      -exec cp -t build/fuzz/seeds/"$target" {} +
  done
done

fuzz() {
  local target=$1 log=build/fuzz/log/$1
  if SRGW_FUZZ_TARGET=$target build/fuzz/tests/fuzz/srgw_fuzz -max_total_time="$2" -max_len=4096 \
    -rss_limit_mb=2048 -timeout=10 -print_final_stats=1 -verbosity=1 \
    -artifact_prefix=build/fuzz/crash-"$target"- \
    build/fuzz/corpus/"$target" build/fuzz/seeds/"$target" >"$log" 2>&1; then
    echo "fuzz: $target: $(grep -o 'number_of_executed_units: .*' "$log" | grep -o '[0-9]*') inputs," \
      "nothing broke"
  else
    tail -n 40 "$log"
    echo "fuzz: $target: BROKEN, see $log and build/fuzz/crash-$target-*"
    return 1
  fi
}
export -f fuzz
printf '%s\n' "${!endings[@]}" | sort | xargs -P "$jobs" -I{} bash -c "fuzz {} $seconds"
