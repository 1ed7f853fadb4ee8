"""What every head has."""

from dbutils.errors import InputError


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
        self.place = {label: i for i, label in enumerate(labels)}
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

    def number(self, label, example):
        """The number of a gold label; InputError for one outside the label set."""
        try:
            return self.place[label]
        except KeyError:
            raise InputError(
                f"training example {example.id!r}: label {label!r} is not in the label set ({', '.join(self.labels[:12])}"
                f"{', ...' if len(self.labels) > 12 else ''})"
            ) from None


def run(model, batch, **settings):
    """A forward pass of a model of transformers on a batch."""
    embeds = model.get_input_embeddings()(batch.ids)
    types = {"token_type_ids": batch.types} if getattr(model.config, "type_vocab_size", 1) > 1 else {}
    return model(inputs_embeds=embeds, attention_mask=batch.mask, **types, **settings)
