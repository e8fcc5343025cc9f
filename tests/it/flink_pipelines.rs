//! Pipelines that a real Flink keeps: jobs over the candles with corrections, cancellations and deletes. In: the gateway that UNISONO_FLINK_GATEWAY
//! names. Out: the rollups as Flink left them, against the embedded engine's rollups of the same trades and rows written by hand.

use std::fs;
use std::time::{Duration, Instant};

use serde_json::Value as Json;
use unisono_runtime::engine::Limits;
use unisono_runtime::engine::datafusion::block_on;
use unisono_runtime::engine::flink::Mode;
use unisono_runtime::lake::{Lake, Line, TableName};
use unisono_tests::compare::compare;
use unisono_tests::helper::{self, skip};

use crate::demo::{ROLLUPS, RULES};
use crate::flink_engine::{address, candles, gateway};
use crate::project_folder::{Folder, rows};

pub(crate) const LIMITS: Limits = Limits { rows: 100_000, time: Duration::from_mins(2) };

/// Stops the jobs of a folder's pipelines when it goes out of scope, also where a test fails.
pub(crate) struct Jobs<'a> {
    /// The folder.
    pub(crate) folder: &'a Folder,
    /// The gateway.
    pub(crate) address: &'a str,
}

impl Drop for Jobs<'_> {
    fn drop(&mut self) {
        let Ok(records) = fs::read_dir(self.folder.path.join("warehouse/.unisono/jobs")) else { return };
        let names: Vec<String> = records
            .flatten()
            .filter_map(|entry| serde_json::from_str::<Json>(&fs::read_to_string(entry.path()).ok()?).ok())
            .filter_map(|record| Some(record["name"].as_str()?.to_string()))
            .collect();
        let gateway = gateway(self.address);
        let _ = block_on(async {
            let session = gateway.open(Mode::Batch).await?;
            for job in session.jobs().await? {
                if names.contains(&job.name) && !job.has_ended() {
                    session.stop(&job.id).await?;
                }
            }
            session.close().await;
            Ok::<(), unisono_runtime::engine::flink::FlinkError>(())
        });
    }
}

/// The candles with each pipeline twice: one kept by Flink, one by the embedded engine.
pub(crate) fn both(name: &str, address: &str) -> Folder {
    let folder = candles(name, address);
    let file = fs::read_to_string(folder.path.join("unisono.yaml")).unwrap();
    let (head, rest) = file.split_once("pipelines:\n").unwrap();
    let (pipelines, tail) = rest.split_once("types:\n").unwrap();
    let flink = pipelines
        .replace("- name: ", "- name: flink_")
        .replace("realtime: realtime", "realtime: flink")
        .replace("rollup: market.", "rollup: market.flink_");
    // A job of a second's checkpoints: the test waits for several.
    let head = head.replace("parallelism.default: 1", "execution.checkpointing.interval: 1 s");
    folder.write("unisono.yaml", &format!("{head}pipelines:\n{pipelines}{flink}types:\n{tail}"));
    folder
}

/// The candles with one pipeline only, which Flink keeps.
pub(crate) fn one(name: &str, address: &str, pipeline: &str) -> Folder {
    let folder = both(name, address);
    let file = fs::read_to_string(folder.path.join("unisono.yaml")).unwrap();
    let (head, rest) = file.split_once("pipelines:\n").unwrap();
    let (pipelines, tail) = rest.split_once("types:\n").unwrap();
    let kept =
        pipelines.split("- name: ").find(|text| text.starts_with(&format!("flink_{pipeline}\n"))).unwrap();
    folder.write("unisono.yaml", &format!("{head}pipelines:\n- name: {kept}types:\n{tail}"));
    folder
}

const PIPELINES: [&str; 3] = ["minute_candles", "sector_turnover", "market_by_minute"];

fn columns(folder: &Folder, table: &str) -> Vec<String> {
    block_on(async {
        let lake = Lake::open(&folder.path.join("warehouse")).unwrap();
        let handle = lake.table(&TableName::parse(table).unwrap(), &Line::Main).await.unwrap();
        handle.columns.iter().map(|column| column.name.clone()).collect()
    })
    .unwrap()
}

/// Waits until the status of a pipeline begins with one of the words.
pub(crate) fn until(folder: &Folder, pipeline: &str, words: &[&str]) -> Json {
    let began = Instant::now();
    loop {
        let object = folder.json(&format!("pipeline status {pipeline}"))["pipelines"][0].clone();
        let state = object["state"].as_str().unwrap_or_default();
        if words.iter().any(|word| state.starts_with(word)) {
            return object;
        }
        assert!(began.elapsed() < Duration::from_mins(3), "{pipeline}: {object}");
    }
}

/// Both rollups of a pipeline, `__key` included: Flink's, then the embedded engine's, which is brought up to date first.
fn rollups(folder: &Folder, pipeline: &str) -> (Vec<String>, Vec<String>) {
    folder.good(&format!("pipeline run {pipeline}"));
    let visible = columns(folder, &format!("market.flink_{pipeline}"));
    assert_eq!(visible[0], "__key");
    let flink = rows(folder, &format!("market.flink_{pipeline}"), None, &visible);
    (flink, rows(folder, &format!("market.{pipeline}"), None, &visible))
}

/// Waits until Flink has caught up, and compares.
fn same(folder: &Folder, pipeline: &str) -> Vec<String> {
    let status = until(folder, &format!("flink_{pipeline}"), &["up to date"]);
    let (flink, embedded) = rollups(folder, pipeline);
    assert_eq!(flink, embedded, "{pipeline}: {status}");
    flink
}

#[test]
fn flink_keeps_the_candles_as_the_embedded_engine_does() {
    let Some(address) = address("flink_keeps_the_candles_as_the_embedded_engine_does") else { return };
    let folder = both("flink-kept", &address);
    let _jobs = Jobs { folder: &folder, address: &address };
    for pipeline in PIPELINES {
        assert_eq!(until(&folder, &format!("flink_{pipeline}"), &["never run"])["job"], Json::Null);
        let said = folder.good(&format!("pipeline run flink_{pipeline}"));
        assert!(said.contains("submitted; its first checkpoint is snapshot"), "{said}");
        let again = folder.good(&format!("pipeline run flink_{pipeline}"));
        assert!(again.contains("runs already"), "{again}");
    }
    let first: Vec<_> = PIPELINES.iter().map(|pipeline| same(&folder, pipeline)).collect();
    // By hand, from data/trades.csv and data/symbols.csv: Acme trades 100 x 10.00, 200 x 10.50, 50 x 9.75 and 50 x 10.30, Bolt 10 x 20.00; trade 5 is cancelled.
    let sectors = ["V6:Energy|Energy|200.0000|10|20.0", "V8:Industry|Industry|4102.5000|400|10.25625"];
    assert_eq!(
        first[1].iter().filter(|row| !row.contains("|||")).collect::<Vec<_>>(),
        sectors,
        "{:?}",
        first[1]
    );
    let changes = [
        // A correction, a cancellation, a new trade of a new minute.
        "1,ACME,2026-03-02 09:00:05.000000,101,11.2500,150,regular\n2,ACME,2026-03-02 09:00:59.500000,104,10.5000,200,cancelled\n900,BOLT,2026-03-02 09:07:00.000000,900,20.0001,7,regular\n",
        // The same trade moves to another symbol and minute, and a symbol that nobody knows appears.
        "900,ACME,2026-03-02 09:08:00.000000,900,20.0001,7,regular\n901,Zürich \u{1f600},2026-03-02 09:08:00.000000,901,1.0000,1,regular\n",
    ];
    for (number, change) in changes.iter().enumerate() {
        let header = "trade_id,symbol,traded_at,sequence,price,quantity,status\n";
        folder.write(&format!("data/change{number}.csv"), &format!("{header}{change}"));
        folder.good(&format!("load market.trades data/change{number}.csv --upsert"));
        for pipeline in PIPELINES {
            same(&folder, pipeline);
        }
    }
    // Groups go with their last trade.
    folder.write("data/gone.csv", "trade_id\n900\n901\n4\n");
    folder.good("load market.trades data/gone.csv --delete");
    let last: Vec<_> = PIPELINES.iter().map(|pipeline| same(&folder, pipeline)).collect();
    assert!(last[0].iter().all(|row| !row.contains("BOLT") && !row.contains("Zürich")), "{:?}", last[0]);
    // Nobody else writes a rollup of Flink's, and the embedded engine's is not Flink's to write.
    folder.refused(2, "load market.flink_sector_turnover data/gone.csv", "E_TABLE_WRITER");
}

const TRADES: &str = "CREATE TABLE trades (trade_id BIGINT PRIMARY KEY, symbol VARCHAR, traded_at TIMESTAMP, sequence BIGINT, \
    price DECIMAL(18,4), quantity BIGINT, status VARCHAR)";

#[test]
fn others_read_the_candles_that_flink_keeps() {
    let name = "others_read_the_candles_that_flink_keeps";
    let Some(address) = address(name) else { return };
    let oracle = match helper::shared() {
        Ok(helper) => helper,
        Err(reason) => return skip(name, reason),
    };
    let folder = one("flink-read", &address, "minute_candles");
    let _jobs = Jobs { folder: &folder, address: &address };
    folder.good("pipeline run flink_minute_candles");
    let (_, columns, sql) = ROLLUPS[0];
    let csv = |file: &str| {
        format!("read_csv('{}', header = true, all_varchar = true)", folder.path.join(file).display())
    };
    // The same trades in DuckDB, from the same files, without Paimon.
    let mut trades =
        vec![TRADES.to_string(), format!("INSERT INTO trades SELECT * FROM {}", csv("data/trades.csv"))];
    let mut seen = Vec::new();
    let mut check = |trades: &[String]| {
        let status = until(&folder, "flink_minute_candles", &["up to date"]);
        let expected = oracle.duckdb(trades, sql).unwrap();
        let kept = oracle
            .paimon(
                &folder.path.join("warehouse"),
                &[("rollup", "market.flink_minute_candles")],
                &format!("SELECT {columns} FROM rollup ORDER BY ALL"),
            )
            .unwrap();
        if let Err(why) = compare(&expected, &kept, RULES) {
            panic!("{why}\n{status}");
        }
        seen.push(expected.rows.len());
    };
    check(&trades);
    let header = "trade_id,symbol,traded_at,sequence,price,quantity,status\n";
    let changes = [
        // A correction; a group whose trades are all cancelled stays, without values; new trades of two new groups, one without a symbol.
        "1,ACME,2026-03-02 09:00:05.000000,101,11.2500,150,regular\n6,ACME,2026-03-02 09:01:10.000000,106,10.3000,50,cancelled\n\
         900,BOLT,2026-03-02 09:07:00.000000,900,20.0001,7,regular\n901,,2026-03-02 09:07:59.999999,901,0.0001,1,regular\n",
        // A trade that moves to another group, whose first group goes; the correction is taken back.
        "900,Zürich \u{1f600},2026-03-02 09:08:00.000000,900,99999999999999.9999,3,regular\n1,ACME,2026-03-02 09:00:05.000000,101,10.0000,100,regular\n",
    ];
    for (number, change) in changes.iter().enumerate() {
        let file = format!("data/change{number}.csv");
        folder.write(&file, &format!("{header}{change}"));
        folder.good(&format!("load market.trades {file} --upsert"));
        trades.push(format!("INSERT OR REPLACE INTO trades SELECT * FROM {}", csv(&file)));
        check(&trades);
    }
    folder.write("data/gone.csv", "trade_id\n900\n4\n");
    folder.good("load market.trades data/gone.csv --delete");
    trades.push(format!(
        "DELETE FROM trades WHERE trade_id IN (SELECT trade_id::BIGINT FROM {})",
        csv("data/gone.csv")
    ));
    check(&trades);
    // By hand: ACME at 9:00 and 9:01 and BOLT at 9:00; then BOLT and nobody at 9:07; BOLT's moves to Zürich; Zürich and BOLT at 9:00 go.
    assert_eq!(seen, [3, 5, 5, 3]);
}

/// Statements of a script: each ends with a semicolon at the end of a line.
fn statements(script: &str) -> Vec<String> {
    let lines: Vec<&str> = script.lines().filter(|line| !line.starts_with("--")).collect();
    lines.join("\n").split(";\n").map(|one| one.trim_end_matches(';').trim().to_string()).collect()
}

#[test]
fn a_compiled_job_is_a_script_that_flink_takes() {
    let Some(address) = address("a_compiled_job_is_a_script_that_flink_takes") else { return };
    let folder = candles("flink-compiled", &address);
    folder.good("compile --target flink-streaming");
    let elsewhere = Folder::new("flink-elsewhere");
    let mut jobs = 0;
    let files = fs::read_dir(folder.path.join("target/unisono")).unwrap().flatten();
    for file in files.filter(|file| file.file_name().to_string_lossy().contains(".flink-streaming.job.")) {
        jobs += 1;
        let script = fs::read_to_string(file.path()).unwrap();
        assert!(script.contains("'warehouse'='./warehouse'"), "{script}");
        let script = script.replace("./warehouse", &format!("file://{}/warehouse", elsewhere.path.display()));
        let mut statements = statements(&script);
        let insert = statements.pop().unwrap();
        assert!(insert.starts_with("INSERT INTO unisono.market."), "{insert}");
        statements.push(format!("EXPLAIN {insert}"));
        block_on(async {
            let session = gateway(&address).open(Mode::Streaming).await.unwrap();
            for statement in &statements {
                if let Err(error) = session.execute(statement, LIMITS).await {
                    panic!("{error}\n{statement}");
                }
            }
            session.close().await;
        })
        .unwrap();
    }
    assert_eq!(jobs, 3);
    // The tables are those of the specs: each spec as JSON has the columns that Flink made.
    let lake = Lake::init(&elsewhere.path.join("warehouse")).unwrap();
    let made = block_on(lake.tables(&Line::Main)).unwrap().unwrap();
    let made: Vec<String> = made.iter().map(ToString::to_string).collect();
    assert_eq!(
        made,
        [
            "market.market_by_minute",
            "market.minute_candles",
            "market.quotes",
            "market.sector_turnover",
            "market.symbols",
            "market.trades"
        ]
    );
}

#[test]
fn a_job_that_ends_or_fails_or_is_outdated_is_told_as_that() {
    let Some(address) = address("a_job_that_ends_or_fails_or_is_outdated_is_told_as_that") else { return };
    let folder = both("flink-told", &address);
    let _jobs = Jobs { folder: &folder, address: &address };
    let submitted = folder.json("pipeline run flink_sector_turnover")["pipelines"][0].clone();
    let id = submitted["job"].as_str().unwrap().to_string();
    until(&folder, "flink_sector_turnover", &["up to date"]);
    // Rows that come are not in the rollup at once, and nothing claims that they are.
    let model = fs::read_to_string(folder.path.join("models/candles.yaml")).unwrap();
    let other = "expression: SUM(trades.counted_quantity)";
    assert!(model.contains(other));
    folder
        .write("models/candles.yaml", &model.replace(other, "expression: SUM(trades.counted_quantity) + 0"));
    until(&folder, "flink_sector_turnover", &["of an earlier definition"]);
    let again = folder.json("pipeline run flink_sector_turnover")["pipelines"][0].clone();
    assert_ne!(again["job"], submitted["job"]);
    same(&folder, "sector_turnover");
    // The first job was stopped; the second is stopped by another.
    let job = again["job"].as_str().unwrap().to_string();
    block_on(async {
        let session = gateway(&address).open(Mode::Batch).await.unwrap();
        let jobs = session.jobs().await.unwrap();
        assert!(jobs.iter().any(|known| known.id == id && known.status == "CANCELED"), "{jobs:?}");
        session.stop(&job).await.unwrap();
        session.close().await;
    })
    .unwrap();
    let stopped = until(&folder, "flink_sector_turnover", &["stopped: the job is CANCELED"]);
    assert_eq!(stopped["snapshot"], Json::Null);
    // Trades come while no job runs; a group goes. The next job knows both.
    folder.write("data/gone.csv", "trade_id\n4\n");
    folder.good("load market.trades data/gone.csv --delete");
    folder.good("pipeline run flink_sector_turnover");
    let rows = same(&folder, "sector_turnover");
    assert!(rows.iter().all(|row| !row.contains("Energy")), "{rows:?}");
    // Sums that leave their type fail the job, and the cause is told.
    let mut large = "trade_id,symbol,traded_at,sequence,price,quantity,status\n".to_string();
    for id in 700..712 {
        // Twelve amounts of 9E32 leave DECIMAL(38,4).
        large.push_str(&format!(
            "{id},ACME,2026-03-02 09:00:05.000000,{id},99999999999999.0000,9000000000000000000,regular\n"
        ));
    }
    folder.write("data/large.csv", &large);
    folder.good("load market.trades data/large.csv --upsert");
    let failed = until(&folder, "flink_sector_turnover", &["stopped: the job has failed"]);
    assert!(failed["state"].as_str().unwrap().contains("overflow of 1"), "{failed}");
    let file = fs::read_to_string(folder.path.join("unisono.yaml")).unwrap();
    folder.write("unisono.yaml", &file.replace(&address, "http://127.0.0.1:1"));
    folder.refused(4, "pipeline status flink_sector_turnover", "E_ENGINE_UNREACHABLE");
    folder.refused(4, "pipeline run flink_sector_turnover", "no gateway answers");
}
