//! The flags of the short helps, by id, each with a text that fits in a line.

/// The flags, each with its short text; an empty text leaves the one of `--help`.
pub(super) type Flags = &'static [(&'static str, &'static str)];

pub(super) const TABLE: Flags = &[
    ("path", "Table: CSV, TSV, .xlsx, .ods, .parquet, .arff, … ('-': standard input)"),
    ("target", "Target column, by name or by number from 1"),
    ("bag", "Column that groups rows into bags"),
    ("ignore", ""),
];
pub(super) const ONTOLOGY: Flags = &[
    ("ontology", "Ontology: .owl .ofn .omn .obo .ttl … ('-': standard input)"),
    ("problem", "Learning problem: .json, or .conf of DL-Learner"),
    ("name", ""),
    ("positive", "File of positive individuals, one per line"),
    ("class", "Or a class to define"),
    ("negative", ""),
];
pub(super) const MODEL_OF: Flags = &[
    ("path", "Table (.csv .xlsx .parquet …) or ontology (.owl .ttl …); '-': standard input"),
    ("rules", "Use the model with about this many rules"),
    ("out", "Output file ('-': standard output)"),
];
pub(super) const LEARN: Flags = &[
    ("out", "Output file for the model"),
    ("force", ""),
    ("report", "Also write a report: one HTML file"),
    ("seed", "Random seed [default: 0]"),
    ("time_limit", "Stop after this time, for example 90s or 10m"),
];
pub(super) const CV: Flags = &[
    ("folds", ""),
    ("repeats", ""),
    ("report", "Also write a report: one HTML file"),
    ("json", ""),
    ("seed", "Random seed [default: 0]"),
    ("time_limit", "Stop after this time, for example 90s or 10m"),
];
pub(super) const FOLDS: Flags = &[("groups", "Keep examples with the same value in one fold")];
pub(super) const RULES: Flags = &[
    ("mode", "default (rules with points), scorecard, list, g3p-mi or pareto"),
    ("size", "Size of the model: small, medium or large"),
    ("rules", "Select the largest model with at most N rules"),
    ("most_comparisons", "The most comparisons in a rule [default: 3]"),
    ("decide", "Aim of the threshold, for example 'cost:ill=5'"),
    ("class_weight", "Weight of a class, as in 'ill=5', or 'balanced'"),
];
pub(super) const XCS: Flags = &[
    ("mode", "'supervised' (UCS; XCSF for a number) or 'reward' (XCS)"),
    ("iterations", "Number of examples shown, counting repeats"),
    ("population", "Maximum population size"),
    ("most_rules", "Maximum number of rules in the model"),
    ("class_weight", "Weight of a class, as in 'ill=5', or 'balanced'"),
];
pub(super) const NETWORK: Flags = &[
    ("metric", "lift, precision, auc, mcc or log-loss"),
    ("top", "Share of the rows for lift [default: 0.2]"),
    ("nodes", "Number of hidden nodes [default: 16]"),
    ("islands", "Number of networks [default: 5]"),
];
pub(super) const LOGIC: Flags = &[
    ("method", "Search: instant, refine, evolve or auto"),
    ("metric", "Metric to optimize: f1, accuracy, mcc, …"),
    ("noise", "Share of examples that may be misclassified"),
    ("max_length", "Maximum length of an expression [default: 60]"),
    ("exclude", "Classes and properties not to use"),
];
pub(super) const CONTEXT: Flags = &[
    ("path", "Context: .cxt .dat .csv .pairs .mdg, or a table with --scale"),
    ("symmetric", ""),
    ("scale", "Convert a table: nominal, ordinal or interordinal"),
    ("ignore", ""),
    ("min_support", "Minimum number or share of objects, such as 5%"),
];
