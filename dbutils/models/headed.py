"""Heads for encoders that transformers has none for, and for those with a decoder beside them (T5, NLLB).

A text's vector is the mean of its pieces'; otherwise each is a linear layer, as those of transformers are.
"""


def headed(encoder, auto, labels=None):
    """An encoder with a head, used as a model of transformers.

    auto: AutoModelForTokenClassification, ...SequenceClassification (logits of `labels` labels), ...MultipleChoice (logits
    (B, choices)) or ...QuestionAnswering (start_logits and end_logits).
    """
    from types import SimpleNamespace

    from torch import nn

    what = auto.removeprefix("AutoModelFor")
    size = {"MultipleChoice": 1, "QuestionAnswering": 2}.get(what, labels)
    config = encoder.config
    dropout = next(
        (x for n in ("hidden_dropout_prob", "dropout_rate", "dropout") if (x := getattr(config, n, None))), 0.0
    )

    class Headed(nn.Module):
        def __init__(self):
            super().__init__()
            self.encoder, self.config = encoder, config
            self.dropout, self.classifier = nn.Dropout(dropout), nn.Linear(config.hidden_size, size)
            nn.init.normal_(self.classifier.weight, std=0.02)
            nn.init.zeros_(self.classifier.bias)

        def get_input_embeddings(self):
            return self.encoder.get_input_embeddings()

        def set_input_embeddings(self, embedding):
            self.encoder.set_input_embeddings(embedding)

        def forward(self, attention_mask=None, **given):
            if what == "MultipleChoice":
                given = {name: x.flatten(0, 1) for name, x in given.items()}
                attention_mask = None if attention_mask is None else attention_mask.flatten(0, 1)
            hidden = self.encoder(attention_mask=attention_mask, **given).last_hidden_state
            if what in ("SequenceClassification", "MultipleChoice"):
                weight = (
                    hidden.new_ones(hidden.shape[:2]) if attention_mask is None else attention_mask.to(hidden.dtype)
                )
                hidden = (hidden * weight[..., None]).sum(1) / weight.sum(1, keepdim=True)
            logits = self.classifier(self.dropout(hidden))
            if what == "QuestionAnswering":
                return SimpleNamespace(start_logits=logits[..., 0], end_logits=logits[..., 1])
            return SimpleNamespace(logits=logits)

    return Headed()
