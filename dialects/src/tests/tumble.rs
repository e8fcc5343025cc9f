//! Streams by buckets: the bounds of a window on every step, the table of events, and what has no windows.

use unisono_compiler::function::{AggregateFunction, Unit};
use unisono_compiler::ids::{DatasetId, Id};
use unisono_compiler::relation::{Body, Cte, Grouping, Input, Join, JoinKind, Relation, Select};

use super::relations::{BIG, TEXT, TIMESTAMP, aggregate, column, item, relation, select, table};
use super::target;
use crate::{
    Binding, Bindings, BoundSource, Bucket, EventTable, Pin, emit, flink_event_table, rows_before, tumbled,
};

/// Rows of a table, grouped by a text, and the groups beside a pick of each.
fn candles(kind: JoinKind) -> Relation {
    let cte = |name: &str, select: Select| Cte {
        name: name.to_string(),
        comment: name.to_string(),
        body: Body::Select(select),
    };
    let rows =
        select(vec![item("s", column("t", "s", TEXT)), item("b", column("t", "b", BIG))], table(0, "t"));
    let sum = aggregate(AggregateFunction::Sum, vec![column("rows", "b", BIG)], BIG);
    let groups = Select {
        group_by: Grouping::Keys(vec![column("rows", "s", TEXT)]),
        ..select(vec![item("s", column("rows", "s", TEXT)), item("total", sum)], Input::cte("rows"))
    };
    let mut body = select(
        vec![item("s", column("groups", "s", TEXT)), item("total", column("groups", "total", BIG))],
        Input::cte("groups"),
    );
    body.joins.push(Join {
        kind,
        right: Input::cte("rows"),
        on: vec![(column("groups", "s", TEXT), column("rows", "s", TEXT))],
        null_safe: true,
    });
    relation(vec![cte("rows", rows), cte("groups", groups)], body)
}

fn emitted(relation: &Relation, bucket: Bucket, name: &str) -> Result<String, String> {
    let mut bindings = Bindings::default();
    let source = BoundSource::Buckets { table: vec!["events".to_string()], bucket };
    let pin = Pin { branch: None, snapshot: None, consumer: Some("job".to_string()) };
    let pin = (name == "flink-streaming").then_some(pin);
    bindings.bind(DatasetId::from_index(0), Binding { source, pin });
    let (sql, findings) = emit(relation, &target(name), &bindings);
    sql.ok_or_else(|| format!("{}: {}", findings[0].code, findings[0].message))
}

#[test]
fn every_step_hands_the_bounds_of_its_window_on() {
    let by_buckets = tumbled(&candles(JoinKind::Left), Some("2024-01-01 00:00:00")).unwrap();
    // By hand, from Flink's pages on window aggregation and window join: both bounds in GROUP BY and in ON, and in no column of the answer.
    assert_eq!(
        emitted(&by_buckets, Bucket::Minute, "flink-streaming").unwrap(),
        "WITH
  -- rows
  `rows` AS (
    SELECT
      t.s AS s,
      t.b AS b,
      t.window_start AS window_start,
      t.window_end AS window_end
    FROM TABLE(TUMBLE((SELECT * FROM events /*+ OPTIONS('consumer-id'='job') */), DESCRIPTOR(__time), INTERVAL '1' MINUTE)) AS t
    WHERE t.window_start >= CAST(TIMESTAMP '2024-01-01 00:00:00' AS TIMESTAMP(6))
  ),
  -- groups
  `groups` AS (
    SELECT
      `rows`.s AS s,
      SUM(`rows`.b) AS `total`,
      `rows`.window_start AS window_start,
      `rows`.window_end AS window_end
    FROM `rows`
    GROUP BY `rows`.s, `rows`.window_start, `rows`.window_end
  )
SELECT
  `groups`.s AS s,
  `groups`.`total` AS `total`
FROM `groups`
LEFT JOIN `rows` ON (`groups`.s IS NOT DISTINCT FROM `rows`.s) AND (`groups`.window_start IS NOT DISTINCT FROM `rows`.window_start) AND (`groups`.window_end IS NOT DISTINCT FROM `rows`.window_end)"
    );
}

#[test]
fn weeks_begin_on_a_monday_and_other_windows_where_1970_did() {
    let read = relation(Vec::new(), select(vec![item("s", column("t", "s", TEXT))], table(0, "t")));
    let windows = |bucket| {
        let text = emitted(&read, bucket, "flink-streaming").unwrap();
        text.split_once("DESCRIPTOR(__time), ").unwrap().1.strip_suffix(")) AS t").unwrap().to_string()
    };
    assert_eq!(windows(Bucket::Second), "INTERVAL '1' SECOND");
    assert_eq!(windows(Bucket::Hour), "INTERVAL '1' HOUR");
    assert_eq!(windows(Bucket::Day), "INTERVAL '1' DAY");
    assert_eq!(windows(Bucket::Week), "INTERVAL '7' DAY, INTERVAL '4' DAY");
    for unit in [Unit::Month, Unit::Quarter, Unit::Year] {
        assert_eq!(Bucket::of(unit), None);
    }
    for name in ["flink", "starrocks"] {
        let said = emitted(&read, Bucket::Day, name).unwrap_err();
        assert!(said.starts_with("E_UNSUPPORTED_PATTERN: `t` cannot be read by buckets"), "{said}");
    }
}

#[test]
fn what_tells_no_group_once_has_no_windows() {
    for (kind, why) in [(JoinKind::Full, "several kinds"), (JoinKind::Cross, "paired")] {
        let said = tumbled(&candles(kind), None).unwrap_err();
        assert!(said.contains(why), "{said}");
    }
    let mut global = candles(JoinKind::Left);
    global.ctes[1].body.selects_mut()[0].group_by = Grouping::Global;
    assert!(tumbled(&global, None).unwrap_err().contains("one group"));
}

#[test]
fn rows_before_a_moment_are_those_of_the_table() {
    let older = rows_before(&candles(JoinKind::Left), "at", "2024-01-01 00:00:00");
    let filters: Vec<usize> = older
        .ctes
        .iter()
        .flat_map(|cte| cte.body.selects())
        .chain([&older.body])
        .map(|select| select.filter.len())
        .collect();
    assert_eq!(filters, [1, 0, 0]);
    let text = emitted(&older, Bucket::Minute, "flink-streaming").unwrap();
    assert!(text.contains("WHERE t.`at` < CAST(TIMESTAMP '2024-01-01 00:00:00' AS TIMESTAMP(6))"), "{text}");
    assert_eq!(older.ctes[0].body.selects()[0].filter[0].children()[0], &column("t", "at", TIMESTAMP));
}

#[test]
fn an_event_table_has_a_time_of_milliseconds_and_a_watermark_below_the_end_of_a_window() {
    let table = ["unisono", "market", "trades"].map(ToString::to_string);
    let text = flink_event_table(&EventTable {
        name: "unisono_events",
        table: &table,
        path: "file:///data/it's/market.db/trades",
        time: "traded at",
        wait: 90_061_500,
        options: &[("continuous.discovery-interval".to_string(), "1 s".to_string())],
    });
    // 90,061.5 seconds are a day, an hour, a minute and a second and a half.
    assert_eq!(
        text,
        "CREATE TEMPORARY TABLE unisono_events (
  __time AS CAST(`traded at` AS TIMESTAMP(3)),
  WATERMARK FOR __time AS __time - INTERVAL '1 01:01:01.501' DAY TO SECOND
) WITH (
  'connector' = 'paimon',
  'scan.parallelism' = '1',
  'scan.watermark.emit.strategy' = 'on-event',
  'path' = 'file:///data/it''s/market.db/trades',
  'continuous.discovery-interval' = '1 s'
) LIKE unisono.market.trades (EXCLUDING ALL)"
    );
}
