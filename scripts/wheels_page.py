#!/usr/bin/env python3
"""Makes docs/validation-wheels.md and its figures from what `touchdown validate single-wheel --rows ROWS.json --out PAGE.html` wrote.

usage: scripts/wheels_page.py ROWS.json PAGE.html
"""
import json
import pathlib
import re
import sys

DOCS = pathlib.Path(__file__).resolve().parent.parent / "docs"
SHOWN = ["wheels-cmu-smooth-0-pull", "wheels-cmu-bars-0-pull", "wheels-cmu-smooth-0-sinkage", "wheels-ding-2011-smooth-0-pull", "wheels-ding-2011-lugs-0-pull", "wheels-ding-2011-smooth-0-torque"]
COLUMNS = ["pull_rms", "pull_worst", "side_rms", "torque_rms", "sinkage_median", "sinkage_worst"]


def number(x, digits=3):
    return "–" if x is None else f"{x:.{digits}f}"


def rule_name(rule):
    if isinstance(rule, dict):
        return f"`janosi`, K = {1e3 * rule['shear-length']:.0f} mm"
    return {"default": "**default rules**", "former": "`bekker` + `coulomb` (0.1.0)", "wong-reece": "Wong–Reece", "zero": "zero pull"}[rule]


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def section(found, goals):
    parts = [f"## {found['title']}", f"Data: {found['source']}. Licence of the data: {found['licence']}.", ""]
    parts.append(table(["input", "value", "from"], [[i["what"], i["value"], i["from"]] for i in found["inputs"]]))
    rows = []
    for group in found["groups"]:
        for k, rule in enumerate(found["rules"]):
            errors = group["errors"][k]
            name = group["name"] + (", no bound" if group["without_bound"] else "") if k == 0 else ""
            rows.append([name, rule_name(rule), f"{errors['rows']} of {group['rows']}"] + [number(errors[c]) for c in COLUMNS])
    head = ["group", "rule", "rows run", "pull, RMS over load", "pull, worst row", "side force, RMS over load", "torque, RMS over its maximum", "sinkage over measured, median", "sinkage, worst row off by"]
    parts += ["", "Errors by group:", "", table(head, rows), "", "Goals:", ""]
    own = [g for g in goals if g["what"].startswith(found["name"] + ",")]
    parts.append(table(["goal", "bound", "found", "zero pull", "Wong–Reece", "verdict"], [[g["what"], g["target"], g["shown"]] + [number(dict(map(tuple, g["detail"])).get(n)) for n in ("zero", "Wong–Reece")] + [g["verdict"] + (f": {g['note']}" if g["note"] else "")] for g in own]))
    rows = []
    ours, integral = found["rules"].index("default"), found["rules"].index("wong-reece")
    for part in found["parts"]:
        for row in part["rows"]:
            m, p, w = row["measured"], row["predicted"][ours], row["predicted"][integral]
            off = None if p["pull_n"] is None else (p["pull_n"] - m["pull_n"]) / row["load_n"]
            mm = lambda x: number(None if x is None else 1e3 * x, 1)
            rows.append([part["name"], f"{row['slip_angle_deg']:.0f}", f"{row['slip']:.2f}", f"{row['load_n']:.1f}", number(m["pull_n"], 2), number(p["pull_n"], 2), number(w["pull_n"], 2), number(off), number(m["side_n"], 2), number(p["side_n"], 2), mm(m["sinkage_m"]), mm(p["sinkage_m"]), row["missing"][ours]])
    head = ["wheel", "angle, °", "slip", "load, N", "pull measured, N", "ours", "Wong–Reece", "off by, over load", "side measured, N", "ours", "sinkage measured, mm", "ours", "not run because"]
    return "\n".join(parts + ["", "Every row:", "", table(head, rows), ""])


def main():
    rows_file, page_file = map(pathlib.Path, sys.argv[1:3])
    report, page = json.loads(rows_file.read_text()), page_file.read_text()
    goals = [row for row in report["rows"] if row["kind"] == "measured data"]
    figures = dict(re.findall(r'<figure id="(wheels-[^"]+)">(<svg.*?</svg>\s*)</figure>', page, re.S))
    text = [INTRO]
    for found in report["measured"]:
        text.append(section(found, goals))
        for name in (n for n in SHOWN if n.startswith(f"wheels-{found['name']}-") and n in figures):
            (DOCS / "images" / f"{name}.svg").write_text(figures[name])
            text.append(f"![{name}](images/{name}.svg)\n")
    (DOCS / "validation-wheels.md").write_text("\n".join(text) + OUTRO)


INTRO = """# Measured wheels
Published single-wheel tests, row by row, compared with the program's default rules. The inputs are geometry, load, speeds and the soil's table; no constant is fitted to the data. Some rules were chosen with these rows in view ([which](theory/soil.md#equations)), so this is a comparison and not a blind prediction. This page is made from the output of

```sh
touchdown validate single-wheel --rows rows.json --out page.html
scripts/wheels_page.py rows.json page.html
```

Errors of forces are divided by the load of the row. Slip is defined as by the authors: (rim speed − speed)/max of both for Carnegie Mellon, 1 − speed/(rim speed) for Ding; the two agree for driven wheels. Groups contain the rows with slip ≥ −0.2 (rows set to −0.2 within 0.003); locked and strongly skidding wheels and slip angles above 60° are reported without a bound. "Wong–Reece" is the integral of `crates/oracle` (a₀ = 0.4, a₁ = 0.15) with the same soil, width and shear length. It includes the shear due to a slip angle, but not the ploughing of the wheel's side.

**Rule for unknown shear length and cohesion**, the same for every soil: the default law (`anchored`) needs no K; the cohesion of dry sand without a shear test is zero; the angle of friction of loose sand is its angle of repose. `janosi` with K = 10 and 21 mm is listed for comparison where K was not measured. Rows of `bekker` + `coulomb` have the rules of 0.1.0, except for bars, which were walls then and are a block now.
"""
OUTRO = """
## What disagrees, and why
- **Smooth wheel, straight (Carnegie Mellon).** At a slip of −0.2 the pull is 0.14 of the load below the measured one, from 0.5 on 0.1 below: the friction between this rim and the sand was not measured, two thirds of φ is a rule of thumb, and at high slip the computed wheel sinks deeper than the measured one.
- **Bars at high slip, sideways (Carnegie Mellon).** From a slip of 0.5 on the measured wheel with bars sinks to 42 to 52 mm at 60° and pulls with 0.3 to 0.4 of its load; the computed pull is 0.1 of the load. Real bars throw soil out and push as blades; in the model they are a block that shears at its tips. The computed wheel
  is not deep enough, so that its side force is too small.
- **Sinkage.** At a slip of 0.9 the computed smooth wheel keeps sinking, to 38 mm; 26 mm are measured. Ding's plate parameters do not support the load of its wheel, so that its sinkage has no bound here.
- **Lugs (Ding).** Torque is off by 0.19 of its maximum: lugs bear at their tips in the rules, so that the wheel stands higher and turns more easily than measured.
- **Locked and strongly skidding wheels, slip angles of 75° and more** are not reproduced by any of the rules.
"""

if __name__ == "__main__":
    main()
