#!/usr/bin/env python3
"""Runs KoHyPar and Mt-KaHyPar on the same hypergraphs, in turn, on the same threads, and records km1 and times.

usage:
  perf/compare_mtkahypar.py constrained [--network model:32:4:1:16] [--max-size 1024] [OPTION...]
  perf/compare_mtkahypar.py limit FOLDER [--max-size 256,1024] [--instances ibm01,ibm02] [OPTION...]
  perf/compare_mtkahypar.py kway FOLDER [-k 2,4,8,16] [--epsilon 0.03] [--instances ibm01,ibm02] [OPTION...]
  perf/compare_mtkahypar.py table FILE

constrained: a generated network as .hgr, its weights scaled to what Mt-KaHyPar can add up; KoHyPar gets the size limit,
Mt-KaHyPar as many parts as KoHyPar made, and the imbalance that gives them the same limit. limit: the same with every
*.hgr and *.hgr.gz of FOLDER (but for *.weight.hgr.gz), nodes of size 1. kway: the same files, the same k and imbalance
for both. `kohypar evaluate` judges all partitions. They write perf/results/mtkahypar-MODE-DATE.json, which `table`
prints as a table and, for kway, plot.py draws. On a machine with other load only ratios of times mean anything. Needs the package mtkahypar.
"""

import argparse
import datetime
import gzip
import importlib.metadata
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

FOLDER = Path(__file__).resolve().parent


def fail(text):
    sys.exit(f"compare_mtkahypar.py: {text}")


class KoHyPar:
    """The program, and its evaluation of anybody's partitions."""

    name = "KoHyPar"

    def __init__(self, program, threads, scratch):
        self.program, self.threads, self.scratch = program, threads, scratch

    def run(self, *arguments):
        return subprocess.run([self.program, *arguments], capture_output=True, text=True, check=False)

    def must_run(self, *arguments):
        done = self.run(*arguments)
        if done.returncode != 0:
            fail(f"kohypar {' '.join(arguments)}: {done.stderr.strip()}")
        return done.stdout.strip()

    def partition(self, path, effort, seed, *goal):
        """The partition's file and the seconds from host memory to host memory."""
        parts, report = self.scratch / "kohypar.part", self.scratch / "kohypar.json"
        options = ["--effort", effort, "--seed", str(seed), "--quiet", f"--kokkos-num-threads={self.threads}"]
        self.must_run("partition", str(path), *goal, "-o", str(parts), "--report", str(report), *options)
        return parts, json.loads(report.read_text(encoding="utf-8"))["run"]["partition_seconds"]

    def metrics(self, path, parts):
        report = self.scratch / "evaluation.json"
        self.must_run("evaluate", str(path), str(parts), "--report", str(report), "--quiet")
        return json.loads(report.read_text(encoding="utf-8"))["metrics"]

    def require_k(self, path):
        done = self.run("partition", str(path), "-k", "2", "-e", "0.1", "-o", str(self.scratch / "probe.part"))
        if done.returncode != 0:
            fail(f"this kohypar does no balanced k-way partitioning: {done.stderr.strip().splitlines()[0]}")


class MtKaHyPar:
    name = "Mt-KaHyPar"

    def __init__(self, threads, scratch):
        try:
            import mtkahypar
        except ImportError:
            fail("the package mtkahypar is missing (pip install mtkahypar)")
        self.library, self.scratch = mtkahypar, scratch
        self.machine = mtkahypar.initialize(threads)

    def partition(self, path, preset, seed, k, epsilon):
        """The partition's file and the seconds from the hypergraph in memory on."""
        context = self.machine.context_from_preset(self.library.PresetType.__members__[preset.upper()])
        context.set_partitioning_parameters(k, epsilon, self.library.Objective.KM1)
        context.logging = False
        self.library.set_seed(seed)
        hypergraph = self.machine.hypergraph_from_file(str(path), context)
        start = time.perf_counter()
        partitioned = hypergraph.partition(context)
        seconds = time.perf_counter() - start
        parts = self.scratch / "mtkahypar.part"
        partitioned.write_partition_to_file(str(parts))
        return parts, seconds


class Comparison:
    """Collects the runs of both and writes them down after each, so that an interruption loses nothing."""

    def __init__(self, arguments, scratch):
        self.arguments = arguments
        self.kohypar = KoHyPar(str(arguments.kohypar), arguments.threads, scratch)
        self.rival = MtKaHyPar(arguments.threads, scratch)
        today = datetime.date.today().isoformat()
        self.output = arguments.output or FOLDER / "results" / f"mtkahypar-{arguments.mode}-{today}.json"
        if self.output.exists():
            fail(f"{self.output} is there already; name another file with -o, or remove it")
        self.record = {
            "comparison": arguments.mode,
            "machine": arguments.machine or f"{os.cpu_count()} cores",
            "date": today,
            "commit": commit(),
            "arguments": " ".join(sys.argv[1:]),
            "threads": arguments.threads,
            "kohypar": self.kohypar.must_run("--version"),
            "mtkahypar": importlib.metadata.version("mtkahypar"),
            "runs": [],
        }

    def add(self, tool, variant, seed, path, goal, found):
        """goal: (k, epsilon), or (None, epsilon) where the number of parts is a result."""
        parts, seconds = found
        metrics = self.kohypar.metrics(path, parts)
        run = {
            "input": path.name.removesuffix(".hgr"),
            "tool": tool.name,
            "variant": variant,
            "seed": seed,
            "k": goal[0],
            "epsilon": goal[1],
            "parts": metrics["parts"],
            "km1": metrics["connectivity"],
            "imbalance": metrics["imbalance"],
            "seconds": seconds,
        }
        self.record["runs"].append(run)
        self.output.write_text(json.dumps(self.record, indent=1) + "\n", encoding="utf-8")
        print(
            f"{run['input']} {tool.name} {variant}, seed {seed}: km1 {run['km1']:.10g}, {run['parts']} parts, "
            f"{seconds:.2f} s",
            file=sys.stderr,
        )
        return run


def commit():
    command = ["git", "-C", str(FOLDER), "rev-parse", "--short", "HEAD"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip() or "unknown"


# --- Under a size limit ---


def narrow_weights(source, target):
    """Scales hyperedge weights down to what Mt-KaHyPar's 32 bits can add up; returns the number of nodes."""
    head, *lines = source.read_text(encoding="ascii").splitlines()
    weights = [int(line.split(maxsplit=1)[0]) for line in lines]
    weight_of_pins = sum(weight * line.count(" ") for weight, line in zip(weights, lines, strict=True))
    divisor = max(1, weight_of_pins / 2**30)
    with target.open("w", encoding="ascii") as out:
        print(head, file=out)
        for weight, line in zip(weights, lines, strict=True):
            print(max(1, round(weight / divisor)), line.split(maxsplit=1)[1], file=out)
    return int(head.split()[1])


def compare_constrained(arguments, scratch):
    comparison = Comparison(arguments, scratch)
    kohypar = comparison.kohypar
    snn, wide = scratch / "network.snn", scratch / "wide.hgr"
    hgr = scratch / (arguments.network.replace(":", "_") + ".hgr")
    kohypar.must_run("generate", arguments.network, "-o", str(snn))
    kohypar.must_run("convert", str(snn), str(wide), "--lossy", "--quiet")
    num_nodes = narrow_weights(wide, hgr)
    direction = [] if arguments.undirected else ["--first-pin-is-source"]
    compare_under(comparison, hgr, num_nodes, arguments.max_size, direction)
    return comparison


def compare_under(comparison, hgr, num_nodes, max_size, direction):
    arguments, kohypar = comparison.arguments, comparison.kohypar
    for seed in arguments.seeds:
        for effort in arguments.efforts:
            found = kohypar.partition(hgr, effort, seed, "--max-size", str(max_size), *direction)
            run = comparison.add(kohypar, effort, seed, hgr, (None, None), found)
        k = run["parts"]
        epsilon = max_size / math.ceil(num_nodes / k) - 1
        for preset in arguments.presets:
            found = comparison.rival.partition(hgr, preset, seed, k, epsilon)
            comparison.add(comparison.rival, preset, seed, hgr, (None, epsilon), found)


def compare_limit(arguments, scratch):
    comparison = Comparison(arguments, scratch)
    for path in instances_of(arguments.folder, arguments.instances):
        for max_size in arguments.max_size:
            hgr = unpacked(path, scratch)
            hgr = hgr.rename(scratch / f"{hgr.stem}-{max_size}.hgr")
            with hgr.open(encoding="ascii") as lines:
                num_nodes = int(next(lines).split()[1])
            compare_under(comparison, hgr, num_nodes, max_size, [])
            hgr.unlink()
    return comparison


# --- Balanced k-way ---


def instances_of(folder, names):
    paths = {path.name.split(".hgr")[0]: path for path in sorted(folder.glob("*.hgr*"))}
    paths = {name: path for name, path in paths.items() if not name.endswith(".weight")}
    missing = [name for name in names or [] if name not in paths]
    if missing or not paths:
        fail(f"{folder} has no {', '.join(missing) or '*.hgr or *.hgr.gz'}")
    return [paths[name] for name in names or paths]


def unpacked(path, scratch):
    target = scratch / (path.name.split(".hgr")[0] + ".hgr")
    with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as source, target.open("wb") as copy:
        shutil.copyfileobj(source, copy)
    return target


def compare_kway(arguments, scratch):
    paths = instances_of(arguments.folder, arguments.instances)
    comparison = Comparison(arguments, scratch)
    comparison.kohypar.require_k(paths[0])
    epsilon = arguments.epsilon
    for path in paths:
        hgr = unpacked(path, scratch)
        for k in arguments.k:
            for seed in arguments.seeds:
                for effort in arguments.efforts:
                    found = comparison.kohypar.partition(hgr, effort, seed, "-k", str(k), "-e", str(epsilon))
                    comparison.add(comparison.kohypar, effort, seed, hgr, (k, epsilon), found)
                for preset in arguments.presets:
                    found = comparison.rival.partition(hgr, preset, seed, k, epsilon)
                    comparison.add(comparison.rival, preset, seed, hgr, (k, epsilon), found)
        hgr.unlink()
    return comparison


# --- The table ---


def geometric_mean(values):
    return math.exp(sum(math.log(value) for value in values) / len(values)) if min(values) > 0 else 0.0


def means(runs):
    """{(tool, variant): {(input, k): (mean km1, mean seconds)}}"""
    groups = {}
    for run in runs:
        groups.setdefault((run["tool"], run["variant"]), {}).setdefault((run["input"], run["k"]), []).append(run)
    return {
        who: {
            what: tuple(sum(run[member] for run in same) / len(same) for member in ("km1", "seconds"))
            for what, same in by_instance.items()
        }
        for who, by_instance in groups.items()
    }


def relative_to_first_rival(record):
    """The rival's first variant, and per (tool, variant) and instance km1 and seconds relative to it."""
    of_all = means(record["runs"])
    base = next(who for who in of_all if who[0] == MtKaHyPar.name)
    return base, {
        who: {
            what: (km1 / of_all[base][what][0], seconds / of_all[base][what][1])
            for what, (km1, seconds) in results.items()
            if what in of_all[base] and of_all[base][what][0] > 0
        }
        for who, results in of_all.items()
    }


def table(record):
    base, relative = relative_to_first_rival(record)
    ks = sorted({k for results in relative.values() for _, k in results if k is not None})
    header = ["", *[f"km1, k = {k}" for k in ks], "km1" + (", all k" if ks else ""), "time"]
    lines = [header, ["---"] * len(header)]
    for who, results in relative.items():
        cells = [" ".join(who)]
        for k in ks:
            cells.append(f"{geometric_mean([km1 for (_, of_k), (km1, _) in results.items() if of_k == k]):.3f}")
        cells.append(f"{geometric_mean([km1 for km1, _ in results.values()]):.3f}")
        cells.append(f"{geometric_mean([seconds for _, seconds in results.values()]):.3f}")
        lines.append(cells)
    caption = f"Relative to {' '.join(base)}, geometric means; {record['threads']} threads of {record['machine']}\n\n"
    return caption + "".join("| " + " | ".join(cells) + " |\n" for cells in lines)


# --- Arguments ---


def comma_list(kind):
    return lambda text: [kind(item) for item in text.split(",")]


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    modes = parser.add_subparsers(dest="mode", required=True)
    common = argparse.ArgumentParser(add_help=False)
    program = FOLDER.parent / "build" / "bin" / "kohypar"
    common.add_argument("--kohypar", type=Path, default=program, help="the program (default: %(default)s)")
    common.add_argument("--threads", type=int, default=2, help="of both (default: %(default)s)")
    common.add_argument("--seeds", type=comma_list(int), default=[1], help="default: 1")
    common.add_argument("--efforts", type=comma_list(str), default=["default"], help="KoHyPar's (default: default)")
    common.add_argument(
        "--presets",
        type=comma_list(str),
        default=["default"],
        help="Mt-KaHyPar's: default, quality, deterministic, ... (default: default)",
    )
    common.add_argument("--machine", help="what the results say of the machine")
    common.add_argument("-o", "--output", type=Path, help="the file of results")
    constrained = modes.add_parser("constrained", parents=[common])
    constrained.add_argument("--network", default="model:32:4:1:16")
    constrained.add_argument("--max-size", type=int, default=1024)
    constrained.add_argument(
        "--undirected", action="store_true", help="let KoHyPar not know that hyperedges start with their source"
    )
    of_folder = argparse.ArgumentParser(add_help=False)
    of_folder.add_argument("folder", type=Path)
    of_folder.add_argument("--instances", type=comma_list(str), help="default: all of FOLDER")
    limit = modes.add_parser("limit", parents=[of_folder, common])
    limit.add_argument("--max-size", type=comma_list(int), default=[256, 1024], help="default: 256,1024")
    kway = modes.add_parser("kway", parents=[of_folder, common])
    kway.add_argument("-k", type=comma_list(int), default=[2, 4, 8, 16], help="default: 2,4,8,16")
    kway.add_argument("--epsilon", type=float, default=0.03, help="default: %(default)s")
    modes.add_parser("table").add_argument("file", type=Path)
    return parser, parser.parse_args()


def check(parser, arguments):
    if not arguments.kohypar.is_file():
        parser.error(f"there is no {arguments.kohypar}; build it, or name it with --kohypar")
    if arguments.mode in ("kway", "limit") and not arguments.folder.is_dir():
        parser.error(f"there is no folder {arguments.folder}")


def main():
    parser, arguments = parse_arguments()
    if arguments.mode == "table":
        print(table(json.loads(arguments.file.read_text(encoding="utf-8"))), end="")
        return
    check(parser, arguments)
    with tempfile.TemporaryDirectory() as scratch:
        compare = {"constrained": compare_constrained, "limit": compare_limit, "kway": compare_kway}[arguments.mode]
        comparison = compare(arguments, Path(scratch))
    print(table(comparison.record), end="")
    print(f"{comparison.output} written", file=sys.stderr)


if __name__ == "__main__":
    main()
