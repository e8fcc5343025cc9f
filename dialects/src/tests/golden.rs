//! Whole texts, written by hand, of the same relations on all targets.

use unisono_compiler::diagnostic::Code;

use super::relations::{aggregates, dates, picked, revenue_by_region, row_values, running, stitched, total};
use super::{finding, say, sql};

const REVENUE: &str = "\
WITH
  -- rows of orders with what they reach
  orders_rows AS (
    SELECT
      customers.region AS region,
      CAST(orders.amount AS DECIMAL(38, 2)) AS amount,
      CAST(orders.quantity AS DECIMAL(38, 0)) AS quantity
    FROM orders
    LEFT JOIN customers ON orders.customer_id = customers.id
    WHERE orders.status = 'completed'
  ),
  -- orders aggregated by region
  orders_groups AS (
    SELECT
      orders_rows.region AS region,
      SUM(orders_rows.amount) AS revenue,
      SUM(orders_rows.quantity) AS quantity,
      COUNT(*) AS orders
    FROM orders_rows
    GROUP BY orders_rows.region
  )
SELECT
  orders_groups.region AS region,
  orders_groups.revenue AS revenue,
  orders_groups.quantity AS quantity,
  CAST(orders_groups.revenue AS DOUBLE) / NULLIF(CAST(orders_groups.orders AS DOUBLE), 0) AS average
FROM orders_groups
ORDER BY revenue DESC NULLS FIRST, region ASC NULLS LAST
LIMIT 10";

const REVENUE_STARROCKS: &str = "\
WITH
  -- rows of orders with what they reach
  `orders_rows` AS (
    SELECT
      `customers`.`region` AS `region`,
      CAST(`orders`.`amount` AS DECIMAL(38, 2)) AS `amount`,
      CAST(`orders`.`quantity` AS DECIMAL(38, 0)) AS `quantity`
    FROM `orders`
    LEFT JOIN `customers` ON `orders`.`customer_id` = `customers`.`id`
    WHERE `orders`.`status` = 'completed'
  ),
  -- orders aggregated by region
  `orders_groups` AS (
    SELECT
      `orders_rows`.`region` AS `region`,
      SUM(`orders_rows`.`amount`) AS `revenue`,
      CAST(SUM(CAST(`orders_rows`.`quantity` AS LARGEINT)) AS DECIMAL(38, 0)) AS `quantity`,
      COUNT(*) AS `orders`
    FROM `orders_rows`
    GROUP BY `orders_rows`.`region`
  )
SELECT
  `orders_groups`.`region` AS `region`,
  `orders_groups`.`revenue` AS `revenue`,
  `orders_groups`.`quantity` AS `quantity`,
  CASE WHEN `orders_groups`.`orders` = 0 THEN NULL ELSE CAST(`orders_groups`.`revenue` AS DOUBLE) / CAST(`orders_groups`.`orders` AS DOUBLE) END AS `average`
FROM `orders_groups`
ORDER BY `revenue` DESC NULLS FIRST, `region` ASC NULLS LAST
LIMIT 10";

#[test]
fn revenue_by_region_on_all_targets() {
    for name in ["datafusion", "duckdb", "flink", "flink@1.20", "flink-streaming"] {
        assert_eq!(sql(&revenue_by_region(), name), REVENUE, "{name}");
    }
    for name in ["starrocks", "starrocks@4.1"] {
        assert_eq!(sql(&revenue_by_region(), name), REVENUE_STARROCKS, "{name}");
    }
}

#[test]
fn an_order_without_a_limit_is_left_out_of_a_changelog() {
    let mut relation = revenue_by_region();
    relation.limit = None;
    let (sql, diagnostics) = say(&relation, "flink-streaming");
    assert_eq!(sql.unwrap(), REVENUE.split_once("\nORDER BY").unwrap().0);
    assert_eq!(diagnostics.len(), 1);
    assert_eq!(diagnostics[0].code, Code::OrderDropped);
}

#[test]
fn facts_are_stitched_null_safely() {
    let branches = "\
WITH
  -- orders aggregated by region
  orders_groups AS (
    SELECT
      orders.region AS region,
      COUNT(*) AS orders
    FROM orders
    GROUP BY orders.region
  ),
  -- visits aggregated by region
  visits_groups AS (
    SELECT
      visits.region AS region,
      COUNT(*) AS visits
    FROM customers AS visits
    GROUP BY visits.region
  )";
    let body = "
SELECT
  COALESCE(orders_groups.region, visits_groups.region) AS region,
  COALESCE(orders_groups.orders, 0) AS orders,
  COALESCE(visits_groups.visits, 0) AS visits
FROM orders_groups
FULL JOIN visits_groups ON (orders_groups.region IS NOT DISTINCT FROM visits_groups.region)";
    for name in ["duckdb", "flink", "flink-streaming"] {
        assert_eq!(sql(&stitched(), name), [branches, body].concat(), "{name}");
    }
    // DataFusion forgets NULL when it filters one side by the keys of the other.
    let (before, _) = body.split_once("(orders_groups.region IS NOT").unwrap();
    let on = "COALESCE(orders_groups.region, '') = COALESCE(visits_groups.region, '') \
              AND (orders_groups.region IS NULL) = (visits_groups.region IS NULL)";
    assert_eq!(sql(&stitched(), "datafusion"), [branches, before, on].concat());
    let starrocks = "\
WITH
  -- orders aggregated by region
  `orders_groups` AS (
    SELECT
      `orders`.`region` AS `region`,
      COUNT(*) AS `orders`
    FROM `orders`
    GROUP BY `orders`.`region`
  ),
  -- visits aggregated by region
  `visits_groups` AS (
    SELECT
      `visits`.`region` AS `region`,
      COUNT(*) AS `visits`
    FROM `customers` AS `visits`
    GROUP BY `visits`.`region`
  ),
  -- the branches of answer under each other
  `answer_branches` AS (
    SELECT
      `orders_groups`.`region` AS `region`,
      `orders_groups`.`orders` AS `orders`,
      CAST(NULL AS BIGINT) AS `visits`
    FROM `orders_groups`
    UNION ALL
    SELECT
      `visits_groups`.`region` AS `region`,
      CAST(NULL AS BIGINT) AS `orders`,
      `visits_groups`.`visits` AS `visits`
    FROM `visits_groups`
  ),
  -- one row a key of answer
  `answer_groups` AS (
    SELECT
      `answer_branches`.`region` AS `region`,
      MAX(`answer_branches`.`orders`) AS `orders`,
      MAX(`answer_branches`.`visits`) AS `visits`
    FROM `answer_branches`
    GROUP BY `answer_branches`.`region`
  )
SELECT
  `answer_groups`.`region` AS `region`,
  COALESCE(`answer_groups`.`orders`, 0) AS `orders`,
  COALESCE(`answer_groups`.`visits`, 0) AS `visits`
FROM `answer_groups`";
    assert_eq!(sql(&stitched(), "starrocks"), starrocks);
}

#[test]
fn one_row_over_nothing_in_streaming_too() {
    let native = "\
SELECT
  COUNT(*) AS \"rows\",
  MAX(t.i) AS largest
FROM t
WHERE t.i > 3";
    assert_eq!(sql(&total(), "datafusion"), native);
    assert_eq!(sql(&total(), "flink"), native.replace('"', "`"));
    let streaming = "\
WITH
  -- rows of answer, and one of NULLs so that an empty input has an answer
  answer_kept AS (
    SELECT
      CAST(1 AS BIGINT) AS mark,
      t.i AS i
    FROM t
    WHERE t.i > 3
    UNION ALL
    SELECT
      CAST(NULL AS BIGINT) AS mark,
      CAST(NULL AS INT) AS i
  )
SELECT
  COUNT(kept.mark) AS `rows`,
  MAX(kept.i) AS largest
FROM answer_kept AS kept";
    assert_eq!(sql(&total(), "flink-streaming"), streaming);
}

#[test]
fn the_first_row_of_each_group_on_all_targets() {
    let text = |rank: &str| {
        [
            "\
WITH
  -- rows of t, ranked from the greatest ts
  t_ranked AS (
    SELECT
      t.s AS s,
      t.i AS i,
      ",
            rank,
            " AS pick_rank
    FROM t
    WHERE t.ts IS NOT NULL
  )
SELECT
  t_ranked.s AS s,
  t_ranked.i AS i
FROM t_ranked
WHERE t_ranked.pick_rank = 1",
        ]
        .concat()
    };
    let rank = "ROW_NUMBER() OVER (PARTITION BY t.s ORDER BY t.ts DESC NULLS LAST, t.i ASC NULLS LAST)";
    for name in ["duckdb", "flink", "flink-streaming", "flink-streaming@1.20"] {
        assert_eq!(sql(&picked(), name), text(rank), "{name}");
    }
    assert_eq!(sql(&picked(), "datafusion"), text(&format!("CAST({rank} AS BIGINT)")));
}

#[test]
fn running_windows_write_out_frames_and_null_orders() {
    let text = "\
SELECT
  t.i AS i,
  SUM(CAST(t.d AS DECIMAL(38, 2))) OVER (PARTITION BY t.s ORDER BY t.i ASC NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS total,
  LAG(t.i, 1) OVER (PARTITION BY t.s ORDER BY t.i ASC NULLS LAST) AS previous
FROM t";
    assert_eq!(sql(&running(), "datafusion"), text);
    assert_eq!(sql(&running(), "duckdb"), text);
    assert_eq!(sql(&running(), "flink"), text.replace(" total", " `total`"));
    assert_eq!(
        finding(&running(), "flink-streaming"),
        "E_UNSUPPORTED_FUNCTION: `LAG OVER` on Flink streaming 2.2: it fails at run time over a plain column in streaming mode (2.2.1)"
    );
    assert_eq!(
        finding(&running(), "flink-streaming@1.20"),
        "E_UNSUPPORTED_FUNCTION: `SUM OVER` on Flink streaming 1.20: streaming mode orders windows by a time attribute of the source only"
    );
}

#[test]
fn numbers_conditions_and_texts_on_all_targets() {
    let datafusion = r#"SELECT
  CAST(t.i AS BIGINT) * CAST(t.i AS BIGINT) AS narrow,
  CAST(CAST(t.b AS DECIMAL(19, 0)) + CAST(1 AS DECIMAL(1, 0)) AS BIGINT) AS wide,
  CAST(CAST(t.b AS DECIMAL(19, 0)) * CAST(t.b AS DECIMAL(19, 0)) - CAST(t.b AS DECIMAL(19, 0)) AS BIGINT) AS chained,
  CAST(t.d * CAST(t.i AS DECIMAL(10, 0)) AS DECIMAL(20, 2)) AS money,
  CAST(t.d * CAST('0.19' AS DECIMAL(2, 2)) AS DECIMAL(12, 4)) AS tax,
  CAST(t.d AS DOUBLE) / NULLIF(CAST(t.b AS DOUBLE), 0) AS share,
  CAST(t.b % 7 AS BIGINT) AS rest,
  CASE WHEN t.f + 0e0 >= 0 AND t.f + 0e0 <= 1.7976931348623157e308 THEN SQRT(t.f + 0e0) END AS root,
  t.s || 'it''s \ "here"' AS label,
  CASE WHEN (t.s IS DISTINCT FROM 'x') THEN 1 ELSE 0 END AS flag,
  NULLIF(CAST(t.d AS BIGINT), NULL) AS rounded
FROM t"#;
    assert_eq!(sql(&row_values(), "datafusion"), datafusion);
    let duckdb = r#"SELECT
  CAST(t.i AS BIGINT) * CAST(t.i AS BIGINT) AS narrow,
  t.b + 1 AS wide,
  t.b * t.b - t.b AS chained,
  CAST(CAST(t.d AS DECIMAL(19, 2)) * CAST(t.i AS DECIMAL(10, 0)) AS DECIMAL(20, 2)) AS money,
  t.d * CAST('0.19' AS DECIMAL(2, 2)) AS tax,
  CAST(t.d AS DOUBLE) / NULLIF(CAST(t.b AS DOUBLE), 0) AS share,
  CAST(t.b % 7 AS BIGINT) AS rest,
  CASE WHEN t.f >= 0 AND t.f <= 1.7976931348623157e308 THEN SQRT(t.f) END AS root,
  t.s || 'it''s \ "here"' AS label,
  CAST(CASE WHEN (t.s IS DISTINCT FROM 'x') THEN 1 ELSE 0 END AS BIGINT) AS flag,
  CAST(TRUNC(t.d) AS BIGINT) AS rounded
FROM t"#;
    assert_eq!(sql(&row_values(), "duckdb"), duckdb);
    let flink = r#"SELECT
  CAST(t.i AS BIGINT) * CAST(t.i AS BIGINT) AS narrow,
  CAST(CONCAT(CAST(CAST(t.b AS DECIMAL(19, 0)) + CAST(1 AS DECIMAL(1, 0)) AS STRING), '') AS BIGINT) AS wide,
  CAST(CONCAT(CAST(CAST(t.b AS DECIMAL(19, 0)) * CAST(t.b AS DECIMAL(19, 0)) - CAST(t.b AS DECIMAL(19, 0)) AS STRING), '') AS BIGINT) AS chained,
  CAST(t.d * CAST(t.i AS DECIMAL(10, 0)) AS DECIMAL(20, 2)) AS money,
  CAST(t.d * CAST('.19' AS DECIMAL(2, 2)) AS DECIMAL(12, 4)) AS tax,
  CAST(t.d AS DOUBLE) / NULLIF(CAST(t.b AS DOUBLE), 0) AS share,
  CAST(MOD(t.b, 7) AS BIGINT) AS rest,
  CASE WHEN t.f >= 0 AND t.f <= 1.7976931348623157e308 THEN SQRT(t.f) END AS root,
  CONCAT(t.s, 'it''s \ "here"') AS `label`,
  CAST(CASE WHEN (t.s IS DISTINCT FROM 'x') THEN 1 ELSE 0 END AS BIGINT) AS flag,
  CAST(t.d AS BIGINT) AS rounded
FROM t"#;
    assert_eq!(sql(&row_values(), "flink"), flink);
    assert_eq!(sql(&row_values(), "flink-streaming"), flink);
    let starrocks = sql(&row_values(), "starrocks");
    let lines: Vec<&str> = starrocks.lines().map(str::trim).collect();
    assert_eq!(
        lines[2],
        "CASE WHEN assert_true(COALESCE(CAST(`t`.`b` AS LARGEINT) + CAST(1 AS LARGEINT) >= CAST('-9223372036854775808' AS LARGEINT) AND CAST(`t`.`b` AS LARGEINT) + CAST(1 AS LARGEINT) <= CAST('9223372036854775807' AS LARGEINT), TRUE)) THEN CAST(CAST(`t`.`b` AS LARGEINT) + CAST(1 AS LARGEINT) AS BIGINT) END AS `wide`,"
    );
    assert_eq!(
        &lines[4..],
        [
            "`t`.`d` * CAST(`t`.`i` AS DECIMAL(10, 0)) AS `money`,",
            "`t`.`d` * CAST('0.19' AS DECIMAL(2, 2)) AS `tax`,",
            "CASE WHEN `t`.`b` = 0 THEN NULL ELSE CAST(`t`.`d` AS DOUBLE) / CAST(`t`.`b` AS DOUBLE) END AS `share`,",
            "CAST(`t`.`b` % 7 AS BIGINT) AS `rest`,",
            "CASE WHEN `t`.`f` >= 0 AND `t`.`f` <= 1.7976931348623157e308 THEN SQRT(`t`.`f`) END AS `root`,",
            "CONCAT(`t`.`s`, 'it''s \\\\ \"here\"') AS `label`,",
            "CAST(CASE WHEN NOT (`t`.`s` <=> 'x') THEN 1 ELSE 0 END AS BIGINT) AS `flag`,",
            "CAST(TRUNCATE(`t`.`d`, 0) AS BIGINT) AS `rounded`",
            "FROM `t`",
        ]
    );
}

#[test]
fn dates_on_all_targets() {
    let datafusion = r#"SELECT
  MAKE_DATE(CAST(DATE_PART('year', t."day") AS INT), CAST(DATE_PART('month', t."day") AS INT), 1) AS start,
  CAST(CAST(t.ts AS DATE) + (1 - CAST(DATE_PART('isodow', t.ts) AS INT)) AS TIMESTAMP(6)) AS monday,
  CAST(DATE_PART('dow', t."day") + 1 AS BIGINT) AS weekday,
  CAST(DATE_PART('year', t.ts) AS BIGINT) AS calendar,
  CAST(t."day" + INTERVAL '1' MONTH AS DATE) AS later,
  CAST((CAST(CAST(t."day" AS INT) AS BIGINT) - (DATE_PART('isodow', t."day") - 1) - (CAST(CAST(DATE '2024-01-01' AS INT) AS BIGINT) - (DATE_PART('isodow', DATE '2024-01-01') - 1))) / 7 AS BIGINT) AS week_count,
  CAST((CAST(CAST(t.ts AS TIMESTAMP(6)) AS BIGINT) + 86400000000000000) / 3600000000 - (CAST(CAST(t.ts AS TIMESTAMP(6)) AS BIGINT) + 86400000000000000) / 3600000000 AS BIGINT) AS hour_count,
  CAST(DATE_PART('year', t."day") * 12 + DATE_PART('month', t."day") - (DATE_PART('year', t."day") * 12 + DATE_PART('month', t."day")) AS BIGINT) AS month_count
FROM t"#;
    assert_eq!(sql(&dates(), "datafusion"), datafusion);
    let duckdb = r#"SELECT
  CAST(DATE_TRUNC('month', t."day") AS DATE) AS start,
  DATE_TRUNC('week', t.ts) AS monday,
  DATE_PART('dow', t."day") + 1 AS weekday,
  DATE_PART('year', t.ts) AS calendar,
  CAST(t."day" + TO_MONTHS(CAST(1 AS INTEGER)) AS DATE) AS later,
  CAST(DATE_DIFF('day', DATE_TRUNC('week', DATE '2024-01-01'), DATE_TRUNC('week', t."day")) / 7 AS BIGINT) AS week_count,
  DATE_DIFF('hour', t.ts, t.ts) AS hour_count,
  DATE_DIFF('month', t."day", t."day") AS month_count
FROM t"#;
    assert_eq!(sql(&dates(), "duckdb"), duckdb);
    let flink = "SELECT
  TIMESTAMPADD(DAY, 1 - CAST(EXTRACT(DAY FROM t.`day`) AS INT), t.`day`) AS `start`,
  CAST(TIMESTAMPADD(DAY, 1 - CAST(EXTRACT(ISODOW FROM FLOOR(t.ts TO DAY)) AS INT), FLOOR(t.ts TO DAY)) AS TIMESTAMP(6)) AS monday,
  EXTRACT(DOW FROM t.`day`) AS weekday,
  EXTRACT(YEAR FROM FLOOR(t.ts TO DAY)) AS calendar,
  TIMESTAMPADD(MONTH, 1, t.`day`) AS later,
  CAST(TIMESTAMPDIFF(DAY, TIMESTAMPADD(DAY, 1 - CAST(EXTRACT(ISODOW FROM DATE '2024-01-01') AS INT), DATE '2024-01-01'), TIMESTAMPADD(DAY, 1 - CAST(EXTRACT(ISODOW FROM t.`day`) AS INT), t.`day`)) AS BIGINT) / 7 AS week_count,
  CAST(TIMESTAMPDIFF(DAY, CAST(FLOOR(t.ts TO DAY) AS DATE), CAST(FLOOR(t.ts TO DAY) AS DATE)) AS BIGINT) * 24 + CAST(TIMESTAMPDIFF(HOUR, FLOOR(t.ts TO DAY), t.ts) AS BIGINT) - CAST(TIMESTAMPDIFF(HOUR, FLOOR(t.ts TO DAY), t.ts) AS BIGINT) AS hour_count,
  EXTRACT(YEAR FROM t.`day`) * 12 + EXTRACT(MONTH FROM t.`day`) - (EXTRACT(YEAR FROM t.`day`) * 12 + EXTRACT(MONTH FROM t.`day`)) AS month_count
FROM t";
    assert_eq!(sql(&dates(), "flink"), flink);
    assert_eq!(sql(&dates(), "flink-streaming"), flink);
    let starrocks = "SELECT
  CAST(DATE_TRUNC('month', `t`.`day`) AS DATE) AS `start`,
  CAST(DATE_TRUNC('week', `t`.`ts`) AS DATETIME) AS `monday`,
  CAST(DAYOFWEEK(`t`.`day`) AS BIGINT) AS `weekday`,
  CAST(YEAR(`t`.`ts`) AS BIGINT) AS `calendar`,
  CAST(DATE_ADD(`t`.`day`, INTERVAL 1 MONTH) AS DATE) AS `later`,
  CAST(CAST(DATEDIFF(DATE_TRUNC('week', `t`.`day`), DATE_TRUNC('week', DATE '2024-01-01')) AS BIGINT) DIV 7 AS BIGINT) AS `week_count`,
  CAST(CAST(DATEDIFF(`t`.`ts`, `t`.`ts`) AS BIGINT) * 24 + CAST(HOUR(`t`.`ts`) AS BIGINT) - CAST(HOUR(`t`.`ts`) AS BIGINT) AS BIGINT) AS `hour_count`,
  CAST(CAST(YEAR(`t`.`day`) AS BIGINT) * 12 + MONTH(`t`.`day`) - (CAST(YEAR(`t`.`day`) AS BIGINT) * 12 + MONTH(`t`.`day`)) AS BIGINT) AS `month_count`
FROM `t`";
    assert_eq!(sql(&dates(), "starrocks"), starrocks);
}

#[test]
fn aggregates_on_all_targets() {
    let lines = |name: &str| -> Vec<String> {
        sql(&aggregates(), name).lines().skip(2).map(|line| line.trim().to_string()).collect()
    };
    let expected = |spread: &str, middle: &str, quarter: &str, tail: &[&str]| -> Vec<String> {
        ["COUNT(t.i) AS n,", "COUNT(DISTINCT t.s) AS kinds,", "MIN(t.s) AS least,", spread, middle, quarter]
            .into_iter()
            .chain(tail.iter().copied())
            .map(ToString::to_string)
            .collect()
    };
    let spread = "STDDEV_SAMP(t.f) AS spread,";
    // x[floor(p)] + (p - floor(p)) * (x[floor(p) + 1] - x[floor(p)]) over the sorted values, p = 0.25 * (n - 1).
    let position = "CAST(CAST('0.25' AS DECIMAL(2, 2)) AS DOUBLE) * CAST(COUNT(t.f) - 1 AS DOUBLE)";
    let sorted = "ARRAY_AGG(t.f ORDER BY t.f ASC NULLS LAST)";
    let first = format!("CAST(FLOOR({position}) AS BIGINT) + 1");
    let lower_part = format!(
        "CASE WHEN COUNT(t.f) > 0 THEN ARRAY_ELEMENT({sorted}, {first}) + ({position} - FLOOR({position})) * \
         (ARRAY_ELEMENT({sorted}, LEAST({first} + 1, COUNT(t.f))) - ARRAY_ELEMENT({sorted}, {first})) END AS lower_part,"
    );
    assert_eq!(
        lines("datafusion"),
        expected(
            spread,
            "MEDIAN(t.f) AS middle,",
            &lower_part,
            &["SUM(t.f) AS volume", "FROM t", "GROUP BY t.\"day\""],
        )
    );
    assert_eq!(
        lines("duckdb"),
        expected(
            spread,
            "MEDIAN(t.f) AS middle,",
            "QUANTILE_CONT(t.f, CAST(CAST('0.25' AS DECIMAL(2, 2)) AS DOUBLE)) AS lower_part,",
            &["SUM(t.f) AS volume", "FROM t", "GROUP BY t.\"day\""],
        )
    );
    let flink = expected(
        "CASE WHEN COUNT(t.f) > 1 THEN STDDEV_SAMP(t.f) END AS spread,",
        "PERCENTILE(t.f, 0.5) AS middle,",
        "PERCENTILE(t.f, 0.25) AS lower_part,",
        &["SUM(t.f) AS volume", "FROM t", "GROUP BY t.`day`"],
    );
    assert_eq!(lines("flink"), flink);
    // A stream keeps no spread.
    let mut streamed = aggregates();
    streamed.body.items.retain(|item| item.name != "spread");
    let text = sql(&streamed, "flink-streaming");
    let kept: Vec<&str> = flink.iter().map(String::as_str).filter(|line| !line.contains("spread")).collect();
    assert_eq!(text.lines().skip(2).map(str::trim).collect::<Vec<_>>(), kept);
    assert_eq!(
        lines("starrocks")[3..6],
        [
            "CASE WHEN COUNT(`t`.`f`) > 1 THEN STDDEV_SAMP(`t`.`f`) END AS `spread`,",
            "PERCENTILE_CONT(`t`.`f`, 0.5) AS `middle`,",
            "PERCENTILE_CONT(`t`.`f`, 0.25) AS `lower_part`,",
        ]
    );
}
