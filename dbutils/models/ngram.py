"""Character n-gram classifiers by scikit-learn: linear SVM, logistic regression, naive Bayes.

A text is the tf-idf vector of its character 1- to 5-grams (case kept, logarithmic counts, grams of at least
two texts); an example may have several fields (premise and hypothesis), each with a vocabulary of its own.
Saved as plain arrays and JSON, without pickle.
"""

import io
import json
from pathlib import Path

from dbutils import csvio
from dbutils.errors import InputError

RECIPE = {"grams": (1, 5), "min_df": 2, "sublinear_tf": True, "C_svm": 1.0, "C_logreg": 10.0, "alpha_nb": 0.1}


def _vectorizer(vocabulary=None):
    from sklearn.feature_extraction.text import TfidfVectorizer

    return TfidfVectorizer(
        analyzer="char",
        ngram_range=RECIPE["grams"],
        min_df=RECIPE["min_df"],
        lowercase=False,
        sublinear_tf=RECIPE["sublinear_tf"],
        vocabulary=vocabulary,
    )


def _classifier(name, seed):
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import MultinomialNB
    from sklearn.svm import LinearSVC

    if name == "svm":
        return LinearSVC(C=RECIPE["C_svm"], random_state=seed)
    if name == "logreg":
        return LogisticRegression(C=RECIPE["C_logreg"], max_iter=1000, random_state=seed)
    return MultinomialNB(alpha=RECIPE["alpha_nb"])


class NgramClassifier:
    """Fit on texts and labels, predict labels.

    classifier: svm, logreg or nb. seed: of the solver.
    """

    def __init__(self, classifier, seed=0):
        self.name, self.seed = classifier, seed
        self.vectorizers, self.model = [], None

    def fit(self, texts, labels):
        """texts: one tuple of fields per example; labels: one per example."""
        if len(set(labels)) < 2:
            raise InputError(f"n-grams: the {len(labels)} training examples have fewer than two labels")
        self.vectorizers = [_vectorizer() for _ in texts[0]]
        for index, vectorizer in enumerate(self.vectorizers):
            try:
                vectorizer.fit([fields[index] for fields in texts])
            except ValueError:
                raise InputError("n-grams: no gram occurs in two training texts; give more of them") from None
        from threadpoolctl import threadpool_limits

        with threadpool_limits(1):  # the solvers' matrices are too small for threads, which wait for one another
            self.model = _classifier(self.name, self.seed).fit(self._matrix(texts), list(labels))
        return self

    def predict(self, texts):
        """The labels of texts, in order."""
        if not texts:
            return []
        return [str(label) for label in self.model.predict(self._matrix(texts))]

    def _matrix(self, texts):
        from scipy.sparse import hstack

        columns = [v.transform([fields[i] for fields in texts]) for i, v in enumerate(self.vectorizers)]
        return columns[0] if len(columns) == 1 else hstack(columns, format="csr")

    def _weights(self):
        return ("coef_", "intercept_") if self.name != "nb" else ("feature_log_prob_", "class_log_prior_")

    def save(self, folder):
        """Write ngram.json and ngram.npz into a folder."""
        import numpy as np

        grams = [sorted(v.vocabulary_, key=v.vocabulary_.get) for v in self.vectorizers]
        head = {"classifier": self.name, "labels": [str(c) for c in self.model.classes_], "grams": grams}
        arrays = {name: getattr(self.model, name) for name in self._weights()}
        arrays |= {f"idf{i}": v.idf_ for i, v in enumerate(self.vectorizers)}
        file = io.BytesIO()
        np.savez_compressed(file, **arrays)
        csvio.write_bytes(Path(folder) / "ngram.npz", file.getvalue())
        csvio.write_text(Path(folder) / "ngram.json", json.dumps(head, ensure_ascii=False))

    @classmethod
    def load(cls, folder):
        """The classifier that `save` wrote into a folder."""
        import numpy as np

        try:
            head = json.loads((Path(folder) / "ngram.json").read_text(encoding="utf-8"))
            with np.load(Path(folder) / "ngram.npz", allow_pickle=False) as file:
                arrays = dict(file)
        except (OSError, ValueError) as error:
            raise InputError(f"{folder}: no saved n-gram model ({error})") from None
        self = cls(head["classifier"])
        for i, grams in enumerate(head["grams"]):
            vectorizer = _vectorizer({gram: index for index, gram in enumerate(grams)})
            vectorizer.idf_ = arrays[f"idf{i}"]
            self.vectorizers.append(vectorizer)
        self.model = _classifier(self.name, 0)
        for name in self._weights():
            setattr(self.model, name, arrays[name])
        self.model.classes_ = np.array(head["labels"])
        self.model.n_features_in_ = arrays[self._weights()[0]].shape[1]
        return self
