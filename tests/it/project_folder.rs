//! A project in a folder of its own, worked on by the binary as a person would. In: files and command lines. Out: exit codes, text, JSON.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::Value;
use unisono_runtime::engine::datafusion::block_on;
use unisono_runtime::lake::{Lake, Line, Pin, TableName};
use unisono_runtime::pipeline::table_rows;
use unisono_runtime::table::Value as Cell;
use unisono_tests::project;

/// The binary, brought up to date once: `cargo test` itself builds no binary of another package.
pub(crate) fn binary() -> &'static PathBuf {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| {
        let built = Command::new(env!("CARGO"))
            .args(["build", "--quiet", "--package", "unisono-runtime", "--bin", "unisono"])
            .current_dir(project(""))
            .status()
            .unwrap();
        assert!(built.success(), "the binary does not build");
        // target/debug/deps/it-… stands beside target/debug/unisono.
        let mut path = std::env::current_exe().unwrap();
        path.pop();
        path.pop();
        path.join("unisono")
    })
}

/// A folder that is removed when it goes out of scope.
pub(crate) struct Folder {
    /// Where it is.
    pub(crate) path: PathBuf,
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A test that fails leaves its folder for a person to look at.
        if !std::thread::panicking() {
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}

impl Folder {
    /// An empty folder.
    pub(crate) fn new(name: &str) -> Folder {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = project(".cache/lake").join(format!("{name}-{}-{number}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder { path }
    }

    /// A file in it.
    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    /// Runs a command line in it; words in double quotes hold together.
    pub(crate) fn run(&self, line: &str) -> Output {
        Command::new(binary())
            .args(words(line))
            .current_dir(&self.path)
            .env("NO_COLOR", "1")
            .output()
            .unwrap()
    }

    /// Runs a command that must end with an exit code; its stdout.
    pub(crate) fn exits(&self, code: i32, line: &str) -> String {
        let output = self.run(line);
        let (said, heard) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(code), "unisono {line}: {}\n{said}{heard}", output.status);
        said
    }

    /// Runs a command that must succeed.
    pub(crate) fn good(&self, line: &str) -> String {
        self.exits(0, line)
    }

    /// Runs a command that must be refused with a code; what stderr says.
    pub(crate) fn refused(&self, code: i32, line: &str, word: &str) -> String {
        let output = self.run(line);
        let heard = text(&output.stderr);
        assert_eq!(
            output.status.code(),
            Some(code),
            "unisono {line}: {}\n{}{heard}",
            output.status,
            text(&output.stdout)
        );
        assert!(heard.contains(word), "unisono {line} does not say {word}:\n{heard}");
        heard
    }

    /// Runs a command with `--format json`; the object under `data`.
    pub(crate) fn json(&self, line: &str) -> Value {
        let output = self.run(&format!("{line} --format json"));
        let said = text(&output.stdout);
        let object: Value = serde_json::from_str(&said)
            .unwrap_or_else(|error| panic!("unisono {line}: {error}\n{said}{}", text(&output.stderr)));
        object["data"].clone()
    }
}

/// The requests of models/candles.
pub(crate) const CANDLE_QUERIES: [&str; 4] = [
    "market_by_minute.json",
    "minute_candles.json",
    "sector_turnover.json",
    "volume_and_spread_by_symbol.json",
];

/// The candles of models/candles in a warehouse, with one more engine, a line of the project file, beside the embedded ones.
pub(crate) fn candles(name: &str, engine: &str) -> Folder {
    let folder = Folder::new(name);
    let of = |path: &str| fs::read_to_string(project("models/candles").join(path)).unwrap();
    let engines = "  batch: {kind: datafusion}\n";
    let project_file = of("project/unisono.yaml");
    assert!(project_file.contains(engines));
    folder.write("unisono.yaml", &project_file.replace(engines, &format!("{engines}  {engine}\n")));
    folder.write("models/candles.yaml", &of("model.yaml"));
    for table in ["trades", "quotes", "symbols"] {
        folder.write(&format!("data/{table}.csv"), &of(&format!("data/{table}.csv")));
        folder.good(&format!("load market.{table} data/{table}.csv"));
    }
    for query in CANDLE_QUERIES {
        folder.write(&format!("queries/{query}"), &of(&format!("queries/{query}")));
    }
    folder
}

/// The columns of a table's rows on main, at its head or at another snapshot: sorted, a line each.
pub(crate) fn rows(
    folder: &Folder,
    table: &str,
    snapshot: Option<i64>,
    columns: &[impl AsRef<str>],
) -> Vec<String> {
    let columns: Vec<String> = columns.iter().map(|column| column.as_ref().to_string()).collect();
    block_on(async {
        let lake = Lake::open(&folder.path.join("warehouse")).unwrap();
        let name = TableName::parse(table).unwrap();
        let head = lake.head(&name, &Line::Main).await.unwrap();
        let pin = Pin { snapshot: snapshot.or(head.snapshot), ..head };
        let rows = lake.read(&name, &pin, &columns, &[]).await.unwrap();
        let rows = table_rows(&rows.collect().await.unwrap()).unwrap();
        let mut lines: Vec<String> =
            rows.iter().map(|row| row.iter().map(Cell::text).collect::<Vec<_>>().join("|")).collect();
        lines.sort();
        lines
    })
    .unwrap()
}

/// Bytes as text.
pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (at, part) in line.split('"').enumerate() {
        if at % 2 == 1 {
            words.push(part.to_string());
        } else {
            words.extend(part.split_whitespace().map(ToString::to_string));
        }
    }
    words
}

/// A file's text with other values, or only some of its lines.
pub(crate) fn lines_of(path: &Path) -> Vec<String> {
    fs::read_to_string(path).unwrap().lines().map(ToString::to_string).collect()
}
