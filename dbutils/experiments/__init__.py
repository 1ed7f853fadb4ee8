"""Do it: which trainings and tests there are, the run folder, training, prediction, scoring, comparison.

`sources` says what is trained on what and tested on what, `plan` what that costs and what is done, `request` checks what a
user asks for, `run` trains and predicts, `store` keeps a run on disk, `rescore` computes its scores anew, `compare` says whether
two results differ, `external` scores predictions made elsewhere, `matrix` turns lists of models and settings into jobs.
"""
