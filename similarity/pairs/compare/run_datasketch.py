"""Near duplicates with datasketch: MinHash of the set of words, and LSH. With verify, only the candidates
of at least a similarity are written, otherwise all."""

import json
import sys

import numpy as np
from datasketch import MinHash, MinHashLSH

from corpus import Phases, counts, read, similarities, words, write_pairs

corpus, out, threshold, jaccard, verify = sys.argv[1], sys.argv[2], float(sys.argv[3]), float(sys.argv[4]), sys.argv[5:] == ["verify"]
PERMUTATIONS = 128

phases = Phases()
lsh = MinHashLSH(threshold=jaccard, num_perm=PERMUTATIONS)
first, second = [], []
ids = []
sets = (ids.append(key) or set(words(text)) for key, text in read(corpus))
for i, minhash in enumerate(MinHash.generator(sets, num_perm=PERMUTATIONS)):
    for j in lsh.query(minhash):
        first.append(j)
        second.append(i)
    lsh.insert(i, minhash)
phases.end("candidates")
first, second, thousandths, found = np.array(first, int), np.array(second, int), None, len(first)
if verify:
    thousandths = similarities(counts(corpus)[1], first, second)
    keep = thousandths >= round(1000 * threshold)
    first, second, thousandths = first[keep], second[keep], thousandths[keep]
write_pairs(out, ids, first, second, thousandths)
phases.end("verify" if verify else "write")
print(json.dumps({"phases": phases.seconds, "candidates": found, "bands": lsh.b, "rows_per_band": lsh.r}))
