"""What every head has."""

from dbutils.errors import InputError
from dbutils.models.rows import matrix


class Head:
    """A head of an encoder for one kind of task.

    labels: the label set. hyper: Hyper. Subclasses give:
    texts(example): the texts a tokenizer may be learnt from.
    build(source): the torch module, pre-trained weights loaded.
    units(tokens, examples, training): units of work; counts go to `self.counts`.
    loss(model, batch): (sum of losses, how many).
    outputs(model, batch): one numpy output per unit.
    prediction(example, units, outputs): the prediction from all units of an example.
    first_only: whether only the vector of a row's first position is read.
    """

    auto = ""
    first_only = False

    def __init__(self, labels, hyper):
        self.labels, self.hyper = labels, hyper
        self.index = {label: i for i, label in enumerate(labels)}
        self.counts = {}

    def count(self, what, number=1):
        """Count something worth a note."""
        if number:
            self.counts[what] = self.counts.get(what, 0) + number

    def build(self, source):
        return source.load(self.auto, num_labels=len(self.labels))

    def size(self, training):
        """The longest row, special tokens included."""
        return self.hyper.max_length if training else self.hyper.predict_length

    def room(self, tokens, training, pair=False, taken=0):
        """How many sub-words of text a row has room for, `taken` others among them; InputError if there is none."""
        size = self.size(training)
        room = size - tokens.special(pair) - taken
        if room < 1:
            name = "max_length" if training else "predict_length"
            raise InputError(f"{name} {size}: a row has no room for text beside {size - room} other sub-words")
        return room

    def label_index(self, label, example):
        """The index of a gold label in the label set; InputError for one outside the label set."""
        try:
            return self.index[label]
        except KeyError:
            raise InputError(
                f"training example {example.id!r}: label {label!r} is not in the label set ({', '.join(self.labels[:12])}"
                f"{', ...' if len(self.labels) > 12 else ''})"
            ) from None


def run(model, batch, choices=False):
    """A forward pass of a model of transformers on a batch. choices: every row is an example with one choice."""
    embedding = matrix(model)
    given = {"input_ids": batch.ids} if embedding is None else {"inputs_embeds": embedding(batch.ids)}
    given["attention_mask"] = batch.mask
    if (getattr(model.config, "type_vocab_size", 1) or 1) > 1:
        given["token_type_ids"] = batch.types
    return model(**{name: x[:, None] if choices and x is not None else x for name, x in given.items()})
