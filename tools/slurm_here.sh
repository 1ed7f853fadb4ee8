#!/usr/bin/env bash
# Try the Slurm route on one machine: a Slurm cluster of this computer alone (Debian: slurm-wlm, munge; as root), the
# plugin beside the environment, a small matrix through it. Its daemons are stopped at the end. The configuration must
# lie in /etc/slurm, as job steps look there; on a machine that has one this refuses to run.
#
#   tools/slurm_here.sh PYTHON FOLDER [MATRIX]
set -euo pipefail
python="$(realpath -s "$1")"; folder="$(mkdir -p "$2" && realpath "$2")"; root="$(cd "$(dirname "$0")/.." && pwd)"
matrix="${3:-$root/notebooks/matrix/slurm.yaml}"
host="$(hostname -s)"; cpus="$(nproc)"

conf=/etc/slurm/slurm.conf
test ! -e "$conf" || { echo "$conf is there: this machine belongs to a cluster; give the commands of the page to it" >&2; exit 2; }
mkdir -p /etc/slurm "$folder"/{state,spool,munge} && chmod 755 "$folder"
cat > "$conf" <<CONF
ClusterName=here
SlurmctldHost=$host
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
MpiDefault=none
NodeName=$host NodeAddr=127.0.0.1 CPUs=$cpus RealMemory=8000 State=UNKNOWN
PartitionName=main Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF

stop() { pkill -F "$folder/slurmd.pid" 2>/dev/null; pkill -F "$folder/slurmctld.pid" 2>/dev/null; pkill -F "$folder/munge/pid" 2>/dev/null; rm -f "$conf"; }
trap stop EXIT
dd if=/dev/urandom of="$folder/munge/key" bs=64 count=1 status=none && chmod 600 "$folder/munge/key"
munged --key-file="$folder/munge/key" --socket="$folder/munge/socket" --pid-file="$folder/munge/pid" --log-file="$folder/munge/log" \
  --seed-file="$folder/munge/seed" --force
slurmctld && slurmd
for _ in $(seq 60); do sinfo -h -o %T 2>/dev/null | grep -q idle && break; sleep 1; done
sinfo

test -d "$folder/plugin" || "$python" -m pip install --quiet --disable-pip-version-check --no-deps --target "$folder/plugin" \
  snakemake-executor-plugin-slurm snakemake-executor-plugin-slurm-jobstep
cd "$root"
PYTHONPATH="$folder/plugin" "$python" -m snakemake experiments --executor slurm --jobs 4 --keep-going --latency-wait 30 --nolock \
  --slurm-status-command squeue --default-resources slurm_partition=main slurm_account=root \
  --config experiments="$matrix" runs="$folder/runs"
squeue
"$python" -m dbutils runs list --runs "$folder/runs"
