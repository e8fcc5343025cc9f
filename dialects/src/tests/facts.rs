//! What is known of each target beside its functions.

use super::{TARGETS, target};
use crate::{facts, session_settings};

fn answer(name: &str, topic: &str) -> String {
    let facts = facts(&target(name));
    facts.into_iter().find(|fact| fact.topic == topic).unwrap().answer
}

#[test]
fn every_target_states_the_same_topics() {
    let topics = |name| facts(&target(name)).into_iter().map(|fact| fact.topic).collect::<Vec<_>>();
    let first = topics("datafusion");
    assert!(first.len() > 25);
    for name in TARGETS {
        assert_eq!(topics(name), first, "{name}");
        for fact in facts(&target(name)) {
            assert!(!fact.answer.is_empty() && !fact.answer.contains('|'), "{name}: {fact:?}");
        }
        for setting in session_settings(&target(name)) {
            assert!(setting.url.starts_with("https://") && !setting.without.is_empty(), "{name}");
            assert!(!setting.without.contains('|'), "{name}: {setting:?}");
        }
    }
}

#[test]
fn sessions_are_set_so_that_texts_mean_what_they_say() {
    let statements =
        |name| session_settings(&target(name)).iter().map(|setting| setting.statement).collect::<Vec<_>>();
    assert_eq!(statements("datafusion"), [""; 0]);
    for name in ["flink", "flink-streaming"] {
        assert!(statements(name).contains(&"SET 'table.local-time-zone' = 'UTC'"), "{name}");
    }
    for wanted in [
        "SET time_zone = 'UTC'",
        "SET sql_mode = 'ONLY_FULL_GROUP_BY,ERROR_IF_OVERFLOW'",
        "SET sql_select_limit = 9223372036854775807",
        "SET group_concat_max_len = 2147483647",
        "SET enable_materialized_view_rewrite = false",
    ] {
        assert!(statements("starrocks").contains(&wanted), "{wanted}");
    }
    let letters = "SET lower_upper_support_utf8 = true";
    assert!(statements("starrocks").contains(&letters) && !statements("starrocks@3.3").contains(&letters));
}

#[test]
fn limits_and_orders_are_those_of_the_documents() {
    assert_eq!(answer("starrocks", "digits of a decimal"), "38");
    assert_eq!(answer("starrocks@4.0", "digits of a decimal"), "76");
    assert_eq!(answer("starrocks@4.2", "the longest text"), "2 GiB");
    let order = "NULLs, if an order does not say it";
    assert_eq!(answer("flink", order), answer("starrocks", order));
    assert_eq!(answer("duckdb", order), "last");
    assert_eq!(answer("starrocks", "a timestamp"), "`DATETIME '2024-01-31 10:11:12'`");
    assert_eq!(answer("flink", "type Decimal(10,2)"), "`DECIMAL(10, 2)`");
}
