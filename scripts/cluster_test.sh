#!/usr/bin/env bash
# A campaign of 200 cases in 16 shards on a Slurm of two nodes; a node is killed in the middle; the result must have the bytes of a local run.
set -euo pipefail
cd "$(dirname "$0")/.."
program=${TOUCHDOWN:-$(pwd)/target/release/touchdown}
work=$(mktemp -d)
chmod 755 "$work"
trap 'scripts/slurm_loopback.sh stop "$work/slurm"; rm -rf "$work"' EXIT
cat > "$work/study.toml" <<'S'
scenario = "pendulum"
cases = 200
seed = 1
sampling = "sobol"
[vary]
duration_s = { uniform = [300.0, 900.0] }
S
"$program" campaign plan "$work/study.toml" --out "$work/local" > /dev/null
"$program" campaign plan "$work/study.toml" --out "$work/slurm-run" > /dev/null
"$program" campaign run "$work/local" --quiet
eval "$(scripts/slurm_loopback.sh start "$work/slurm")"
"$program" campaign submit "$work/slurm-run" --shards 16 --threads 1
job=$(python3 -c "import json; print(json.load(open('$work/slurm-run/jobs.json'))[-1]['id'])")
sleep "${KILL_AFTER:-2}"
scripts/slurm_loopback.sh kill-node "$work/slurm" n1
restarts=0
for _ in $(seq 150); do
    found=$(scontrol show job "$job" 2>/dev/null | grep -o 'Restarts=[0-9]*' | cut -d= -f2 | sort -n | tail -1)
    [ "${found:-0}" -gt "$restarts" ] && restarts=$found
    "$program" campaign status "$work/slurm-run" | grep -q finished && break
    sleep 1
done
"$program" campaign status "$work/slurm-run"
cmp "$work/local/cases.parquet" "$work/slurm-run/cases.parquet"
[ "$restarts" -ge 1 ] || { echo "no task was requeued" >&2; exit 1; }
echo "same bytes after $restarts restart(s)"
