#!/bin/sh
# Bakes a folder with GNU parallel, on this machine or on several that see the same folders: parallel.sh ASSETS OUT STORE SHARDS
# HOSTS lists the machines, such as HOSTS=render1,render2. A share that fails is tried three times. When the script is started
# again, it continues where it stopped.
set -eu
assets=$1 out=$2 store=$3 shards=$4
mkdir -p "$out/reports"
status=0
parallel --joblog "$out/jobs.log" --resume-failed --retries 3 --jobs 1 ${HOSTS:+--sshlogin "$HOSTS"} --workdir "$PWD" \
    bonebox bake "$assets" --out-dir "$out/hitboxes" --store "$store" --shard "{}/$shards" --json '>' "$out/reports/{}.jsonl" \
    ::: $(seq 0 $((shards - 1))) || status=$?
bonebox merge-reports "$out"/reports/*.jsonl > "$out/report.jsonl" || status=$?
exit "$status"
