#!/usr/bin/env python3
"""Runs kohypar_betweenness_benchmark on several processes, layout by layout, and records times, bytes sent and memory.

usage: perf/betweenness_scaling.py [OPTION...]

Layouts are RxCxF: F copies of the graph, each on R x C processes. By default all of 1, 2, 4, ... up to --processes: one
dimension (1xPx1, Px1x1), two (as square as can be) and copies (1x1xP). Graphs are rmat:SCALE:EDGEFACTOR, files, or made
here (--make GRAPH FILE writes one for other programs):

  road:SIDE  a square mesh of which a fifth of the edges is missing, ids shuffled
  trees:N    N vertices, an R-MAT of which has about N/64 with edge factor 16; each other one is hung on one before it at
             random, ids shuffled

Writes perf/results/betweenness-scaling-MACHINE-DATE.json; with --readme also the tables between the markers in
perf/README.md, of the newest results of every machine.
Every process of a launcher picks its own GPU by the launcher's local rank. Scores of a graph must agree: where layouts of
one copy have other fingerprints, that is for the order of sums alone, which the tests hold to 1e-9.
"""

import argparse
import datetime
import json
import os
import random
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
README = FOLDER / "README.md"
BEGIN = "<!-- scaling: perf/betweenness_scaling.py --readme writes these tables -->\n"
END = "<!-- end of scaling -->\n"
KEPT = (
    "traversals folded_vertices sources_at_once teps seconds_median reduction_seconds placement_seconds "
    "traversal_seconds seconds bytes_sent peak_device_bytes fingerprint"
).split()


def say(text):
    print(f"betweenness_scaling.py: {text}", file=sys.stderr)


# --- What is run ---


def make_road(side, path):
    """Like a road network: many levels, few vertices in each. Always the same."""
    draw = random.Random(1)
    names = list(range(side * side))
    draw.shuffle(names)
    with open(path, "w", encoding="utf-8") as file:
        for vertex in range(side * side):
            for other in ([vertex + 1] if (vertex + 1) % side else []) + [vertex + side]:
                if other < side * side and draw.random() >= 0.2:
                    file.write(f"{names[vertex]} {names[other]}\n")


def make_trees(count, path):
    """Most vertices are in trees that hang on a core of few. Always the same."""
    draw = random.Random(1)
    names = list(range(count))
    draw.shuffle(names)
    scale = max(1, (count // 64).bit_length() - 1)
    core = 1 << scale
    if core > count:
        sys.exit(f"betweenness_scaling.py: trees:{count} is too small")
    with open(path, "w", encoding="utf-8") as file:
        for _ in range(16 * core):
            row = column = 0
            for _ in range(scale):
                at = draw.random()
                row = 2 * row + (at >= 0.76)
                column = 2 * column + (0.57 <= at < 0.76 or at >= 0.95)
            file.write(f"{names[row]} {names[column]}\n")
        for vertex in range(core, count):
            file.write(f"{names[vertex]} {names[draw.randrange(vertex)]}\n")


MAKERS = {"road:": make_road, "trees:": make_trees}


def make(graph, path):
    """Whether it is one of those made here, which `path` then has."""
    for prefix, maker in MAKERS.items():
        if graph.startswith(prefix):
            maker(int(graph.removeprefix(prefix)), path)
            return True
    return False


def layouts_up_to(processes):
    layouts, count = [(1, 1, 1)], 2
    while count <= processes:
        rows = max(r for r in range(1, count + 1) if count % r == 0 and r * r <= count)
        layouts += [(1, count, 1), (count, 1, 1), (rows, count // rows, 1), (1, 1, count)]
        if count >= 4:
            layouts.append((1, 2, count // 2))
        count *= 2
    return list(dict.fromkeys(layouts))


def parse_layout(text):
    parts = [int(part) for part in text.split("x")]
    if len(parts) not in (2, 3) or min(parts) < 1:
        raise argparse.ArgumentTypeError(f"{text}: expected RxC or RxCxF")
    return tuple(parts + [1])[:3]


def run(arguments, graph, path, layout, placement):
    rows, columns, replicas = layout
    processes = rows * columns * replicas
    command = [*shlex.split(arguments.launcher), "-n", str(processes)] if processes > 1 else []
    command += [str(arguments.benchmark), path, str(arguments.sources), str(arguments.runs)]
    command += [f"grid={rows}x{columns}", f"replicas={replicas}", f"place={placement}", *arguments.option]
    say(" ".join(command))
    result = {"input": graph, "layout": "x".join(map(str, layout)), "placement": placement, "processes": processes}
    result["sources"] = arguments.sources
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=arguments.timeout)
        found = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        return {**result, "error": f"more than {arguments.timeout} s"}
    except json.JSONDecodeError:
        say(f"exit code {done.returncode}: {done.stderr.strip()[-500:]}")
        return {**result, "error": f"exit code {done.returncode}: {done.stderr.strip()[-200:]}"}
    variant = found["variants"][0]
    named = {name: found[name] for name in ("version", "vertices", "edges", "mpi", "messages_through", "devices") if name in found}
    return {**result, "sources": variant["sources"], **named, **{name: variant[name] for name in KEPT}}


# --- What is recorded ---


def output_of(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    except OSError:
        return ""


def machine():
    gpus = output_of("nvidia-smi", "--query-gpu=name", "--format=csv,noheader").splitlines()
    cores = f"{os.cpu_count()} host cores"
    return (f"{len(gpus)} x {gpus[0]}, {cores}", f"{len(gpus)}-{gpus[0]}") if gpus else (cores, f"{os.cpu_count()}-cores")


def commit():
    return output_of("git", "-C", str(FOLDER), "rev-parse", "--short", "HEAD") or "unknown"


def slug(text):
    return "".join(c if c.isalnum() else "-" for c in text.lower().replace("nvidia ", "")).strip("-")


# --- Tables ---


def by_graph(record):
    """Results that did not fail, by input and number of sources."""
    groups = {}
    for result in record["results"]:
        if "error" not in result:
            groups.setdefault((result["input"], result["sources"]), []).append(result)
    return groups


def newest_records(folder):
    """The newest results of every machine."""
    records = {}
    for path in sorted(folder.glob("betweenness-scaling-*.json")):
        record = json.loads(path.read_text(encoding="utf-8"))
        if record["machine"] not in records or record["date"] >= records[record["machine"]]["date"]:
            records[record["machine"]] = record
    return list(records.values())


def table(record):
    lines = [f"{record['machine']}, {record['date']}, {record['commit']}; `{record['command']}`:\n"]
    for graph, results in by_graph(record).items():
        base = next((result["seconds_median"] for result in results if result["processes"] == 1), None)
        first = results[0]
        lines.append(f"\n{graph[0]}: {first['vertices']} vertices, {first['edges']} edges, {graph[1]} sources\n\n")
        lines.append("| layout | distribution | time | parallel efficiency | TEPS | MB sent, all processes | device memory, most of a process |\n")
        lines.append("|---|---|---|---|---|---|---|\n")
        for result in results:
            seconds = result["seconds_median"]
            efficiency = f"{base / (seconds * result['processes']):.2f}" if base else "–"
            cells = [result["layout"], result["placement"], f"{seconds:.3g} s", efficiency, f"{result['teps']:.3g}"]
            sent = sum(result["bytes_sent"]) / 1e6
            cells += [f"{sent:.0f}" if sent >= 100 else f"{sent:.3g}", f"{max(result['peak_device_bytes']) / 1e6:.4g} MB"]
            lines.append("| " + " | ".join(cells) + " |\n")
    return "".join(lines)


def with_tables(text, records):
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        sys.exit(f"betweenness_scaling.py: {README} lacks the markers of the tables")
    return before + begin + "\n" + "\n".join(map(table, records)) + "\n" + end + after


def write_readme():
    README.write_text(with_tables(README.read_text(encoding="utf-8"), newest_records(FOLDER / "results")), encoding="utf-8")


def comma_list(text):
    return [part for part in text.split(",") if part]


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    default = FOLDER.parent / "build" / "bin" / "kohypar_betweenness_benchmark"
    parser.add_argument("--benchmark", type=Path, default=default, help="the program, built with MPI (default: %(default)s)")
    parser.add_argument("--launcher", default="mpiexec", help="command that takes -n N PROGRAM (default: %(default)s)")
    parser.add_argument("--processes", type=int, default=2, help="most of them (default: %(default)s)")
    parser.add_argument("--layouts", type=comma_list, help="RxCxF,...: these instead")
    parser.add_argument("--graphs", type=comma_list, help="default: rmat:22:16; with --small rmat:14:16,road:128")
    parser.add_argument("--placements", type=comma_list, help="blocks,random,partition; default: blocks, all with --small")
    parser.add_argument("--small", action="store_true", help="for CPUs")
    parser.add_argument("--sources", type=int, help="default: 512, with --small 64")
    parser.add_argument("--runs", type=int, default=3, help="after one to warm up (default: %(default)s)")
    parser.add_argument("--option", action="append", default=[], help="more words for the benchmark")
    parser.add_argument("--timeout", type=float, default=600, help="seconds for one layout (default: %(default)s)")
    parser.add_argument("--machine", help="what the results say of the machine")
    parser.add_argument("--commit", help="what the results say of the sources")
    parser.add_argument("--shared", action="store_true", help="other work runs on this machine too")
    parser.add_argument("--readme", action="store_true", help="write the tables into perf/README.md")
    parser.add_argument("--add", action="store_true", help="keep what OUTPUT has of other graphs and numbers of sources")
    parser.add_argument("--make", nargs=2, metavar=("GRAPH", "FILE"), help="run nothing: write a road or trees graph")
    parser.add_argument("--print", type=Path, metavar="FILE", help="run nothing: print the tables of a result")
    parser.add_argument("-o", "--output", type=Path, help="instead of perf/results/betweenness-scaling-MACHINE-DATE.json")
    return parser, parser.parse_args()


def main():
    parser, arguments = parse_arguments()
    if arguments.print:
        return print(table(json.loads(arguments.print.read_text(encoding="utf-8"))), end="")
    if arguments.make:
        return None if make(*arguments.make) else parser.error(f"{arguments.make[0]} is not made here")
    if not arguments.benchmark.is_file():
        parser.error(f"there is no {arguments.benchmark}; build it with -DKOHYPAR_BUILD_PERF=ON -DKOHYPAR_WITH_MPI=ON")
    graphs = arguments.graphs or (["rmat:14:16", "road:128"] if arguments.small else ["rmat:22:16"])
    placements = arguments.placements or (["blocks", "random", "partition"] if arguments.small else ["blocks"])
    arguments.sources = arguments.sources if arguments.sources is not None else (64 if arguments.small else 512)
    try:
        layouts = [parse_layout(text) for text in arguments.layouts or []] or layouts_up_to(arguments.processes)
    except (ValueError, argparse.ArgumentTypeError) as error:
        parser.error(f"--layouts: {error}")
    described, name = machine()
    record = {
        "kind": "betweenness-scaling",
        "machine": arguments.machine or described,
        "shared": arguments.shared,
        "date": datetime.date.today().isoformat(),
        "commit": arguments.commit or commit(),
        "command": f"kohypar_betweenness_benchmark GRAPH SOURCES {arguments.runs} grid=RxC replicas=F place=WHICH",
        "results": [],
    }
    output = arguments.output or FOLDER / "results" / f"betweenness-scaling-{slug(name)}-{record['date']}.json"
    if arguments.add and output.exists():
        old = json.loads(output.read_text(encoding="utf-8"))["results"]
        renewed = {(graph, arguments.sources) for graph in graphs}
        record["results"] = [result for result in old if (result["input"], result["sources"]) not in renewed]
    with tempfile.TemporaryDirectory() as scratch:
        for graph in graphs:
            path = graph
            made = str(Path(scratch) / f"{slug(graph)}.txt")
            if make(graph, made):
                path = made
            for layout in layouts:
                # Where nobody shares a copy, there is nothing to place.
                for placement in placements if layout[0] * layout[1] > 1 else ["blocks"]:
                    record["results"].append(run(arguments, graph, path, layout, placement))
                    output.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    say(f"{output} written")
    if arguments.readme:
        write_readme()
    print(table(record), end="")
    return sys.exit(1 if any("error" in result for result in record["results"]) else 0)


if __name__ == "__main__":
    main()
