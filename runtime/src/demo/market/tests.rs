//! The demo's market: counts and first lines by hand, what must hold for every seed, and the bytes.

use std::collections::BTreeSet;

use sha2::{Digest, Sha256};

use super::*;

fn lines(market: &Market, name: &str) -> Vec<String> {
    let text = market.csv().into_iter().find(|(file, _)| *file == name).map(|(_, text)| text).unwrap();
    text.lines().map(ToString::to_string).collect()
}

#[test]
fn the_demo_has_these_rows() {
    let market = market(SEED, MINUTES);
    let counts = [
        market.symbols.len(),
        market.trades.len(),
        market.late_trades.len(),
        market.quotes.len(),
        market.corrections.len(),
        market.cancellations.len(),
        market.removals.len(),
    ];
    assert_eq!(counts, [8, 19_693, 221, 9_916, 188, 92, 63]);
    assert_eq!(market.trades.iter().filter(|trade| trade.cancelled).count(), 95);
    assert_eq!(
        lines(&market, "trades.csv")[..3],
        [
            "trade_id,symbol,traded_at,sequence,price,quantity,status",
            "1,ELMS,2026-03-02 09:00:00.048000,1,318.0125,350,regular",
            "2,HAZL,2026-03-02 09:00:00.470000,2,74.9900,340,regular",
        ]
    );
    assert_eq!(
        lines(&market, "quotes.csv")[1..3],
        [
            "1,FERN,2026-03-02 09:00:00.281000,63.9975,64.0050",
            "2,GLEN,2026-03-02 09:00:00.621000,128.9900,129.0125"
        ]
    );
    assert_eq!(
        lines(&market, "late_trades.csv")[1],
        "19694,GLEN,2026-03-02 09:00:09.903000,55,128.9975,110,regular"
    );
    assert_eq!(
        lines(&market, "corrections.csv")[1],
        "54,GLEN,2026-03-02 09:00:09.945000,56,129.0475,460,regular"
    );
    assert_eq!(
        lines(&market, "cancellations.csv")[1],
        "67,HAZL,2026-03-02 09:00:11.315000,69,74.9900,120,cancelled"
    );
    assert_eq!(lines(&market, "removals.csv")[..2], ["trade_id", "904"]);
}

/// The same market was written a second time in another language; this is the digest of its files one after the other.
#[test]
fn the_same_seed_gives_the_same_bytes() {
    let text: String = market(SEED, MINUTES).csv().into_iter().map(|(_, text)| text).collect();
    let digest = format!("{:x}", Sha256::digest(text.as_bytes()));
    assert_eq!(digest, "f1dd36adaa93e0a3c9933f59ae44b63f339fa6e14cb95ba97e0fe26a054a135b");
    assert_ne!(market(SEED, 1), market(SEED + 1, 1));
}

#[test]
fn keys_are_unique_and_orders_differ() {
    for seed in 0..3 {
        let market = market(seed, 5);
        let all: Vec<&Trade> = market.trades.iter().chain(&market.late_trades).collect();
        let sequences: BTreeSet<i64> = all.iter().map(|trade| trade.sequence).collect();
        assert_eq!(sequences.len(), all.len());
        assert!(all.iter().zip(1..).all(|(trade, place)| trade.trade_id == place));
        let mut by_sequence = all.clone();
        by_sequence.sort_by_key(|trade| trade.sequence);
        assert!(by_sequence.is_sorted_by_key(|trade| trade.traded_at));
        // Rows are not in the order of time.
        assert!(!market.trades.is_sorted_by_key(|trade| trade.traded_at));
        assert!(market.quotes.iter().all(|quote| 0 < quote.bid && quote.bid < quote.ask));
    }
}

#[test]
fn a_trade_changes_once() {
    let market = market(SEED, 10);
    let changed = market.corrections.iter().chain(&market.cancellations).map(|trade| trade.trade_id);
    let changed: Vec<i64> = changed.chain(market.removals.iter().copied()).collect();
    assert_eq!(changed.iter().copied().collect::<BTreeSet<i64>>().len(), changed.len());
    for correction in &market.corrections {
        let old = market.trades.iter().find(|trade| trade.trade_id == correction.trade_id).unwrap();
        assert!(old.price != correction.price && old.quantity != correction.quantity);
        assert_eq!((old.symbol, old.traded_at), (correction.symbol, correction.traded_at));
    }
    let last = market.final_trades();
    assert_eq!(last.len(), market.trades.len() + market.late_trades.len() - market.removals.len());
    assert!(market.corrections.iter().all(|trade| last.contains(trade)));
    assert!(market.cancellations.iter().all(|trade| last.contains(trade)));
    assert!(last.iter().all(|trade| !market.removals.contains(&trade.trade_id)));
}

#[test]
fn the_files_are_written() {
    let folder = std::env::temp_dir().join(format!("unisono-market-{}", std::process::id()));
    let market = market(SEED, 1);
    market.write_csv(&folder).unwrap();
    for (name, text) in market.csv() {
        assert_eq!(std::fs::read_to_string(folder.join(name)).unwrap(), text);
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
