"""Near duplicates with text-dedup: MinHash of the set of words, LSH, and clusters. Two documents of a
cluster are a pair."""

import itertools
import json
import pickle
import subprocess
import sys
import tempfile

from corpus import Phases, read, write_pairs

corpus, out, jaccard = sys.argv[1], sys.argv[2], sys.argv[3]
phases = Phases()
with tempfile.TemporaryDirectory() as scratch:
    subprocess.run(
        [sys.executable, "-m", "text_dedup.minhash", "--path", "json", "--data_files", corpus, "--split", "train"]
        + ["--cache_dir", scratch + "/cache", "--output", scratch + "/out", "--column", "text", "--ngram", "1"]
        + ["--num_perm", "128", "--threshold", jaccard, "--num_proc", "2", "--debug"],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    phases.end("text_dedup.minhash")
    with open(scratch + "/out/uf.pkl", "rb") as f:
        clusters = pickle.load(f)
members = {}
for i in list(clusters.parent):
    members.setdefault(clusters.find(i), []).append(i)
ids = [key for key, _ in read(corpus)]
pairs = [pair for cluster in members.values() for pair in itertools.combinations(sorted(cluster), 2)]
write_pairs(out, ids, [a for a, _ in pairs], [b for _, b in pairs])
phases.end("write")
print(json.dumps({"phases": phases.seconds, "candidates": len(pairs)}))
