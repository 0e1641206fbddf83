//! The short help of every command.

use super::ShortHelp;
use super::flags::{
    CONTEXT, CV, FOLDS, Flags, LEARN, LOGIC, MODEL_OF, NETWORK, ONTOLOGY, RULES, TABLE, XCS,
};

const fn short(
    command: &'static str,
    flags: &'static [Flags],
    examples: &'static [&'static str],
) -> ShortHelp {
    ShortHelp { command, flags, examples }
}

pub(super) const SHORT: &[ShortHelp] = &[
    short(
        "",
        &[],
        &[
            "learn rules examples/trains.csv --bag train --target direction",
            "predict model.json examples/trains.csv --explain",
            "report model.json examples/trains.csv --out report.html",
        ],
    ),
    short("devices", &[], &["devices"]),
    short(
        "describe",
        &[TABLE, &[("id", "Column that names the rows"), ("date", ""), ("html", ""), ("json", "")]],
        &["describe examples/flats.csv"],
    ),
    short("learn", &[], &["learn rules examples/trains.csv --bag train --target direction"]),
    short(
        "learn rules",
        &[TABLE, LEARN, RULES],
        &["learn rules examples/trains.csv --bag train --target direction"],
    ),
    short("learn xcs", &[TABLE, LEARN, XCS], &["learn xcs examples/letters.csv --target answered"]),
    short(
        "learn network",
        &[TABLE, LEARN, NETWORK],
        &["learn network examples/letters.csv --target answered"],
    ),
    short(
        "learn logic",
        &[ONTOLOGY, LEARN, LOGIC],
        &["learn logic examples/family.ttl --problem examples/uncle.json"],
    ),
    short("cv", &[], &["cv rules examples/trains.csv --bag train --target direction"]),
    short(
        "cv rules",
        &[TABLE, FOLDS, CV, RULES],
        &["cv rules examples/trains.csv --bag train --target direction"],
    ),
    short(
        "cv xcs",
        &[TABLE, FOLDS, CV, XCS],
        &["cv xcs examples/letters.csv --target answered --repeats 3"],
    ),
    short(
        "cv network",
        &[TABLE, FOLDS, CV, NETWORK],
        &["cv network examples/letters.csv --target answered"],
    ),
    short(
        "cv logic",
        &[ONTOLOGY, CV, LOGIC],
        &["cv logic examples/family.ttl --problem examples/uncle.json --folds 4"],
    ),
    short(
        "predict",
        &[
            MODEL_OF,
            &[
                ("id", "Column that names the rows, or one name to explain"),
                ("explain", ""),
                ("row", ""),
                ("threshold", "Predict the positive class from this probability on"),
                ("cost", "Cost of missing a class, for example 'sick=5'"),
                ("json", ""),
                ("spreadsheet", ""),
                ("problem", "Learning problem, to report the accuracy"),
            ],
        ],
        &[
            "predict model.json examples/trains.csv --explain",
            "predict model.json examples/family.ttl --explain",
        ],
    ),
    short(
        "show",
        &[&[
            ("what", "Model file, or ontology (.owl .rdf .ttl .nt .nq .trig)"),
            ("format", ""),
            ("rules", "Show the model with about this many rules"),
            ("table", ""),
            ("view", ""),
            ("dialect", ""),
            ("all", ""),
        ]],
        &["show model.json", "show model.json --format sql --table patients"],
    ),
    short(
        "report",
        &[MODEL_OF, &[("target", ""), ("fixed", ""), ("problem", "Learning problem")]],
        &["report model.json examples/trains.csv --out report.html"],
    ),
    short(
        "compare",
        &[
            MODEL_OF,
            &[
                ("first", "First model (A)"),
                ("second", "Second model (B), for the same target"),
                ("limit", ""),
                ("json", ""),
                ("problem", "Learning problem"),
            ],
        ],
        &["compare old.json new.json patients.csv"],
    ),
    short(
        "monitor",
        &[MODEL_OF, &[("target", ""), ("reference", ""), ("json", "")]],
        &["monitor model.json march.csv"],
    ),
    short(
        "evaluate",
        &[
            &[
                ("path", "Table (.csv .xlsx .parquet …) or ontology (.owl .ttl …)"),
                ("hypotheses", "File of expressions, one per line ('-': standard input)"),
                ("hypothesis", ""),
                ("cover", "Also list the covered rows or individuals"),
                ("problem", "Learning problem"),
            ],
            TABLE,
        ],
        &["evaluate examples/trains.csv --bag train --hypotheses rules.txt"],
    ),
    short(
        "concepts",
        &[CONTEXT, &[("count", ""), ("max", ""), ("out", ""), ("format", ""), ("extents", "")]],
        &["concepts examples/modules.pairs --symmetric --count"],
    ),
    short(
        "lattice",
        &[
            CONTEXT,
            &[
                ("html", "Write a page to explore the lattice"),
                ("svg", "Write a drawing"),
                ("dot", ""),
                ("json", "Write the concepts with their neighbors as JSON"),
                ("indices", ""),
                ("top", ""),
            ],
        ],
        &["lattice examples/modules.pairs --symmetric --svg modules.svg"],
    ),
    short(
        "implications",
        &[
            CONTEXT,
            &[("rules", ""), ("min_confidence", ""), ("sort", ""), ("max", ""), ("out", "")],
            &[("format", "")],
        ],
        &["implications examples/animals.csv"],
    ),
    short(
        "explore",
        &[
            CONTEXT,
            &[
                ("html", "Write a page that asks the questions in a browser"),
                ("session", "File of the session; if it exists, it is continued"),
                ("restart", ""),
            ],
            &[("expert", "Name of the expert who answers"), ("out", ""), ("write", "")],
        ],
        &["explore examples/animals.csv"],
    ),
    short(
        "cluster",
        &[&[
            ("path", "File of edges, folder of sources, or output of cargo metadata"),
            ("undirected", ""),
            ("unweighted", ""),
            ("omnipresent", "Set aside modules with over N times the average neighbors [N: 3]"),
            ("score", "Evaluate the partition in a file instead of searching"),
            ("out", "Output file for the partition ('-': standard output)"),
            ("format", ""),
            ("svg", ""),
            ("dot", ""),
            ("seed", "Random seed [default: 0]"),
            ("json", ""),
        ]],
        &["cluster examples/modules.pairs"],
    ),
    short("generate", &[], &["generate table --rows 500 --out table.csv"]),
    short(
        "generate multiplexer",
        &[],
        &["generate multiplexer --bits 11 --rows 5000 --out multiplexer.csv"],
    ),
    short(
        "generate genotypes",
        &[],
        &["generate genotypes --models 2 --heritability 0.3 --out genotypes.csv"],
    ),
    short("generate artificial", &[], &["generate artificial 3 --out artificial3.csv"]),
    short(
        "generate table",
        &[],
        &["generate table --rows 500 --rule 'x1 > 0.2 and x3 <= 0.7' --out table.csv"],
    ),
    short("generate bags", &[], &["generate bags --bags 200 --size 1..12 --out bags.csv"]),
    short(
        "generate context",
        &[],
        &["generate context --objects 1000 --density 0.2 --out random.cxt"],
    ),
    short(
        "completions",
        &[],
        &["completions bash > ~/.local/share/bash-completion/completions/pellucid"],
    ),
    short("man", &[], &["man ~/.local/share/man/man1"]),
];
