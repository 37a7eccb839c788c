#!/usr/bin/env python3
"""Changes one knob of the partitioner at a time, as Figure 16 of arXiv 2605.20497 does, on small networks.

usage: perf/ablation.py [--benchmark FILE] [--seeds N] [--check]

Runs kohypar_partition_benchmark with one search on the device's path (--effort fast --host-search off), so that no
choice among searches hides what a knob does; one more row lets the host search. Writes perf/results/ablation.json and
the table between the markers in perf/README.md. Both hold counts only, no times, and are the same on every backend.
"""

import argparse
import json
import math
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
RESULTS = FOLDER / "results" / "ablation.json"
README = FOLDER / "README.md"
BEGIN, END = "<!-- ablation: perf/ablation.py writes this table -->\n", "<!-- end of ablation -->\n"

# Network, Ω, Δ.
NETWORKS = [("lenet", 1024, 4096), ("model:12:3:1:6", 128, 512), ("rand:2048:24", 256, 600)]

DEVICE_PATH = ["--host-search", "off"]
KNOBS = [
    ("all as it is: Π 4, Θ 16", DEVICE_PATH),
    ("Π 1", [*DEVICE_PATH, "--candidates", "1"]),
    ("Π 2", [*DEVICE_PATH, "--candidates", "2"]),
    ("Π 8", [*DEVICE_PATH, "--candidates", "8"]),
    ("no noise in ratings", [*DEVICE_PATH, "--without-noise"]),
    ("Θ 0", [*DEVICE_PATH, "--refinement-rounds", "0"]),
    ("Θ 4", [*DEVICE_PATH, "--refinement-rounds", "4"]),
    ("Θ 8", [*DEVICE_PATH, "--refinement-rounds", "8"]),
    ("Θ 32", [*DEVICE_PATH, "--refinement-rounds", "32"]),
    ("no merging of parts", [*DEVICE_PATH, "--without-merging"]),
    ("no chaining of moves", [*DEVICE_PATH, "--without-chaining"]),
    ("host search, as small cores have by default", ["--host-search", "on"]),
]


def benchmark(program, network, seed, options):
    name, max_size, max_inbound = network
    command = [program, name, "--max-size", str(max_size), "--max-inbound", str(max_inbound), "--runs", "0"]
    command += ["--effort", "fast", "--seed", str(seed), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"ablation.py: {' '.join(command)}: exit code {done.returncode}: {done.stderr.strip()}")
    result = json.loads(done.stdout)
    if not result["valid"]:
        sys.exit(f"ablation.py: {' '.join(command)}: the partition is not valid")
    return {
        "input": name,
        "seed": seed,
        "connectivity": result["connectivity"],
        "parts": result["parts"],
        **result["work"],
    }


def measure(program, seeds):
    rows = []
    for knob, options in KNOBS:
        print(f"ablation.py: {knob}", file=sys.stderr)
        results = [benchmark(program, network, seed, options) for network in NETWORKS for seed in range(1, seeds + 1)]
        rows.append({"knob": knob, "options": " ".join(options), "results": results})
    return rows


def commit():
    command = ["git", "-C", str(FOLDER), "rev-parse", "--short", "HEAD"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"


# --- The table ---


def of_network(row, name, member):
    return [result[member] for result in row["results"] if result["input"] == name]


def mean(values):
    return sum(values) / len(values)


def relative(row, base, member):
    """Geometric mean over the networks of what the row needs next to the first row."""
    ratios = [mean(of_network(row, name, member)) / mean(of_network(base, name, member)) for name, _, _ in NETWORKS]
    if min(ratios) <= 0:
        return "–"
    return f"{math.exp(mean([math.log(ratio) for ratio in ratios])):.2f}"


def table(rows):
    header = ["one search on the device's path, but"] + [
        f"{name} ({size}, {inbound})" for name, size, inbound in NETWORKS
    ]
    header += ["kernels", "sorted bytes", "visited pins"]
    lines = [header, ["---"] * len(header)]
    for row in rows:
        cells = [row["knob"]]
        for name, _, _ in NETWORKS:
            connectivity = of_network(row, name, "connectivity")
            parts = mean(of_network(row, name, "parts"))
            cells.append(f"{mean(connectivity):.1f}, {min(connectivity):.1f} ({parts:.1f})")
        cells += [relative(row, rows[0], member) for member in ("kernels", "sorted_bytes", "visited_pins")]
        lines.append(cells)
    return "".join("| " + " | ".join(cells) + " |\n" for cells in lines)


def with_table(text, rows):
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        sys.exit(f"ablation.py: {README} lacks the markers of the table")
    return before + begin + "\n" + table(rows) + "\n" + end + after


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    default = FOLDER.parent / "build" / "bin" / "kohypar_partition_benchmark"
    parser.add_argument("--benchmark", type=Path, default=default, help="the program (default: %(default)s)")
    parser.add_argument("--seeds", type=int, default=6, help="seeds 1 to N (default: %(default)s)")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if the table would change")
    arguments = parser.parse_args()
    if not arguments.benchmark.is_file():
        parser.error(f"there is no {arguments.benchmark}; build it with -DKOHYPAR_BUILD_PERF=ON")
    if arguments.seeds < 1:
        parser.error("--seeds takes at least 1")
    rows = measure(str(arguments.benchmark), arguments.seeds)
    old = README.read_text(encoding="utf-8")
    new = with_table(old, rows)
    if arguments.check:
        sys.exit(0 if new == old else "ablation.py: the table in perf/README.md is not what the runs give")
    record = {"commit": commit(), "seeds": arguments.seeds, "effort": "fast", "rows": rows}
    RESULTS.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    README.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main()
