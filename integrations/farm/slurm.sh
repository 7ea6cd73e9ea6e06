#!/bin/bash
#SBATCH --job-name=bonebox --array=0-3 --requeue
# Bakes a folder with a Slurm job array; each task bakes one share. A task that is requeued finds finished characters in OUT and in
# STORE. Submit it from the folder that contains ASSETS, which all nodes must see, and join the reports after the last task:
#
#   export ASSETS=assets OUT=build STORE=/mnt/share/bakes
#   bake=$(sbatch --parsable slurm.sh)
#   sbatch --dependency="afterany:$bake" --wrap 'bonebox merge-reports build/reports/*.jsonl > build/report.jsonl'
#
# To repeat some tasks only, say how many shares there are: SHARDS=4 sbatch --array=2 slurm.sh
set -eu
shards=${SHARDS:-$SLURM_ARRAY_TASK_COUNT}
mkdir -p "$OUT/reports"
# A task that lost its node may still run when it is requeued, so each start has a report of its own.
name=$(printf '%04d-%02d' "$SLURM_ARRAY_TASK_ID" "${SLURM_RESTART_COUNT:-0}")
exec bonebox bake "$ASSETS" --out-dir "$OUT/hitboxes" --store "$STORE" --shard "$SLURM_ARRAY_TASK_ID/$shards" --json \
    > "$OUT/reports/$name.jsonl"
