#!/usr/bin/env bash
# Usage: scripts/fuzz.sh SECONDS [JOBS]    fuzzes each target for that long, JOBS of them at a time.
# Seeds are the small files of tests/data/bad and tests/fuzz/seeds; what is found on the way is kept
# in build/fuzz/corpus, what breaks a reader in build/fuzz/crash-*, what was said in build/fuzz/log.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:?seconds for each target} jobs=${2:-$(nproc)}
program=build/fuzz/tests/fuzz/srgw_fuzz
targets=$(env -u SRGW_FUZZ_TARGET $program)
mkdir -p build/fuzz/log
while read -r target endings; do
  mkdir -p build/fuzz/{corpus,seeds}/"$target"
  for ending in $endings; do
    find tests/data/bad tests/fuzz/seeds -name "*$ending" \
      -exec cp -t build/fuzz/seeds/"$target" {} +
  done
done <<<"$targets"

fuzz() {
  local target=$1 log=build/fuzz/log/$1
  if SRGW_FUZZ_TARGET=$target $program -max_total_time="$2" -max_len=4096 \
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
export program
cut -d" " -f1 <<<"$targets" | xargs -P "$jobs" -I{} bash -c "fuzz {} $seconds"
