//! The demo as README.md runs it. In: the binary. Out: its story, the same again by hand, and its rollups recomputed by pypaimon and DuckDB from the kept
//! warehouse.

use std::fs;
use std::process::Command;

use unisono_tests::compare::{Rules, Tolerance, compare};
use unisono_tests::helper::{self, skip};

use crate::project_folder::{Folder, binary, text};

/// Runs the demo into a folder; what it printed.
fn demo(folder: &Folder) -> String {
    let output = Command::new(binary())
        .args(["demo", "--keep", "kept"])
        .current_dir(&folder.path)
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    let (said, heard) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{said}{heard}");
    said
}

#[test]
fn each_printed_command_gives_the_same_by_hand() {
    let folder = Folder::new("demo");
    let said = demo(&folder);
    assert!(said.contains("different") && said.contains("refused: main stays as it is"), "{said}");
    assert!(said.contains("merged corrections into main"), "{said}");
    // Once for the variant at fault, once for the mended one.
    assert_eq!(said.matches("warning[W_DIALECT_VARIANT]").count(), 2, "{said}");
    let kept = folder.path.join("kept");
    // As the last lines say: from the start again.
    fs::remove_dir_all(kept.join("warehouse")).unwrap();
    fs::copy(kept.join("changes/start.yaml"), kept.join("models/candles.yaml")).unwrap();
    let mut compared = 0;
    for block in said.split("\n$ ").skip(1) {
        let (line, rest) = block.split_once('\n').unwrap();
        // What follows a command's output belongs to the story.
        let printed = rest.split("\n# ").next().unwrap();
        let output = Command::new("sh")
            .args(["-c", &line.replacen("unisono", &binary().display().to_string(), 1)])
            .current_dir(&kept)
            .env("NO_COLOR", "1")
            .output()
            .unwrap();
        let mut by_hand = text(&output.stdout) + &text(&output.stderr);
        if let Some(code) = output.status.code().filter(|code| *code != 0) {
            by_hand.push_str(&format!("(exit {code})\n"));
        }
        assert_eq!(by_hand.trim_end(), printed.trim_end(), "$ {line}");
        compared += 1;
    }
    assert!(compared >= 18, "{compared} commands");
}

/// Averages are the same division on both sides.
pub(crate) const RULES: Rules = Rules { ordered: true, tolerance: Tolerance::Relative(1e-15) };

/// The rollups by hand-written SQL over the tables as pypaimon reads them.
pub(crate) const ROLLUPS: [(&str, &str, &str); 3] = [
    (
        "market.minute_candles",
        "symbol, traded_at__minute, open, high, low, close, volume, turnover, vwap, trade_count",
        "SELECT symbol, date_trunc('minute', traded_at) AS traded_at__minute,
                arg_min(price, sequence) FILTER (status <> 'cancelled') AS open,
                max(price) FILTER (status <> 'cancelled') AS high, min(price) FILTER (status <> 'cancelled') AS low,
                arg_max(price, sequence) FILTER (status <> 'cancelled') AS close,
                CAST(sum(quantity) FILTER (status <> 'cancelled') AS DECIMAL(38,0)) AS volume,
                CAST(sum(price * quantity) FILTER (status <> 'cancelled') AS DECIMAL(38,4)) AS turnover,
                CAST(sum(price * quantity) FILTER (status <> 'cancelled') AS DOUBLE)
                  / CAST(sum(quantity) FILTER (status <> 'cancelled') AS DOUBLE) AS vwap,
                count(*) FILTER (status <> 'cancelled') AS trade_count
         FROM trades GROUP BY ALL ORDER BY ALL",
    ),
    (
        "market.sector_turnover",
        "sector, turnover, volume, vwap",
        "SELECT sector, CAST(sum(price * quantity) FILTER (status <> 'cancelled') AS DECIMAL(38,4)) AS turnover,
                CAST(sum(quantity) FILTER (status <> 'cancelled') AS DECIMAL(38,0)) AS volume,
                CAST(sum(price * quantity) FILTER (status <> 'cancelled') AS DOUBLE)
                  / CAST(sum(quantity) FILTER (status <> 'cancelled') AS DOUBLE) AS vwap
         FROM trades LEFT JOIN symbols USING (symbol) GROUP BY ALL ORDER BY ALL",
    ),
    (
        "market.market_by_minute",
        "metric_time__minute, volume, spread",
        "SELECT coalesce(t.m, q.m) AS metric_time__minute, volume, spread
         FROM (SELECT date_trunc('minute', traded_at) AS m,
                      CAST(sum(quantity) FILTER (status <> 'cancelled') AS DECIMAL(38,0)) AS volume
               FROM trades GROUP BY ALL) t
         FULL JOIN (SELECT date_trunc('minute', quoted_at) AS m,
                      CAST(sum(ask - bid) AS DOUBLE) / CAST(count(*) AS DOUBLE) AS spread FROM quotes GROUP BY ALL) q ON t.m = q.m
         ORDER BY ALL",
    ),
];

#[test]
fn others_recompute_the_rollups_from_the_kept_warehouse() {
    let oracle = match helper::shared() {
        Ok(helper) => helper,
        Err(reason) => {
            skip("others_recompute_the_rollups_from_the_kept_warehouse", reason);
            return;
        }
    };
    let folder = Folder::new("rollups");
    demo(&folder);
    let warehouse = folder.path.join("kept/warehouse");
    let sources = [("trades", "market.trades"), ("quotes", "market.quotes"), ("symbols", "market.symbols")];
    for (rollup, columns, sql) in ROLLUPS {
        let expected = oracle.paimon(&warehouse, &sources, sql).unwrap();
        assert!(!expected.rows.is_empty(), "{rollup}");
        let stored = oracle
            .paimon(&warehouse, &[("rollup", rollup)], &format!("SELECT {columns} FROM rollup ORDER BY ALL"))
            .unwrap();
        if let Err(why) = compare(&expected, &stored, RULES) {
            panic!("{rollup}: {why}");
        }
    }
}
