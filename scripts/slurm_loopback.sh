#!/usr/bin/env bash
# A Slurm cluster on this machine for tests: munged, slurmctld and two slurmd on loopback, in a folder of their own, on unprivileged ports.
#
#     scripts/slurm_loopback.sh start DIR     prints the line to source: export SLURM_CONF=DIR/slurm.conf
#     scripts/slurm_loopback.sh kill-node DIR n1     kills a node with its steps and jobs, as a power cut would
#     scripts/slurm_loopback.sh start-node DIR n1    starts it again
#     scripts/slurm_loopback.sh stop DIR
#
# Needs Debian's slurm-wlm and munge. Everything it starts is known by its process id in DIR.
set -euo pipefail

command=${1:?start, kill-node, start-node or stop}
mkdir -p "${2:?a folder}"
dir=$(cd "$2" && pwd)
first=${SLURM_LOOPBACK_PORT:-26817}

start() {
    mkdir -p "$dir"/{state,spool-n1,spool-n2,log}
    chmod 711 "$dir"
    head -c 64 /dev/urandom > "$dir/munge.key"
    chmod 400 "$dir/munge.key"
    local cores
    cores=$(nproc)
    cat > "$dir/slurm.conf" <<CONF
ClusterName=loopback
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
SlurmctldPort=$first
AuthType=auth/munge
AuthInfo=socket=$dir/munge.socket
CryptoType=crypto/munge
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool-%n
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd-%n.pid
SlurmctldLogFile=$dir/log/slurmctld.log
SlurmdLogFile=$dir/log/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
ReturnToService=2
SlurmdTimeout=10
InactiveLimit=0
KillWait=2
MinJobAge=3600
JobRequeue=1
SchedulerParameters=batch_sched_delay=1,sched_interval=2,requeue_delay=1
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
NodeName=n1 NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=$((first + 1)) CPUs=$cores State=UNKNOWN
NodeName=n2 NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=$((first + 2)) CPUs=$cores State=UNKNOWN
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP OverSubscribe=YES
CONF
    munged --key-file="$dir/munge.key" --socket="$dir/munge.socket" --pid-file="$dir/munged.pid" \
        --log-file="$dir/log/munged.log" --seed-file="$dir/munge.seed" --force
    export SLURM_CONF="$dir/slurm.conf"
    slurmctld -c -f "$SLURM_CONF"
    for node in n1 n2; do slurmd -N "$node" -f "$SLURM_CONF"; done
    for _ in $(seq 60); do
        if [ "$(sinfo --noheader --Node --format=%T 2>/dev/null | grep -c idle)" = 2 ]; then
            echo "export SLURM_CONF=$SLURM_CONF"
            return
        fi
        sleep 0.5
    done
    echo "the nodes did not come up; see $dir/log" >&2
    exit 1
}

# A process and all below it, by their ids.
kill_tree() {
    local child
    for child in $(pgrep -P "$1" || true); do kill_tree "$child"; done
    kill -KILL "$1" 2>/dev/null || true
}

kill_node() {
    local node=$1
    # Steps leave the tree of their slurmd; they are known by the node's name on their command line's spool folder.
    local step
    for step in $(pgrep -x slurmstepd || true); do
        if tr '\0' '\n' < "/proc/$step/environ" 2>/dev/null | grep -q "^SLURM_CONF=$dir/" || ls -l "/proc/$step/fd" 2>/dev/null | grep -q "$dir/.*-$node"; then
            if ls -l "/proc/$step/fd" 2>/dev/null | grep -q "slurmd-$node.log\|spool-$node"; then kill_tree "$step"; fi
        fi
    done
    kill_tree "$(cat "$dir/slurmd-$node.pid")"
}

start_node() {
    export SLURM_CONF="$dir/slurm.conf"
    slurmd -N "$1" -f "$SLURM_CONF"
    for _ in $(seq 60); do
        sinfo --noheader --Node --nodes="$1" --format=%T | grep -q '^\(idle\|mixed\|allocated\)$' && return
        sleep 0.5
    done
    echo "node $1 did not come back; see $dir/log" >&2
    exit 1
}

stop() {
    local pid
    for name in slurmd-n1 slurmd-n2 slurmctld munged; do
        pid=$(cat "$dir/$name.pid" 2>/dev/null || true)
        [ -n "$pid" ] && kill_tree "$pid"
    done
    return 0
}

case $command in
    start) start ;;
    kill-node) kill_node "${3:?a node}" ;;
    start-node) start_node "${3:?a node}" ;;
    stop) stop ;;
    *) echo "start, kill-node, start-node or stop" >&2; exit 2 ;;
esac
