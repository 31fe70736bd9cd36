#!/usr/bin/env python3
"""Draws the charts of docs/internals/performance.md from the JSON that `flask-benchmarks growth --json` writes: both axes logarithmic.

Usage: Benchmarks/plot-growth.py [JSON [FOLDER]]
"""

import json
import math
import sys
from pathlib import Path
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parent.parent
WIDTH, HEIGHT = 640, 360
LEFT, RIGHT, TOP, BOTTOM = 70, 20, 40, 50
COLORS = ["#0b6e99", "#c4501b", "#4d7c0f", "#7c3aed"]


def label(nanoseconds):
    for unit, size in (("ms", 1e6), ("µs", 1e3)):
        if nanoseconds >= size:
            return f"{nanoseconds / size:g} {unit}"
    return f"{nanoseconds:g} ns"


def decades(low, high):
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    return [10.0**power for power in range(first, max(last, first + 1) + 1)]


def draw(chart):
    points = [point for curve in chart["curves"] for point in curve["points"]]
    sizes = [point["size"] for point in points]
    rows = decades(min(p["nanoseconds"] for p in points), max(p["nanoseconds"] for p in points))
    low, high = math.log10(min(sizes)), math.log10(max(sizes))

    def x(size):
        return LEFT + (math.log10(size) - low) / (high - low) * (WIDTH - LEFT - RIGHT)

    def y(nanoseconds):
        bottom, top = math.log10(rows[0]), math.log10(rows[-1])
        return HEIGHT - BOTTOM - (math.log10(nanoseconds) - bottom) / (top - bottom) * (HEIGHT - TOP - BOTTOM)

    legend = 16 * len(chart["curves"])
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT + legend}" '
        'font-family="sans-serif" font-size="12" fill="#333">',
        f'<rect width="{WIDTH}" height="{HEIGHT + legend}" fill="#fff"/>',
        f'<text x="{LEFT}" y="22" font-size="14">{escape(chart["title"])}: time of one operation</text>',
    ]
    for row in rows:
        parts.append(f'<path d="M{LEFT} {y(row):.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y(row) + 4:.1f}" text-anchor="end">{label(row)}</text>')
    last = -math.inf
    for size in sorted(set(sizes)):
        if x(size) - last < 36:
            continue
        last = x(size)
        parts.append(f'<text x="{x(size):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{size:,}</text>')
    parts.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 12}" text-anchor="middle">{escape(chart["unit"])}</text>')
    for index, (curve, color) in enumerate(zip(chart["curves"], COLORS)):
        line = " ".join(f"{x(p['size']):.1f},{y(p['nanoseconds']):.1f}" for p in curve["points"])
        parts.append(f'<polyline points="{line}" fill="none" stroke="{color}" stroke-width="2"/>')
        for p in curve["points"]:
            parts.append(f'<circle cx="{x(p["size"]):.1f}" cy="{y(p["nanoseconds"]):.1f}" r="3" fill="{color}"/>')
        row = HEIGHT + 16 * index
        parts.append(f'<path d="M{LEFT} {row}h20" stroke="{color}" stroke-width="2"/>')
        parts.append(f'<text x="{LEFT + 28}" y="{row + 4}">{escape(curve["name"])}</text>')
    return "\n".join(parts + ["</svg>", ""])


def main():
    source = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs/internals/performance/growth.json"
    folder = Path(sys.argv[2]) if len(sys.argv) > 2 else ROOT / "docs/internals/performance"
    folder.mkdir(parents=True, exist_ok=True)
    for chart in json.load(open(source))["charts"]:
        (folder / f"{chart['name']}.svg").write_text(draw(chart), encoding="utf-8")


main()
