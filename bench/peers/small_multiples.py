"""Draw accuracy by number of rules, with a panel for each table, as SVG. Used by ../rules_by_size.py."""

from math import ceil, floor, log
from xml.sax.saxutils import escape

from peers.sized import CHOSEN, SIZED, SIZES, WHOLE

# The colors can be distinguished by readers with color blindness; the marks differ too.
COLORS = {
    "ours": "#c0392b", "decision tree": "#1f77b4", "FIGS": "#2a9d5c", "RuleFit": "#8e5bb5",
    "BoostedRules": "#b8860b", "RIPPER": "#555555", "EBM": "#00838f", "random forest": "#9a9a9a",
    "boosting": "#6d4c41",
}
DASHES = {"EBM": "6 3", "random forest": "2 3", "boosting": "8 3 2 3"}
WIDTH, HEIGHT, ACROSS = 250, 190, 4
LEFT, TOP, BETWEEN, BELOW = 52, 90, 54, 62


def place_of(size):
    """Return the horizontal position of a number of rules, on a logarithmic scale."""
    return WIDTH * (0.04 + 0.92 * log(size / SIZES[0]) / log(SIZES[-1] / SIZES[0]))


def steps(low, high):
    """Return round limits of the axis and the distance between its ticks."""
    for step in (0.005, 0.01, 0.02, 0.05, 0.1, 0.2):
        if (high - low) / step <= 6:
            break
    return floor(low / step + 1e-9) * step, ceil(high / step - 1e-9) * step, step


def mark(learner, x, y):
    color = COLORS[learner]
    shapes = {
        "ours": f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.4" fill="{color}"/>',
        "decision tree": f'<rect x="{x - 2.8:.1f}" y="{y - 2.8:.1f}" width="5.6" height="5.6" '
                         f'fill="{color}"/>',
        "FIGS": f'<path d="M{x:.1f} {y - 3.6:.1f}l3.4 6h-6.8z" fill="{color}"/>',
        "RuleFit": f'<path d="M{x:.1f} {y - 3.8:.1f}l3.8 3.8l-3.8 3.8l-3.8 -3.8z" fill="{color}"/>',
        "BoostedRules": f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.8" fill="#fff" stroke="{color}" '
                        'stroke-width="1.5"/>',
        "RIPPER": f'<path d="M{x - 3:.1f} {y - 3:.1f}l6 6m0 -6l-6 6" stroke="{color}" '
                  'stroke-width="1.6" fill="none"/>',
    }
    return shapes.get(learner, "")


def ring(x, y):
    """Return a ring around the selected size."""
    color = COLORS["ours"]
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="7" fill="none" stroke="{color}" stroke-width="1.8"/>'


def line(learner, points, width=1.4):
    corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dashes = f' stroke-dasharray="{DASHES[learner]}"' if learner in DASHES else ""
    return (f'<polyline points="{corners}" fill="none" stroke="{COLORS[learner]}" '
            f'stroke-width="{width}"{dashes}/>')


def text(x, y, words, size=11, anchor="start", more=""):
    place = f'x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}"'
    return f'<text {place} {more}>{escape(words)}</text>'


def panel(name, about):
    """Return the panel of a table; its upper left corner is at 0, 0."""
    found = about["learners"]
    curves = {learner: [(size, found[learner][size]["accuracy"]) for size in SIZES if size in found[learner]]
              for learner in SIZED if learner in found}
    levels = {learner: found[learner][CHOSEN]["accuracy"] for learner in WHOLE if learner in found}
    own = found.get("ours", {}).get(CHOSEN)
    usual = max(about["positive"], about["rows"] - about["positive"]) / about["rows"]
    selected = [own["accuracy"]] if own else []
    everything = [accuracy for curve in curves.values() for _, accuracy in curve]
    everything += [*levels.values(), *selected]
    # A peer far below the baseline would flatten all other curves, so it is cut off; ours never is.
    ours = [accuracy for _, accuracy in curves.get("ours", [])] + selected
    lowest = max(min(everything), min(usual, max(everything)) - 0.03)
    low, high, step = steps(min([lowest, *ours]), max(everything))

    def height(accuracy):
        return HEIGHT * (1 - (accuracy - low) / (high - low))

    middle = sum(everything) / len(everything)
    error = (middle * (1 - middle) / about["rows"]) ** 0.5
    caption = f"{about['rows']:,} rows; most common class {usual:.3f}; ± {error:.3f}"
    shapes = [f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff" stroke="#bbb"/>',
              text(0, -22, name, 13, more='font-weight="bold"'),
              text(0, -8, caption, 10, more='fill="#555"')]
    level, digits = low, 3 if step < 0.01 else 2
    while level <= high + 1e-9:
        y = height(level)
        shapes += [f'<path d="M0 {y:.1f}H{WIDTH}" stroke="#eee"/>',
                   text(-6, y + 3.5, f"{level:.{digits}f}", 10, "end")]
        level += step
    for size in SIZES:
        x = place_of(size)
        shapes += [f'<path d="M{x:.1f} {HEIGHT}v4" stroke="#888"/>',
                   text(x, HEIGHT + 16, str(size), 10, "middle")]
    inside = [line(learner, [(0, height(level)), (WIDTH, height(level))], 1.3)
              for learner, level in levels.items()]
    # Ours is drawn last, on top of the others.
    for learner, curve in reversed(curves.items()):
        points = [(place_of(size), height(accuracy)) for size, accuracy in curve]
        inside += [line(learner, points, 2.4 if learner == "ours" else 1.3),
                   *(mark(learner, *point) for point in points)]
    if own:
        inside.append(ring(place_of(min(max(own["rules"], SIZES[0]), SIZES[-1])), height(own["accuracy"])))
    clip = f"inside-{name}"
    area = f'<rect x="-1" y="-8" width="{WIDTH + 2}" height="{HEIGHT + 9}"/>'
    shapes += [f'<clipPath id="{clip}">{area}</clipPath>',
               f'<g clip-path="url(#{clip})">{"".join(inside)}</g>']
    return "\n".join(shapes)


def legend(learners):
    """Return the legend in two columns, of the size of a panel."""
    shapes = []
    for number, learner in enumerate(learners):
        x, y = 130 * (number % 2), 20 * (number // 2)
        drawn_line = line(learner, [(x, y), (x + 26, y)], 2.4 if learner == "ours" else 1.4)
        shapes += [drawn_line, mark(learner, x + 13, y), text(x + 32, y + 4, learner)]
    y = 20 * ((len(learners) + 1) // 2)
    shapes += [ring(13, y), text(32, y + 4, "the size that ours selected")]
    return "\n".join(shapes)


def draw(sets):
    learners = [learner for learner in [*SIZED, *WHOLE]
                if any(learner in about["learners"] for about in sets.values())]
    cells = len(sets) + 1
    rows = ceil(cells / ACROSS)
    across = min(cells, ACROSS)
    width, height = LEFT + across * (WIDTH + BETWEEN), TOP + rows * (HEIGHT + BELOW + 30)
    title = "Held-out accuracy by number of rules; all learners use the same folds"
    note = "± is one standard error of the accuracy, given the number of rows"
    shapes = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
              f'width="{width}" height="{height}" '
              'font-family="Helvetica, Arial, sans-serif" fill="#222">',
              f'<rect width="{width}" height="{height}" fill="#fff"/>',
              text(LEFT, 24, title, 15, more='font-weight="bold"'),
              text(LEFT, 40, note, 10, more='fill="#555"')]
    for number, (name, about) in enumerate([*sets.items(), (None, None)]):
        x = LEFT + (number % ACROSS) * (WIDTH + BETWEEN)
        y = TOP + (number // ACROSS) * (HEIGHT + BELOW + 30)
        inside = panel(name, about) if about else legend(learners)
        shapes.append(f'<g transform="translate({x} {y})">\n{inside}\n</g>')
        if about:
            shapes.append(text(x + WIDTH / 2, y + HEIGHT + 32, "rules", 11, "middle"))
    return "\n".join([*shapes, "</svg>"]) + "\n"
