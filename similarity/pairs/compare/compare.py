"""Compares similarity pairs with published programs on the same corpus: the pairs that they find, time and memory.

    python3 similarity/pairs/compare/compare.py -n 10000 -n 100000
    python3 similarity/pairs/compare/compare.py -corpus FILE      # a corpus of your own

Installs the programs of requirements.txt in a virtual environment, builds the commands of this module, and
writes the corpus, all in a folder for temporary files. Then runs one program after the other, and writes a
table to standard output and to results/. The exit status is 1 if the exact programs find different pairs."""

import argparse
import datetime
import json
import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
MODULE = HERE.parent.parent  # the module similarity
SAMPLE = 2000  # rows of which sparse_dot_topn is measured when all would take hours
ALL_ROWS = 200_000  # the most documents for which it multiplies all rows


def arguments():
    parser = argparse.ArgumentParser(prog="compare.py")
    parser.add_argument("-n", type=int, action="append", help="a number of documents; default 10000 and 100000")
    parser.add_argument("-corpus", type=pathlib.Path, help="a file of documents instead of generated ones")
    parser.add_argument("-threshold", type=float, default=0.8)
    parser.add_argument("-timeout", type=float, default=900, help="seconds after which a program is stopped")
    parser.add_argument("-exact", type=pathlib.Path, help="the exact pairs, as CSV or JSONL with id1, id2 and similarity")
    parser.add_argument("-only", action="append", help="run programs whose name contains this only")
    parser.add_argument("-work", type=pathlib.Path, default=pathlib.Path(tempfile.gettempdir()) / "similarity-compare")
    parser.add_argument("-results", type=pathlib.Path, default=HERE / "results")
    return parser.parse_args()


def prepare(work):
    """Installs the programs, and runs this one again with them."""
    python = work / "venv" / "bin" / "python"
    wanted, installed = (HERE / "requirements.txt").read_text(), work / "venv" / "installed.txt"
    if not installed.exists() or installed.read_text() != wanted:
        subprocess.run([sys.executable, "-m", "venv", work / "venv"], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q", "-r", HERE / "requirements.txt"], check=True)
        installed.write_text(wanted)
    sys.dont_write_bytecode = True
    if pathlib.Path(sys.prefix) != work / "venv":
        os.execv(python, [str(python), *sys.argv])
    for package in [".", "./load/generate"]:
        subprocess.run(["go", "build", "-o", f"{work}/", package], cwd=MODULE, check=True)


def programs(work, corpus, n, threshold):
    """The programs: name, whether it is exact, command, and whether its pairs are on standard output."""
    python = work / "venv" / "bin" / "python"

    def script(name, *arguments):
        return [python, HERE / name, corpus, "PAIRS", *map(str, arguments)]

    sample = SAMPLE if n > ALL_ROWS else 0
    return [
        ("similarity pairs", True, [work / "similarity", "pairs", "-threshold", str(threshold), corpus], True),
        ("sparse_dot_topn", not sample, script("run_sparse_dot_topn.py", threshold, sample), False),
        ("datasketch, Jaccard 0.8", False, script("run_datasketch.py", threshold, 0.8), False),
        ("datasketch, Jaccard 0.5, verified", False, script("run_datasketch.py", threshold, 0.5, "verify"), False),
        ("text-dedup, Jaccard 0.8", False, script("run_text_dedup.py", 0.8), False),
    ]


def run(command, pairs, stdout, timeout):
    """Runs a program. Returns its time, peak memory of its largest process, and the JSON of its last line."""
    log, err = pairs if stdout else pairs.with_suffix(".log"), pairs.with_suffix(".err")
    command = [pairs if part == "PAIRS" else part for part in command]
    launcher = [sys.executable, "-I", "-S", HERE / "measure.py", timeout, log, err, *command]
    result = json.loads(subprocess.run(list(map(str, launcher)), check=True, stdout=subprocess.PIPE).stdout)
    status, stopped = result.pop("status"), result.pop("stopped")
    if stopped:
        return result | {"error": f"stopped after {timeout:g} s"}
    if status != 0:
        lines = err.read_text().strip().splitlines() or ["no message"]
        return result | {"error": f"exit status {status}: {lines[-1][:200]}"}
    if stdout:  # the summary has the number of candidates
        result["candidates"] = int(re.search(r"(\d+) candidates?;", err.read_text())[1])
    else:
        result |= json.loads(log.read_text().splitlines()[-1])
    return result


def compare(options, corpus, n):
    """Runs all programs on a corpus and returns their results."""
    from corpus import read_pairs

    results, reference, differences = [], None, 0
    if options.exact:
        reference = read_pairs(options.exact)
    for number, (name, exact, command, stdout) in enumerate(programs(options.work, corpus, n, options.threshold)):
        if options.only and not any(part in name for part in options.only):
            continue
        print(f"{n} documents: {name}", file=sys.stderr, flush=True)
        file = options.work / f"{n}-{number}.pairs"
        result = {"name": name, "exact": exact} | run(command, file, stdout, options.timeout)
        results.append(result)
        if "error" in result:
            continue
        found = read_pairs(file)
        result["pairs"] = len(found)
        if result.get("rows", n) < n:  # most of the time is for candidates
            part = result["phases"]["candidates"]
            result["estimated_seconds"] = round(result["seconds"] - part + part * n / result["rows"])
            continue
        if exact and reference is None:
            reference = found
        elif exact:
            different = [key for key in found.keys() | reference.keys() if found.get(key) != reference.get(key)]
            result["different"], differences = len(different), differences + len(different)
            for key in sorted(different)[:10]:
                print(f"different: {key}: {reference.get(key)}, {found.get(key)}", file=sys.stderr)
        if reference is not None:
            both = len(found.keys() & reference.keys())
            result["recall"] = both / max(1, len(reference))
            result["precision"] = both / max(1, len(found))
    return results, differences


def table(title, about):
    """A Markdown table of results."""
    lines = [
        f"{title}. Exact pairs have a similarity of {about['threshold']:g} or more.",
        f"{about['processor']}, {about['processors']} processors, {about['date']}, load average {about['load'][1]} at the end.",
        "",
        "| program | seconds | CPU seconds | peak memory, MB | candidates | pairs | recall | precision |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for r in about["programs"]:
        if "error" in r:
            cells = [f"{r['error']}", "", r["peak_mb"], "", "", "", ""]
        elif "estimated_seconds" in r:
            cells = [f"about {r['estimated_seconds']:,}, estimated from {r['rows']:,} rows", "", r["peak_mb"], "", "", "", ""]
        else:
            share = [f"{100 * r[key]:.2f} %" if key in r else "" for key in ("recall", "precision")]
            cells = [f"{r['seconds']:.1f}", f"{r['cpu_seconds']:.1f}", r["peak_mb"], r.get("candidates", ""), r["pairs"], *share]
        lines.append(f"| {r['name']} | " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines) + "\n"


def main():
    options = arguments()
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    options.work.mkdir(parents=True, exist_ok=True)
    options.work = options.work.resolve()
    prepare(options.work)
    differences = 0
    for n in [None] if options.corpus else options.n or [10_000, 100_000]:
        corpus = options.corpus
        if corpus is None:
            corpus = options.work / f"{n}.jsonl"
            subprocess.run([options.work / "generate", "documents", "-n", str(n), "-out", corpus], check=True)
            title = f"{n:,} documents of 2 KB from `generate documents -n {n}`"
        else:
            with open(corpus, "rb") as f:
                n = sum(1 for _ in f)
            title = f"{n:,} documents of {corpus.name}"
        name = f"{n}" if options.corpus is None else corpus.stem
        results, different = compare(options, corpus.resolve(), n)
        differences += different
        about = {
            "date": datetime.date.today().isoformat(),
            "processor": processor(),
            "processors": os.cpu_count(),
            "python": platform.python_version(),
            "packages": (HERE / "requirements.txt").read_text().split(),
            "documents": n,
            "bytes": corpus.stat().st_size,
            "threshold": options.threshold,
            "load": [round(x, 2) for x in os.getloadavg()],
            "programs": results,
        }
        text = table(title, about)
        print("\n" + text, flush=True)
        options.results.mkdir(parents=True, exist_ok=True)
        (options.results / f"{name}.md").write_text(text)
        (options.results / f"{name}.json").write_text(json.dumps(about, indent=2) + "\n")
    sys.exit(differences > 0)


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


if __name__ == "__main__":
    main()
