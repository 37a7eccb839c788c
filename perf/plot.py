#!/usr/bin/env python3
"""Draws perf/plots/*.svg from the results that perf/run.sh records and from those of peers.

usage: perf/plot.py [--results FOLDER] [--plots FOLDER]

  time.svg    time against pins
  phases.svg  where the time goes
  memory.svg  device memory level by level
  kway.svg    km1 and time of KoHyPar and Mt-KaHyPar, instance by instance
  scaling-*.svg  betweenness centrality on several processes: time, parallel efficiency, bytes sent

The same results give the same files. Which results lack what a plot needs is said on standard error. Needs matplotlib
(Debian: python3-matplotlib).
"""

import argparse
import json
import sys
from pathlib import Path

import matplotlib
from betweenness_scaling import by_graph, newest_records
from compare_mtkahypar import relative_to_first_rival
from matplotlib import pyplot

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.hashsalt": "KoHyPar", "svg.fonttype": "none", "font.size": 9})

FOLDER = Path(__file__).resolve().parent
REST = "copies and the rest"


def say(text):
    print(f"plot.py: {text}", file=sys.stderr)


def read_records(folder):
    """What perf/run.sh has written, shared machines before others, then by date; "file" is added, the file's name."""
    records = []
    for path in sorted(folder.glob("*.json")):
        record = json.loads(path.read_text(encoding="utf-8"))
        if is_record(record):
            records.append({**record, "file": path.name})
    return sorted(records, key=lambda record: (not record.get("shared", False), record["date"], record["file"]))


def is_record(record):
    """Records of another kind than perf/run.sh's say which."""
    return "date" in record and "kind" not in record and any("phases" in result or "failure" in result for result in record.get("results", []))


def results_with(record, member, plot):
    """The record's results that have the member and did not fail; says which lack it."""
    chosen = []
    for result in record["results"]:
        if "failure" in result:
            say(f"{plot}: {record['file']}: {result['input']} failed: {result['failure']}")
        elif not result.get(member):
            say(f"{plot}: {record['file']}: {result['input']} has no {member}")
        else:
            chosen.append(result)
    return chosen


def timed(records, plot):
    """Records whose times mean something by themselves."""
    for record in records:
        if record.get("shared"):
            say(f"{plot}: {record['file']}: left out, for the machine was shared")
    return [record for record in records if not record.get("shared")]


def last_with(records, member, plot):
    """The last record with such results, and these."""
    for record in reversed(records):
        if results := results_with(record, member, plot):
            return record, results
    return None, []


def save(figure, folder, name):
    folder.mkdir(parents=True, exist_ok=True)
    figure.savefig(folder / name, metadata={"Date": None, "Creator": None}, bbox_inches="tight")
    pyplot.close(figure)
    say(f"{folder / name} written")


# --- Time against pins ---


def plot_time(records, peers, folder):
    series = [(record, results_with(record, "seconds_median", "time.svg")) for record in timed(records, "time.svg")]
    series = [(record, results) for record, results in series if results]
    if not series:
        return say("time.svg: no result has a time")
    figure, axes = pyplot.subplots(figsize=(7, 4.2))
    for record, results in series:
        axes.scatter(
            [result["pins"] for result in results],
            [result["seconds_median"] for result in results],
            label=f"KoHyPar, {record['machine']}, {record['date']}",
        )
        for result in results:
            axes.annotate(
                result["input"], (result["pins"], result["seconds_median"]), (4, -10), textcoords="offset points"
            )
    for peer in peers:
        draw_peer(axes, peer)
    axes.set(xscale="log", yscale="log", xlabel="pins", ylabel="time of a run in s")
    axes.grid(alpha=0.3)
    axes.legend(loc="upper left", bbox_to_anchor=(0, -0.14), frameon=False)
    return save(figure, folder, "time.svg")


def draw_peer(axes, peer):
    finished = [result for result in peer["results"] if "seconds" in result]
    points = axes.scatter(
        [result["pins"] for result in finished],
        [result["seconds"] for result in finished],
        marker="s",
        label=f"{peer['name']}, {peer['machine']}",
    )
    unfinished = [result for result in peer["results"] if "seconds_above" in result]
    if unfinished:
        axes.scatter(
            [result["pins"] for result in unfinished],
            [result["seconds_above"] for result in unfinished],
            marker="^",
            facecolors="none",
            edgecolors=points.get_facecolor(),
            label=f"{peer['name']}, ended after that time",
        )


# --- Time by phase ---


def plot_phases(records, folder):
    record, results = last_with(timed(records, "phases.svg"), "seconds_median", "phases.svg")
    if not results:
        return say("phases.svg: no result has a time")
    phases = list(dict.fromkeys(phase for result in results for phase in result["phases"])) + [REST]
    figure, axes = pyplot.subplots(figsize=(7, 0.8 + 0.35 * len(results)))
    colors = pyplot.get_cmap("tab20").colors
    names = [f"{result['input']}  {1000 * result['seconds_median']:.0f} ms" for result in results]
    left = [0.0] * len(results)
    for index, phase in enumerate(phases):
        widths = [share(result, phase) for result in results]
        axes.barh(names, widths, left=left, label=phase, color=colors[index % len(colors)])
        left = [start + width for start, width in zip(left, widths)]
    axes.invert_yaxis()
    axes.set(xlim=(0, 100), xlabel=f"% of the time of a run; {record['machine']}, {record['date']}")
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)
    return save(figure, folder, "phases.svg")


def share(result, phase):
    """Percent of a run; phases are those of one run, which may have taken longer than the median one."""
    phases = result["phases"]
    total = max(sum(phases.values()), result["seconds_median"])
    seconds = total - sum(phases.values()) if phase == REST else phases.get(phase, 0)
    return 100 * seconds / total


# --- Memory by level ---


def plot_memory(records, folder):
    record, results = last_with(records, "memory", "memory.svg")
    if not results:
        return say("memory.svg: no result has memory by level; perf/run.sh records it")
    columns = 2
    rows = (len(results) + columns - 1) // columns
    figure, grid = pyplot.subplots(rows, columns, figsize=(8, 2.2 * rows), squeeze=False)
    for axes, result in zip(grid.flat, results):
        draw_memory(axes, result)
    for axes in list(grid.flat)[len(results) :]:
        axes.set_visible(False)
    grid[0][0].legend(frameon=False)
    figure.supxlabel(
        f"levels in the order in which phases leave them; {record['machine']}, {record['date']}", fontsize=9
    )
    figure.supylabel("device memory in MB", fontsize=9)
    figure.tight_layout()
    return save(figure, folder, "memory.svg")


def draw_memory(axes, result):
    steps = result["memory"]
    xs = range(len(steps))
    peaks, lives = ([step[member] / 1e6 for step in steps] for member in ("peak_bytes", "live_bytes"))
    axes.step(xs, peaks, where="mid", linewidth=4, alpha=0.4, label="most since the level before")
    axes.step(xs, lives, where="mid", label="allocated, idle pool blocks included")
    axes.set_title(f"{result['input']}, {result['pins'] / 1e6:.2g} M pins", fontsize=9)
    axes.set_ylim(bottom=0)
    if len(steps) <= 12:
        axes.set_xticks(
            list(xs), [f"{step['phase']} {step['level']}" for step in steps], rotation=30, ha="right", fontsize=7
        )
    axes.grid(alpha=0.3)


# --- Next to Mt-KaHyPar ---


def read_comparison(folder):
    """The newest that perf/compare_mtkahypar.py kway has written."""
    records = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("mtkahypar-kway-*.json"))]
    return max(records, key=lambda record: record["date"], default=None)


def plot_kway(record, folder):
    if record is None:
        return say("kway.svg: no comparison; perf/compare_mtkahypar.py kway records one")
    base, relative = relative_to_first_rival(record)
    instances = sorted({what for results in relative.values() for what in results}, key=lambda what: (what[1], what[0]))
    figure, both = pyplot.subplots(2, 1, figsize=(8, 5), sharex=True)
    for axes, index, name in zip(both, (0, 1), ("km1", "time")):
        for who, results in relative.items():
            if who == base:
                continue
            ys = [results[what][index] if what in results else float("nan") for what in instances]
            axes.plot(range(len(instances)), ys, marker="o", markersize=3, linewidth=0, label=" ".join(who))
        axes.axhline(1, color="gray", linewidth=0.8)
        axes.set_ylabel(f"{name} relative to\n{' '.join(base)}")
        axes.grid(alpha=0.3)
    both[1].set_yscale("log")
    labels = [f"{name}, {k}" for name, k in instances]
    both[1].set_xticks(range(len(instances)), labels, rotation=90, fontsize=6)
    both[0].legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1))
    both[1].set_xlabel(f"instance, k; {record['threads']} threads, {record['machine']}, {record['date']}")
    return save(figure, folder, "kway.svg")


# --- Betweenness centrality on several processes ---


def plot_scaling(folder_of_results, folder):
    """The newest that perf/betweenness_scaling.py has written, of each machine."""
    records = newest_records(folder_of_results)
    if not records:
        return say("scaling-*.svg: no results; perf/betweenness_scaling.py records them")
    for record in records:
        for graph, results in by_graph(record).items():
            draw_scaling(record, *graph, results, folder)
    return None


def draw_scaling(record, graph, sources, results, folder):
    base = next((result["seconds_median"] for result in results if result["processes"] == 1), None)
    names = [f"{result['layout']} {result['placement']}" for result in results]
    seconds = [result["seconds_median"] for result in results]
    panels = [("bytes sent by all processes in MB", [sum(result["bytes_sent"]) / 1e6 for result in results])]
    if not record.get("shared"):
        panels.insert(0, ("time of a run in s", seconds))
        if base:
            efficiency = [base / (time * result["processes"]) for time, result in zip(seconds, results)]
            panels.insert(1, ("parallel efficiency", efficiency))
    figure, row = pyplot.subplots(1, len(panels), figsize=(3.2 * len(panels) + 1.5, 0.8 + 0.28 * len(results)), sharey=True, squeeze=False)
    for axes, (label, values) in zip(row[0], panels):
        axes.barh(names, values)
        axes.set_xlabel(label)
        axes.grid(axis="x", alpha=0.3)
    row[0][0].invert_yaxis()
    figure.suptitle(f"{graph}, {sources} sources, layout RxCxF; {record['machine']}, {record['date']}", fontsize=9)
    machine = "".join(c if c.isalnum() else "-" for c in record["machine"].lower())
    return save(figure, folder, f"scaling-{graph.replace(':', '-')}-{sources}-{machine}.svg")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=Path, default=FOLDER / "results", help="folder of result files")
    parser.add_argument("--plots", type=Path, default=FOLDER / "plots", help="folder for the plots")
    arguments = parser.parse_args()
    if not arguments.results.is_dir():
        parser.error(f"there is no folder {arguments.results}")
    records = read_records(arguments.results)
    peers_file = arguments.results / "peers.json"
    peers = [json.loads(peers_file.read_text(encoding="utf-8"))] if peers_file.exists() else []
    plot_time(records, peers, arguments.plots)
    plot_phases(records, arguments.plots)
    plot_memory(records, arguments.plots)
    plot_kway(read_comparison(arguments.results), arguments.plots)
    plot_scaling(arguments.results, arguments.plots)


if __name__ == "__main__":
    main()
