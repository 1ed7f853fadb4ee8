"""The experiments of a matrix as jobs: one training with all its tests is one job.

    snakemake -s workflow/experiments.smk --cores 2 --keep-going
    ... --cores 8 --resources gpu=1 --config experiments=notebooks/matrix/paper.yaml
    ... --executor slurm --jobs 20 --config experiments=notebooks/matrix/paper.yaml

The main Snakefile may include this file. `--config runs=FOLDER` is where the runs go (default runs). A
job's score rows are under <runs>/jobs/<matrix>/, its messages under logs/experiments/<matrix>/. A job that
fails leaves the others alone with --keep-going; given the same command again, what is finished is not
done again. For Slurm, pip install snakemake-executor-plugin-slurm; where accounting is off, add
--slurm-status-command squeue.
"""

import shlex
import sys
from pathlib import Path

from dbutils.book import lock
from dbutils.experiments import matrix
from dbutils.experiments.data import stamp

lock.clear()  # of a run whose terminal was closed, or that was killed

EXPERIMENTS = config.get("experiments", "notebooks/matrix/sandbox.yaml")
EXPERIMENT_RUNS = config.get("runs", "runs")
EXPERIMENT_SET = Path(EXPERIMENTS).stem
EXPERIMENT_JOBS = matrix.jobs(EXPERIMENTS)
# A job runs again when the code that learns or predicts, or the files of its corpora, change. A changed metric makes no
# job new: 'dbutils rescore' computes scores anew, and a run's own scores.csv is what tables read.
EXPERIMENT_DATA = {corpus: stamp(corpus) for job in EXPERIMENT_JOBS.values() for corpus in job.corpora}


def experiment(wildcards):
    return EXPERIMENT_JOBS[wildcards.job]


def experiment_command(wildcards):
    """The command line of a job; several GPUs are used through torch's launcher."""
    job = experiment(wildcards)
    launcher = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", str(job.resources["gpu"])]
    words = [sys.executable, *(launcher if job.resources["gpu"] > 1 else []), "-m", "dbutils", *job.words]
    return shlex.join([*words, "--runs", EXPERIMENT_RUNS])


onstart:
    lock.take()


rule experiments:
    input:
        expand(f"{EXPERIMENT_RUNS}/jobs/{EXPERIMENT_SET}/{{job}}.csv", job=EXPERIMENT_JOBS),


rule experiment:
    output:
        f"{EXPERIMENT_RUNS}/jobs/{EXPERIMENT_SET}/{{job}}.csv",
    params:
        command=experiment_command,
        code=lambda wildcards: experiment(wildcards).code,
        data=lambda wildcards: [EXPERIMENT_DATA[corpus] for corpus in experiment(wildcards).corpora],
    log:
        f"logs/experiments/{EXPERIMENT_SET}/{{job}}.txt",
    threads: lambda wildcards: experiment(wildcards).resources["threads"]
    resources:
        mem_mb=lambda wildcards: experiment(wildcards).resources["mem_mb"],
        runtime=lambda wildcards: experiment(wildcards).resources["runtime"],
        gpu=lambda wildcards: experiment(wildcards).resources["gpu"],
    message:
        "Experiment {wildcards.job}"
    shell:
        "OMP_NUM_THREADS={threads} {params.command} -o {output:q} > {log:q} 2>&1"
        " || {{ tail -n 1 {log:q} >&2; exit 1; }}"
