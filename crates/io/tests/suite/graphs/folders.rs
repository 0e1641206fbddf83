//! Folders of source code.

use super::{edges, notes};
use pellucid_io::{DependencyGraph, GraphOptions, Limits, read_graph};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// Writes a folder of files.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    folder
}

fn read(folder: &Path, options: &GraphOptions) -> DependencyGraph {
    read_graph(folder, options).unwrap_or_else(|error| panic!("{error}"))
}

const PACKAGE: [(&str, &str); 9] = [
    ("src/pkg/__init__.py", "from .core import run\n"),
    ("src/pkg/core.py", "import os\nfrom . import util as u\nfrom pkg.sub import deep, other\n"),
    ("src/pkg/util.py", "def f():\n    from .sub.deep import (\n        a,\n        b,\n    )\n"),
    ("src/pkg/sub/__init__.py", ""),
    ("src/pkg/sub/deep.py", "from ..core import run; import numpy.linalg\n"),
    ("tests/test_core.py", "import pkg.core\nimport helper\n"),
    ("tests/helper.py", "from pkg import *\n"),
    ("src/pkg/__pycache__/old.py", "import pkg\n"),
    (".venv/lib/x.py", "import pkg\n"),
];

#[test]
fn python_imports() {
    let folder = folder(&PACKAGE);
    let graph = read(folder.path(), &GraphOptions::default());
    let mut found = edges(&graph);
    found.sort_unstable();
    let expected = [
        "pkg pkg.core 1",
        "pkg.core pkg.sub 1",
        "pkg.core pkg.sub.deep 1",
        "pkg.core pkg.util 1",
        "pkg.sub.deep pkg.core 1",
        "pkg.util pkg.sub.deep 2",
        "tests.helper pkg 1",
        "tests.test_core pkg.core 1",
        "tests.test_core tests.helper 1",
    ];
    assert_eq!(found, expected);
    let notes = notes(&graph).join("\n");
    assert!(notes.contains("read a folder of Python files"), "{notes}");
    assert!(notes.contains("ignored 2 imports from outside of the folder"), "{notes}");
    let with = read(folder.path(), &GraphOptions::default().external(true));
    assert!(edges(&with).contains(&"pkg.sub.deep numpy 1".to_owned()), "{:?}", edges(&with));
    // The package itself has the same modules, with its own name before them.
    let inner = read(&folder.path().join("src/pkg"), &GraphOptions::default());
    assert!(edges(&inner).contains(&"pkg.core pkg.sub.deep 1".to_owned()), "{:?}", edges(&inner));
}

#[test]
fn c_includes() {
    let folder = folder(&[
        ("src/main.c", "#include <stdio.h>\n#include \"lex.h\"\n#include \"../include/tree.h\"\n"),
        ("src/lex.c", "#include \"lex.h\"\n#include <tree.h>\n"),
        ("src/lex.h", "/* #include \"main.h\" */\n"),
        ("include/tree.h", "#include \"sub/node.hpp\"\n"),
        ("include/sub/node.hpp", ""),
        ("other/lex.h", ""),
    ]);
    let graph = read(folder.path(), &GraphOptions::default());
    let mut found = edges(&graph);
    found.sort_unstable();
    let expected = [
        "include/tree include/sub/node 1",
        "src/lex include/tree 1",
        "src/main include/tree 1",
        "src/main src/lex 1",
    ];
    assert_eq!(found, expected);
    assert_eq!(graph.modules.len(), 5);
    let with = read(folder.path(), &GraphOptions::default().external(true));
    assert!(edges(&with).contains(&"src/main stdio.h 1".to_owned()), "{:?}", edges(&with));
}

#[test]
fn strange_folders() {
    let message = |folder: &TempDir, options: &GraphOptions| {
        let error = read_graph(folder.path(), options).unwrap_err().to_string();
        error.replace(&folder.path().display().to_string(), "F")
    };
    let empty = folder(&[("README", "")]);
    let found = message(&empty, &GraphOptions::default());
    assert!(found.starts_with("F: found 'a folder without source files in Python"), "{found}");
    let lonely = folder(&[("a.py", "import os\n")]);
    let found = message(&lonely, &GraphOptions::default());
    assert_eq!(found, "F: found no edges; expected a dependency graph");
    let limits = Limits { max_bytes: 4, ..Limits::default() };
    let found = message(&lonely, &GraphOptions::default().limits(limits));
    assert!(found.contains("larger than 4 bytes"), "{found}");
    // Bytes that are not UTF-8, and a stub beside its module.
    let folder = folder(&[("p/__init__.py", ""), ("p/a.pyi", "from . import b\n"), ("p/b.py", "")]);
    fs::write(folder.path().join("p/a.py"), b"# \xff\nfrom . import b\n").expect("a file");
    let graph = read(folder.path(), &GraphOptions::default());
    assert_eq!((edges(&graph), graph.modules.len()), (vec!["p.a p.b 2".to_owned()], 3));
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    let folder = folder(&[("p/a.py", "import b\n"), ("p/b.py", "")]);
    std::os::unix::fs::symlink(folder.path(), folder.path().join("p/loop")).expect("a link");
    let graph = read(folder.path(), &GraphOptions::default());
    assert_eq!(edges(&graph), ["p.a p.b 1"]);
}
