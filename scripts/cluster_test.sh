#!/usr/bin/env bash
# A campaign of 200 cases in 16 shards on a Slurm of two nodes on this machine; the result must have the bytes of a local run
#   - after a node is killed in the middle, whose tasks are requeued on the other one,
#   - after ten shards are killed at random moments and submitted again.
set -euo pipefail
cd "$(dirname "$0")/.."
program=${TOUCHDOWN:-$(pwd)/target/release/touchdown}
kills=${KILLS:-10}
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
for name in local node-lost shards-killed; do
    "$program" campaign plan "$work/study.toml" --out "$work/$name" > /dev/null
done
"$program" campaign run "$work/local" --quiet > /dev/null
eval "$(scripts/slurm_loopback.sh start "$work/slurm")"

# Cases that are done, and whether that is all of them.
status() { "$program" campaign status "$work/$1" --json | python3 -c "import json, sys; s = json.load(sys.stdin); print(s['cases_done'], s['finished'])"; }
job() { python3 -c "import json; print(json.load(open('$work/$1/jobs.json'))[-1]['id'])"; }

# --- a node is lost
"$program" campaign submit "$work/node-lost" --shards 16 --threads 1
id=$(job node-lost)
for _ in $(seq 300); do
    read -r done _ < <(status node-lost)
    [ "$done" -ge 20 ] && break
    sleep 0.2
done
scripts/slurm_loopback.sh kill-node "$work/slurm" n1
echo "node n1 killed after $done cases"
restarts=0
for _ in $(seq 300); do
    found=$(scontrol show job "$id" 2>/dev/null | grep -o 'Restarts=[0-9]*' | cut -d= -f2 | sort -n | tail -1)
    [ "${found:-0}" -gt "$restarts" ] && restarts=$found
    # Slurm lets a requeued task wait two minutes, in case its node is only slow.
    for task in $(squeue --noheader --array --states=PENDING --format=%i --jobs="$id" 2>/dev/null); do
        scontrol update JobId="$task" StartTime=now 2>/dev/null || true
    done
    read -r _ finished < <(status node-lost)
    [ "$finished" = True ] && break
    sleep 1
done
"$program" campaign status "$work/node-lost"
cmp "$work/local/cases.parquet" "$work/node-lost/cases.parquet"
[ "$restarts" -ge 1 ] || { echo "no task was requeued" >&2; exit 1; }
echo "a lost node: same bytes, tasks restarted $restarts time(s)"

# --- shards are killed; numbers that look random and are the same every time
scripts/slurm_loopback.sh start-node "$work/slurm" n1
RANDOM=22
killed=0
rounds=0
for _ in $(seq 600); do
    read -r done finished < <(status shards-killed)
    [ "$finished" = True ] && break
    if [ -z "$(squeue --noheader --name=shards-killed)" ]; then
        "$program" campaign submit "$work/shards-killed" --shards 16 --threads 1 > /dev/null
        rounds=$((rounds + 1))
    fi
    sleep "0.$((RANDOM % 10))"
    mapfile -t alive < <(pgrep -f "campaign run $work/shards-killed" || true)
    if [ "$killed" -lt "$kills" ] && [ "${#alive[@]}" -gt 0 ]; then
        victim=${alive[RANDOM % ${#alive[@]}]}
        kill -KILL "$victim" 2>/dev/null && killed=$((killed + 1))
    fi
done
"$program" campaign status "$work/shards-killed"
cmp "$work/local/cases.parquet" "$work/shards-killed/cases.parquet"
[ "$killed" -ge "$kills" ] || { echo "only $killed shards were killed" >&2; exit 1; }
echo "$killed killed shards: same bytes after $rounds submission(s)"
