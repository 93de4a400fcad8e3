#!/usr/bin/env bash
# Shows what the program does: the communities of a small graph, then of a large one.
# Writes a report page of the small graph to build/demo and says where it is.
# Usage: scripts/demo.sh PROGRAM
set -euo pipefail
program=$(realpath "$1")
root=$(realpath "$(dirname "$0")/..")
data=$root/examples/data
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cp "$data"/karate.txt "$data"/karate_clubs.tsv .

show() {
  echo
  echo "\$ srgw $*"
  "$program" "$@"
}

show partition karate.txt -k 2 --truth karate_clubs.tsv -o found.tsv
show score karate_clubs.tsv found.tsv
show generate planted --nodes 200000 --blocks 15 --degree 25 --seed 1 -o large.txt --labels blocks.tsv
show info large.txt
show partition large.txt -k 15 --truth blocks.tsv -o large.tsv

mkdir -p "$root/build/demo"
page=$root/build/demo/karate.html
show partition karate.txt -k 2 --truth karate_clubs.tsv --report "$page"
echo
echo "The report page of the last command is $page; open it in a browser."
