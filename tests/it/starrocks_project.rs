//! `query` and `doctor` with an engine of kind starrocks. In: a stand-in that speaks a front end's protocol, notes what it is asked, and answers
//! by the tests' oracle of StarRocks. Expected answers are those of the embedded engine, which hand-written SQL checks elsewhere.

mod front_end;

use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use unisono_tests::helper::{Helper, shared_for};
use unisono_tests::project;

use crate::project_folder::{self, CANDLE_QUERIES, Folder, binary, text};
use front_end::{Answer, StandIn, told};

/// The candles of models/candles in a warehouse, with a StarRocks beside the embedded engines.
fn candles(name: &str, port: u16) -> Folder {
    project_folder::candles(name, &engine(port))
}

fn engine(port: u16) -> String {
    format!("sr: {{kind: starrocks, url: \"mysql://reader@127.0.0.1:{port}\", tls: disabled, catalog: lake}}")
}

/// A front end of a version that answers questions over the candles' files by the oracle, whatever snapshot they name.
fn stand_in(version: &str, helper: &'static Helper) -> StandIn {
    let data = project("models/candles");
    let mut setup = vec![fs::read_to_string(data.join("schema.sql")).unwrap()];
    for table in ["trades", "quotes", "symbols"] {
        let path = data.join(format!("data/{table}.csv"));
        setup.push(format!("INSERT INTO market.{table} SELECT * FROM read_csv('{}')", path.display()));
    }
    StandIn::start(version, move |sql| match helper.starrocks(&setup, &in_duckdb(sql)) {
        Ok(table) => told(&table),
        Err(error) => Answer::Fault(1064, error),
    })
}

/// The text without the catalogue and the pins, which the oracle does not have.
fn in_duckdb(sql: &str) -> String {
    let mut plain = String::new();
    let text = sql.replace("`lake`.", "");
    let mut rest = text.as_str();
    while let Some((before, after)) = rest.split_once(" VERSION AS OF ") {
        plain.push_str(before);
        rest = after.trim_start_matches(|c: char| c.is_ascii_digit());
    }
    plain + rest
}

#[test]
fn starrocks_answers_the_candles_as_the_embedded_engine_does() {
    let Some(helper) = shared_for("starrocks_answers_the_candles_as_the_embedded_engine_does") else {
        return;
    };
    for (version, pin) in
        [("3.5.2-8b3d1a0", "`lake`.`market`.`trades`"), ("4.1.0 c0ffee1", "`trades` VERSION AS OF 1")]
    {
        let server = stand_in(version, helper);
        let folder = candles("starrocks-candles", server.port);
        for query in CANDLE_QUERIES {
            let embedded = folder.good(&format!("query --query-file queries/{query} --format csv"));
            let starrocks =
                folder.good(&format!("query --query-file queries/{query} --format csv --engine sr"));
            assert_eq!(starrocks, embedded, "{query} {version}");
            assert!(embedded.lines().count() > 1, "{query}");
        }
        let answer = folder.json("query --metrics turnover --engine sr");
        assert_eq!(answer["snapshots"]["market.trades"], 1, "{answer}");
        let sql = answer["sql"].as_str().unwrap();
        assert!(sql.contains(pin), "{sql}");
        // What a session is told before it is asked, and what the front end is made to forget.
        let asked = server.asked();
        let begins = asked.iter().rposition(|sql| sql.contains("current_version()")).unwrap();
        let expected = [
            "SELECT current_version(), connection_id()",
            "SET time_zone = 'UTC'",
            "SET sql_mode = 'ONLY_FULL_GROUP_BY,ERROR_IF_OVERFLOW'",
            "SET group_concat_max_len = 2147483647",
            "SET sql_select_limit = 9223372036854775807",
            "SET enable_materialized_view_rewrite = false",
            "SET query_timeout = 300",
            "SET lower_upper_support_utf8 = true",
            "REFRESH EXTERNAL TABLE `lake`.`market`.`trades`",
            sql,
        ];
        assert_eq!(asked[begins..], expected);
    }
}

#[test]
fn a_version_that_cannot_pin_answers_for_tables_that_stand_still_only() {
    let Some(helper) = shared_for("a_version_that_cannot_pin_answers_for_tables_that_stand_still_only")
    else {
        return;
    };
    let old = stand_in("3.5.2-8b3d1a0", helper);
    let folder = candles("starrocks-pins", old.port);
    folder.good("checkpoint opening");
    folder.write(
        "data/changes.csv",
        "trade_id,symbol,traded_at,sequence,price,quantity,status\n1,ACME,2026-03-02 09:00:05.000000,101,11.2500,150,regular\n",
    );
    folder.good("load market.trades data/changes.csv --upsert");
    let ask = "query --metrics turnover --engine sr";
    let before = old.asked().len();
    let heard = folder.refused(2, &format!("{ask} --at opening"), "market.trades stands at snapshot 2");
    assert!(heard.contains("E_UNSUPPORTED_SOURCE") && heard.contains("StarRocks 4.1"), "{heard}");
    assert!(old.asked()[before..].iter().all(|sql| !sql.contains("trades")), "{:?}", old.asked());
    folder.good("branch create trial");
    folder.write("data/gone.csv", "trade_id\n1\n");
    folder.good("load market.trades data/gone.csv --delete --branch trial");
    folder.refused(2, &format!("{ask} --branch trial"), "cannot be pinned on StarRocks 3.5");

    // Written between the question and its answer.
    let line = format!("{}\n", binary().display());
    let path = folder.path.clone();
    let moving = StandIn::start("3.5.2", move |_| {
        let load = Command::new(line.trim())
            .args(["load", "market.trades", "data/changes.csv", "--upsert"])
            .current_dir(&path)
            .output()
            .unwrap();
        assert!(load.status.success(), "{load:?}");
        Answer::Rows(
            vec![("turnover".to_string(), front_end::DECIMAL)],
            vec![vec![Some("1.0000".to_string())]],
        )
    });
    let file = fs::read_to_string(folder.path.join("unisono.yaml")).unwrap();
    folder.write("unisono.yaml", &file.replace(&engine(old.port), &engine(moving.port)));
    folder.refused(4, ask, "market.trades was written while StarRocks read it");

    // A version that can pin reads the past, and a branch as it stands.
    let new = StandIn::start("4.1.0", |_| {
        Answer::Rows(
            vec![("turnover".to_string(), front_end::DECIMAL)],
            vec![vec![Some("1.0000".to_string())]],
        )
    });
    folder.write("unisono.yaml", &file.replace(&engine(old.port), &engine(new.port)));
    folder.good(&format!("{ask} --at opening"));
    assert!(new.asked().last().unwrap().contains("`trades` VERSION AS OF 1"), "{:?}", new.asked());
    folder.good(&format!("{ask} --branch trial"));
    assert!(
        new.asked().last().unwrap().contains("`trades` VERSION AS OF 'branch:trial'"),
        "{:?}",
        new.asked()
    );
}

/// The candles whose pipelines a StarRocks answers in batch.
fn checked_candles(name: &str, port: u16) -> Folder {
    let folder = candles(name, port);
    let file = fs::read_to_string(folder.path.join("unisono.yaml")).unwrap();
    assert!(file.contains("  batch: batch\n"));
    folder.write("unisono.yaml", &file.replace("  batch: batch\n", "  batch: sr\n"));
    folder.good("pipeline run");
    folder
}

#[test]
fn a_check_takes_starrocks_as_its_batch_side() {
    let Some(helper) = shared_for("a_check_takes_starrocks_as_its_batch_side") else { return };
    for (version, settings) in [("3.4.9", 6), ("4.1.0 c0ffee1", 7)] {
        let server = stand_in(version, helper);
        let folder = checked_candles("starrocks-check", server.port);
        folder.good("check");
        folder.good("check --between sr,realtime");
        folder.good("check --between incremental,starrocks");
        folder.refused(2, "check --between datafusion,incremental", "stands between `realtime` and `sr`");
        let evidence = fs::read_to_string(folder.path.join("target/unisono/evidence/minute_candles.json"));
        let evidence: serde_json::Value = serde_json::from_str(&evidence.unwrap()).unwrap();
        let left = &evidence["sides"]["batch"];
        assert_eq!((left["engine"].as_str(), left["version"].as_str()), (Some("starrocks"), Some(version)));
        assert_eq!(left["settings"].as_array().map(Vec::len), Some(settings), "{left}");
        assert!(left["text"].as_str().unwrap().contains("`lake`.`market`.`trades`"), "{left}");
        folder.good("replay target/unisono/evidence/minute_candles.json");
        // The stand-in keeps answering by the first files: what changed since is a difference, of which it is told what to read.
        folder.write(
            "data/changes.csv",
            "trade_id,symbol,traded_at,sequence,price,quantity,status\n1,ACME,2026-03-02 09:00:05.000000,101,11.2500,150,regular\n",
        );
        folder.good("load market.trades data/changes.csv --upsert");
        folder.good("pipeline run");
        let said = folder.exits(1, "check minute_candles");
        assert!(said.contains("different"), "{said}");
        if version.starts_with('4') {
            let asked = server.asked();
            assert!(asked.last().unwrap().contains("`trades` VERSION AS OF 2"), "{asked:?}");
        }
    }
}

#[test]
fn a_check_tells_nothing_of_a_table_that_moved_or_a_starrocks_that_fails() {
    let Some(helper) = shared_for("a_check_tells_nothing_of_a_table_that_moved_or_a_starrocks_that_fails")
    else {
        return;
    };
    let still = stand_in("3.4.9", helper);
    let folder = checked_candles("starrocks-moved", still.port);
    let file = fs::read_to_string(folder.path.join("unisono.yaml")).unwrap();
    let with = |port: u16| folder.write("unisono.yaml", &file.replace(&engine(still.port), &engine(port)));
    folder.write("data/changes.csv", "trade_id,symbol,traded_at,sequence,price,quantity,status\n900,BOLT,2026-03-02 09:07:00.000000,900,20.0001,7,regular\n");
    let short = StandIn::start("3.4.9", |_| {
        Answer::Rows(vec![("turnover".to_string(), front_end::DECIMAL)], Vec::new())
    });
    with(short.port);
    // The assumptions of its join were judged all the same.
    let said = folder.exits(3, "check sector_turnover");
    assert!(said.contains("cannot-tell") && said.contains("columns came"), "{said}");
    let (data, path) = (helper, folder.path.clone());
    let schema = fs::read_to_string(project("models/candles/schema.sql")).unwrap();
    let moving = StandIn::start("3.4.9", move |sql| {
        let load = Command::new(binary())
            .args(["load", "market.trades", "data/changes.csv", "--upsert"])
            .current_dir(&path)
            .output()
            .unwrap();
        assert!(load.status.success(), "{load:?}");
        told(&data.starrocks(std::slice::from_ref(&schema), &in_duckdb(sql)).unwrap())
    });
    with(moving.port);
    let said = folder.exits(3, "check minute_candles");
    assert!(
        said.contains("cannot-tell") && said.contains("does not stand at its pin after StarRocks 3.4"),
        "{said}"
    );
    with(1);
    let said = folder.exits(4, "check minute_candles");
    assert!(said.contains("no front end answers at 127.0.0.1:1"), "{said}");
}

#[test]
fn what_goes_wrong_at_starrocks_ends_in_a_code() {
    let row = || {
        Answer::Rows(vec![("turnover".to_string(), front_end::DECIMAL)], vec![vec![Some("7".to_string())]])
    };
    let server = StandIn::without_alter("3.5.2", move |_| row());
    let folder = candles("starrocks-faults", server.port);
    let ask = "query --metrics turnover --engine sr --format csv";
    let output = folder.run(ask);
    let heard = text(&output.stderr);
    assert_eq!(text(&output.stdout), "turnover\n7.0000\n", "{heard}");
    assert!(heard.contains("may not refresh"), "{heard}");
    let file = fs::read_to_string(folder.path.join("unisono.yaml")).unwrap();
    let with = |url: &str, more: &str| {
        let other = format!("sr: {{kind: starrocks, url: \"{url}\"{more}}}");
        folder.write("unisono.yaml", &file.replace(&engine(server.port), &other));
    };
    let here = format!("mysql://reader@127.0.0.1:{}", server.port);
    with(&here, ", catalog: lake");
    folder.refused(4, ask, "E_ENCRYPTION_REQUIRED");
    with(&here, ", tls: disabled");
    folder.refused(2, ask, "names no catalogue");
    with("mysql://reader@127.0.0.1:1", ", catalog: lake");
    folder.refused(4, ask, "E_ENGINE_UNREACHABLE");
    with("mysql://reader:hunter2@127.0.0.1:1", ", catalog: lake");
    let heard = folder.refused(2, ask, "holds a password");
    assert!(!heard.contains("hunter2"), "{heard}");
    for (version, word) in [("2.5.1", "older than 3.3"), ("main-8b3d1a0", "no version of StarRocks")] {
        let other = StandIn::start(version, move |_| row());
        with(&format!("mysql://reader@127.0.0.1:{}", other.port), ", tls: disabled, catalog: lake");
        let heard = folder.refused(2, ask, word);
        assert!(heard.contains("E_UNKNOWN_TARGET"), "{heard}");
    }
    // Not what was compiled: a text for a number, two columns for one, rows past the limit of bytes are told by the engine's own tests.
    let other = StandIn::start("3.5.2", |_| {
        Answer::Rows(vec![("turnover".to_string(), front_end::TEXT)], vec![vec![Some("much".to_string())]])
    });
    with(&format!("mysql://reader@127.0.0.1:{}", other.port), ", tls: disabled, catalog: lake");
    folder.refused(4, ask, "has the value `much`, which is no decimal");
}

#[test]
fn a_query_that_is_interrupted_or_late_is_killed_at_the_server() {
    let server = StandIn::start("3.5.2", |_| Answer::Never);
    let folder = candles("starrocks-kill", server.port);
    let began = Instant::now();
    folder.refused(4, "query --metrics turnover --engine sr --timeout 2", "E_LIMIT_EXCEEDED");
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    let killed = |server: &StandIn| {
        let asked = server.asked();
        let hung = server.hung();
        hung.iter().all(|id| asked.contains(&format!("KILL QUERY {id}"))).then_some(hung.len())
    };
    assert_eq!(killed(&server), Some(1), "{:?}", server.asked());
    assert!(server.asked().contains(&"SET query_timeout = 2".to_string()));

    let child = Command::new(binary())
        .args(["query", "--metrics", "turnover", "--engine", "sr"])
        .current_dir(&folder.path)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let end = Instant::now() + Duration::from_secs(20);
    while server.hung().len() < 2 && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(50));
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let output = child.wait_with_output().unwrap();
    let heard = text(&output.stderr);
    assert!(output.status.code() == Some(2) && heard.contains("E_INTERRUPTED"), "{heard}");
    assert_eq!(killed(&server), Some(2), "{:?}", server.asked());
}

#[test]
fn doctor_says_what_a_starrocks_lacks() {
    let server = StandIn::start("3.5.2-8b3d1a0", |sql| match sql {
        "SHOW DATABASES FROM `lake`" => Answer::Rows(
            vec![("Database".to_string(), front_end::TEXT)],
            ["information_schema", "market"].iter().map(|name| vec![Some((*name).to_string())]).collect(),
        ),
        "SHOW DATABASES FROM `empty`" => {
            Answer::Rows(vec![("Database".to_string(), front_end::TEXT)], Vec::new())
        }
        _ => Answer::Fault(5501, "Unknown catalog".to_string()),
    });
    let folder = candles("starrocks-doctor", server.port);
    let line = |folder: &Folder| {
        let said = folder.good("doctor");
        said.lines().find(|line| line.contains("engine sr")).unwrap_or(&said).to_string()
    };
    let said = line(&folder);
    assert!(said.starts_with("ok") && said.contains("StarRocks 3.5.2-8b3d1a0 at 127.0.0.1"), "{said}");
    let file = fs::read_to_string(folder.path.join("unisono.yaml")).unwrap();
    for (wrong, right, word) in [
        ("catalog: lake", "catalog: empty", "does not show the database `market`"),
        ("catalog: lake", "catalog: nowhere", "Unknown catalog"),
        (", catalog: lake", "", "names no catalogue"),
        ("tls: disabled", "tls: required", "offers no encryption"),
    ] {
        folder.write("unisono.yaml", &file.replace(wrong, right));
        let said = line(&folder);
        assert!(said.starts_with("missing") && said.contains(word), "{said}");
    }
}
