"""The learner for encoders: source, head, training loop and prediction put together."""

import time
from pathlib import Path

from dbutils.errors import InputError
from dbutils.models import batches, checkpoint, parallel
from dbutils.models.device import autocast, device, repeatable, seed_from, threads
from dbutils.models.progress import Bar
from dbutils.models.rows import matrix
from dbutils.tasks.heads import head
from dbutils.tasks.learners import Learner

# padded tokens per batch in prediction: more than fits the caches is slower on a CPU, less than fills a GPU there
BUDGET = {"cpu": 1024, "cuda": 32768}
SAVED = "learner.safetensors"
KNOWN = 0.01  # share of the training texts' sub-words that a tokenizer must know more than


class EncoderLearner(Learner):
    """An encoder, pre-trained or made on the spot, with a head for the task."""

    source = model = None

    def __init__(self, task, record, labels, hyper, seed):
        super().__init__(task, record, labels, hyper, seed)
        if not labels and task.code not in ("mrc", "eqa"):
            raise InputError(f"task {task.code}: the label set is empty")
        self.head = head(task, self.labels, hyper)

    def fit(self, train, dev=(), tested=(), checkpoint=None, progress=None):
        train, dev, tested = self._fitted(train), list(dev), list(tested)
        progress = progress or Bar()
        parallel.join()
        with repeatable(seed_from("start", self.seed)), threads(self._threads()):
            self._open([text for example in train for text in self.head.texts(example)])
            units = self._units(train, training=True)
            self.train_counts = self.head.counts
            if not any(len(u.rows[0]) for u in units):
                raise InputError(f"task {self.task.code}: none of the {len(train)} training examples can be used")
            self._check_vocabulary(units)
            select = self.hyper.selection if dev else "last"
            looked_at = self._units(dev, training=select == "loss") if dev else []
            restricted = self._restrict(units, looked_at, tested)
            self.model.to(device())
            lookup = restricted.lookup if restricted else None
            training = self._training(units, dev, looked_at, select, checkpoint, lookup)
            self.notes = self._counts(units, train) | {"selection": select} | training.run(progress)
            if restricted:
                self.notes["embedding_rows"] = len(restricted.ids)
                self.rows = restricted.ids
                restricted.widen()
        return self

    def _threads(self):
        return 0 if self.record.source else 1

    def _open(self, texts, folder=None):
        from dbutils.models.encoder import open_source

        self.source = open_source(self.record, texts, self.hyper.lower_case, folder)
        longest = self.source.longest()
        for name in ("max_length", "predict_length"):
            if getattr(self.hyper, name) > longest:
                raise InputError(
                    f"{name} {getattr(self.hyper, name)}: model {self.record.name!r} takes at most {longest} sub-words"
                )
        self.tokens = self.source.tokens()
        self.model = self.head.build(self.source)
        self.rows = None

    def _check_vocabulary(self, units):
        """Raise InputError for a tokenizer that knows nothing of what is to be learnt."""
        pieces, known = self._count_unknown(units, self.train_counts)
        if known <= KNOWN * pieces:
            raise InputError(
                f"model {self.record.name!r}: its tokenizer knows {known} of the {pieces} sub-words of the training texts: "
                "its vocabulary is broken, another model's, or of another script"
            )

    def _count_unknown(self, units, counts):
        """(pieces of texts in units, how many of them the tokenizer knows); how many not goes into counts."""
        pieces, known = self.tokens.known([row for unit in units for row in unit.rows])
        if known < pieces:
            counts["unknown sub-words"] = pieces - known
        return pieces, known

    def _units(self, examples, training):
        self.head.counts = {}
        units = self.head.units(self.tokens, examples, training)
        embedding = matrix(self.model)
        highest = max((int(row.max()) for unit in units for row in unit.rows if len(row)), default=0)
        if embedding is not None and highest >= embedding.num_embeddings:
            raise InputError(
                f"model {self.record.name!r}: its tokenizer has a sub-word number {highest}, its weights have "
                f"{embedding.num_embeddings} (from 0): they do not belong together"
            )
        return units

    def _restrict(self, units, looked_at, tested):
        from dbutils.models.rows import Restricted

        if not self.hyper.restrict_vocabulary or self.source.made or matrix(self.model) is None:
            return None

        later = self._units(tested, training=False) if tested else []
        return Restricted(self.model, batches.used(units, looked_at, later), self.tokens.pad)

    def _counts(self, units, train):
        notes = {"train": len(train), "train_tokens": sum(len(row) for unit in units for row in unit.rows)}
        for what, count in self.train_counts.items():
            notes[f"train {what}"] = count
        self.told |= set(notes) - {"train", "train_tokens"}
        return notes

    def _training(self, units, dev, looked_at, select, folder, lookup):
        from dbutils.models.training import Training

        evaluate = None
        if select == "loss":

            def evaluate():
                return -self._dev_loss(looked_at, lookup)
        elif select != "last":
            metric = self._metric(select)

            def evaluate():
                return metric.score(dev, self._predictions(dev, looked_at, lookup, lambda *_: None))

        key = {"task": self.task.code, "model": self.record.name, "labels": self.labels, "ids": _digest(units)}
        return Training(
            self.model,
            units,
            lambda batch: self.head.loss(self.model, batch),
            self.hyper,
            self.seed,
            self.tokens.pad,
            lookup,
            evaluate,
            folder,
            key,
        )

    def _metric(self, name):
        metrics = {metric.name: metric for metric in self.task.metrics(self.labels)}
        if name not in metrics:
            raise InputError(f"selection {name!r}: task {self.task.code} has the metrics {', '.join(metrics)}")
        return metrics[name]

    def _dev_loss(self, units, lookup):
        value = count = 0
        for _, batch in self._batches(units, lookup):
            one, many = self.head.loss(self.model, batch)
            value, count = value + one.item(), count + many
        value, count = parallel.total(value, count)
        return value / max(count, 1)

    def predict(self, examples, progress=None):
        examples = list(examples)
        begun = time.perf_counter()
        units = self._units(examples, training=False)
        self._count_unknown(units, self.head.counts)
        with threads(self._threads()):
            found = self._predictions(examples, units, None, progress or Bar())
        notes = self.notes.setdefault("predicted", {"examples": 0, "tokens": 0, "seconds": 0.0})
        notes["examples"] += len(examples)
        notes["tokens"] += sum(len(row) for unit in units for row in unit.rows)
        notes["seconds"] = round(notes["seconds"] + time.perf_counter() - begun, 3)
        for what, count in self.head.counts.items():
            self.notes[what] = self.notes.get(what, 0) + count
        self.told |= set(self.head.counts)
        return found

    def _batches(self, units, lookup):
        """(indices of units, Batch) of this process's share, in inference mode."""
        import torch

        from dbutils.models.unpadded import unpadded

        where = next(self.model.parameters()).device
        mine = list(range(parallel.rank(), len(units), parallel.size()))
        self.model.eval()
        with torch.inference_mode(), autocast(self.hyper.precision, where), unpadded(self.model, self.head.first_only):
            for some in batches.by_budget([units[i] for i in mine], BUDGET[where.type]):
                indices = [mine[i] for i in some]
                yield indices, batches.collate([units[i] for i in indices], where, self.tokens.pad, lookup)

    def _predictions(self, examples, units, lookup, progress):
        done, mine = 0, {}
        for indices, batch in self._batches(units, lookup):
            mine.update(zip(indices, self.head.outputs(self.model, batch), strict=True))
            done += len(indices)
            progress(done * parallel.size(), len(units), "predicting")
        outputs = {index: output for part in parallel.gather(mine) for index, output in part.items()}
        of = [[] for _ in examples]
        for index, unit in enumerate(units):
            of[unit.example].append(index)
        return [
            self.head.prediction(example, [units[i] for i in at], [outputs[i] for i in at])
            for example, at in zip(examples, of, strict=True)
        ]

    def save(self, folder):
        """Write the trained weights; of a restricted embedding only the trained rows, the others being the source's."""
        import torch

        folder = Path(folder)
        tensors = dict(self.model.state_dict())
        if self.rows is not None:
            ids = torch.from_numpy(self.rows)
            tensors["rows.ids"] = ids
            for name in _embedding(self.model):
                tensors["rows.weight"] = tensors.pop(name)[ids]
        checkpoint.write(folder, {k: v.clone() for k, v in tensors.items()}, {}, SAVED)
        if self.source.made:
            self.source.tokenizer.backend_tokenizer.save(str(folder / "tokenizer.json"))

    @classmethod
    def load(cls, task, record, labels, hyper, seed, folder):
        from dbutils.models.rows import put

        self = cls(task, record, labels, hyper, seed)
        found = checkpoint.read(folder, SAVED)
        if found is None:
            raise InputError(f"{folder}: no saved model")
        tensors, _ = found
        with repeatable(seed_from("start", seed)):
            self._open((), folder)
        if "rows.ids" in tensors:
            self.rows = tensors.pop("rows.ids").numpy()
            put(self.model.get_input_embeddings(), self.rows, tensors.pop("rows.weight"))
            weight = self.model.get_input_embeddings().weight.detach()
            tensors |= dict.fromkeys(_embedding(self.model), weight)
        try:
            self.model.load_state_dict(tensors)
        except RuntimeError as error:
            raise InputError(f"{folder}: the saved model does not fit: {str(error).splitlines()[-1].strip()}") from None
        self.model.to(device())
        return self


def _embedding(model):
    """The names of the embedding matrix among a model's tensors."""
    shared = model.get_input_embeddings().weight.data_ptr()
    return [name for name, value in model.state_dict().items() if value.data_ptr() == shared]


def _digest(units):
    """A checksum of what is trained on."""
    import hashlib

    digest = hashlib.sha256()
    for unit in units:
        for row in unit.rows:
            digest.update(row.tobytes())
        digest.update(
            repr(sorted((k, v.tolist() if hasattr(v, "tolist") else v) for k, v in unit.data.items())).encode()
        )
    return digest.hexdigest()
