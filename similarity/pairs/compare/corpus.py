"""Documents, their words, and their similarity, as in package similarity/score."""

import array
import csv
import json
import resource
import time

import numpy as np
from scipy.sparse import csr_matrix

KEPT = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_\t\n\f\r "
DELETED = bytes(b for b in range(256) if b not in KEPT)
LOWER = bytes(range(256)).lower()


def words(text):
    """The words of a text: [0-9A-Za-z_] in lower case. A text without words has an empty one."""
    if not text.isascii():  # two characters outside ASCII have a small letter inside
        text = text.replace("\u212a", "k").replace("\u0130", "i")
    return text.encode().translate(LOWER, DELETED).split() or [b""]


def read(name):
    """Yields the identifier and the text of each document of a file, a JSON object per line."""
    with open(name, encoding="utf-8") as f:
        for line in f:
            document = json.loads(line)
            yield str(document["id"]), document["text"]


def counts(name):
    """The identifiers of the documents of a file, and a matrix with the count of each word in each document."""
    ids, known, data, indices, lengths = [], {}, array.array("f"), array.array("i"), [0]
    for key, text in read(name):
        ids.append(key)
        here = {}
        for word in words(text):
            number = known.setdefault(word, len(known))
            here[number] = here.get(number, 0) + 1
        indices.extend(here)
        data.extend(here.values())
        lengths.append(len(indices))
    matrix = csr_matrix((np.frombuffer(data, np.float32), np.frombuffer(indices, np.int32), lengths), (len(ids), len(known)))
    return ids, matrix


def similarities(matrix, first, second):
    """The similarities of pairs of rows, in thousandths."""
    alpha, beta = np.log(2) ** 2, np.log(5 / 3) ** 2
    result = np.zeros(len(first), np.int64)
    for at in range(0, len(first), 2_000):
        x, y = (matrix[i[at : at + 2_000]].astype(np.float64) for i in (first, second))
        x2, y2 = x.multiply(x).tocsr(), y.multiply(y).tocsr()
        has_x, has_y = x.copy(), y.copy()
        has_x.data[:], has_y.data[:] = 1, 1
        product, both1, both2, all1, all2 = (
            np.asarray(s.sum(axis=1)).ravel() for s in (x.multiply(y), x2.multiply(has_y), y2.multiply(has_x), x2, y2)
        )
        norm = (alpha * (all1 - both1) + beta * both1) * (alpha * (all2 - both2) + beta * both2)
        exact = 1000 * beta * product / np.sqrt(norm)
        rounded = np.floor(exact + 0.5).astype(np.int64)
        for i in np.flatnonzero((all1 == both1) & (all2 == both2) & (np.abs(exact % 1 - 0.5) < 1e-6)):
            n = int(exact[i])  # halves occur; n+1 if 1000·product/√(all1·all2) ≥ (2n+1)/2
            rounded[i] = n + ((2000 * int(product[i])) ** 2 >= (2 * n + 1) ** 2 * int(all1[i]) * int(all2[i]))
        result[at : at + 2_000] = np.minimum(rounded, 1000)
    return result


def read_pairs(name):
    """The pairs of a file, as a dictionary of (id1, id2) in order to thousandths or None.

    The file has JSON objects with the keys id1, id2 and similarity, one per line, or is CSV with these columns."""
    pairs = {}
    with open(name, encoding="utf-8", newline="") as f:
        start = f.read(1)
        f.seek(0)
        for row in map(json.loads, f) if start == "{" else csv.DictReader(f):
            value = row.get("similarity")
            key = tuple(sorted((str(row["id1"]), str(row["id2"]))))
            pairs[key] = round(1000 * float(value)) if value not in (None, "") else None
    return pairs


def write_pairs(name, ids, first, second, thousandths=None):
    """Writes pairs of rows as CSV."""
    with open(name, "w", encoding="utf-8", newline="") as f:
        out = csv.writer(f)
        out.writerow(["id1", "id2", "similarity"])
        for i, (a, b) in enumerate(zip(first, second)):
            out.writerow([ids[a], ids[b], "" if thousandths is None else f"{thousandths[i] / 1000:.3f}"])


class Phases:
    """Measures how long the phases of a program take."""

    def __init__(self):
        self.seconds, self.last = {}, time.monotonic()

    def end(self, name):
        now = time.monotonic()
        self.seconds[name], self.last = round(now - self.last, 2), now
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        print(f"  {name}: {self.seconds[name]} s, peak memory {peak >> 10} MB", flush=True)
