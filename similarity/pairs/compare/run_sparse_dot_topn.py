"""All pairs of at least a similarity, with sparse_dot_topn: candidates are all pairs with that cosine of
their counts, which the similarity never exceeds. The result is exact.

With a sample, only that many rows are multiplied with all others, to estimate the time of all."""

import json
import sys

import numpy as np
from sparse_dot_topn import sp_matmul_topn

from corpus import Phases, counts, similarities, write_pairs

corpus, out, threshold, sample = sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4])
TOP, ROWS = 8192, 1000  # the most pairs of a document; rows at a time

phases = Phases()
ids, matrix = counts(corpus)
phases.end("words")
unit = matrix.copy()
unit.data /= np.repeat(np.sqrt(np.add.reduceat(unit.data.astype(np.float64) ** 2, unit.indptr[:-1])), np.diff(unit.indptr))
transposed = unit.T.tocsr()
first, second = [], []
for at in range(0, min(sample or len(ids), len(ids)), ROWS):
    # The similarity is rounded to thousandths, and the cosine is of 24 bits.
    found = sp_matmul_topn(unit[at : at + ROWS], transposed, top_n=TOP, threshold=threshold - 0.0006, n_threads=2)
    if np.diff(found.indptr).max() >= min(TOP, len(ids)):
        sys.exit(f"a document has {TOP} pairs or more")
    found = found.tocoo()
    row = found.row + at
    first.append(row[row < found.col])
    second.append(found.col[row < found.col])
first, second = np.concatenate(first), np.concatenate(second)
phases.end("candidates")
thousandths = similarities(matrix, first, second)
keep = thousandths >= round(1000 * threshold)
write_pairs(out, ids, first[keep], second[keep], thousandths[keep])
phases.end("verify")
print(json.dumps({"phases": phases.seconds, "candidates": len(first), "rows": min(sample or len(ids), len(ids))}))
