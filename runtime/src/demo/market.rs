//! A market of eight symbols. In: a seed and a number of minutes. Out: symbols, trades, quotes, and what happens to trades
//! afterwards: late ones, corrections, cancellations, removals. Integers only and no clock: the same seed gives the same bytes.

mod csv;

use std::collections::BTreeSet;

use super::random::Random;

/// The demo's seed.
pub const SEED: u64 = 7;

/// The demo's length: one trading hour.
pub const MINUTES: u32 = 60;

/// Ten-thousandths of a dollar, the unit of all prices here.
const DOLLAR: i64 = 10_000;

/// The least step of a price: a quarter of a cent.
const TICK: i64 = 25;

/// The first minute, 2026-03-02 09:00:00 UTC, in microseconds.
const OPENING: i64 = 1_772_442_000_000_000;

const MILLISECOND: i64 = 1_000;
const SECOND: i64 = 1_000 * MILLISECOND;
const MINUTE: i64 = 60 * SECOND;

/// Name, company, venue, sector, and the first price in dollars.
const SYMBOLS: [(&str, &str, &str, &str, i64); 8] = [
    ("ARDN", "Arden Software", "North", "Technology", 182),
    ("BRKW", "Brookwind Power", "South", "Energy", 41),
    ("CEDR", "Cedar Clinics", "North", "Health", 97),
    ("DUNE", "Dune Solar", "South", "Energy", 23),
    ("ELMS", "Elm Semiconductors", "North", "Technology", 318),
    ("FERN", "Fern Pharma", "South", "Health", 64),
    ("GLEN", "Glen Networks", "South", "Technology", 129),
    ("HAZL", "Hazel Gas", "North", "Energy", 75),
];

/// Everything that happens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Market {
    /// What is traded.
    pub symbols: Vec<Symbol>,
    /// Trades in the order in which they are written; some come up to a minute and a half after their moment.
    pub trades: Vec<Trade>,
    /// Trades that are written when everything else was.
    pub late_trades: Vec<Trade>,
    /// Quotes in the order of their moments.
    pub quotes: Vec<Quote>,
    /// Trades with another price and quantity, which replace those of the same number.
    pub corrections: Vec<Trade>,
    /// Trades that no longer count, which replace those of the same number.
    pub cancellations: Vec<Trade>,
    /// Numbers of busted trades, which are removed.
    pub removals: Vec<i64>,
}

/// What is traded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// The short name.
    pub symbol: &'static str,
    /// The company.
    pub name: &'static str,
    /// Where it is listed.
    pub venue: &'static str,
    /// What the company does.
    pub sector: &'static str,
}

/// A trade.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trade {
    /// Its number, in the order of writing.
    pub trade_id: i64,
    /// What was traded.
    pub symbol: &'static str,
    /// When, in microseconds.
    pub traded_at: i64,
    /// Its place among all trades in the order of time.
    pub sequence: i64,
    /// Ten-thousandths of a dollar for a share.
    pub price: i64,
    /// Shares.
    pub quantity: i64,
    /// Whether it was cancelled.
    pub cancelled: bool,
}

/// A pair of best prices.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Quote {
    /// Its number, in the order of time.
    pub quote_id: i64,
    /// What is quoted.
    pub symbol: &'static str,
    /// When, in microseconds.
    pub quoted_at: i64,
    /// Ten-thousandths of a dollar that a buyer offers.
    pub bid: i64,
    /// Ten-thousandths of a dollar that a seller wants.
    pub ask: i64,
}

/// What happens at a moment.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    Quote,
    Trade,
}

/// A trade with the moment at which it is written; `None` for one that is late.
struct Arrival {
    written_at: Option<i64>,
    trade: Trade,
}

/// The market of a seed; about 330 trades and 170 quotes a minute.
pub fn market(seed: u64, minutes: u32) -> Market {
    let mut random = Random::new(seed);
    let (arrivals, quotes) = trading(&mut random, minutes);
    let (trades, late_trades) = written(arrivals);
    let mut market = Market {
        symbols: SYMBOLS
            .map(|(symbol, name, venue, sector, _)| Symbol { symbol, name, venue, sector })
            .into(),
        trades,
        late_trades,
        quotes,
        corrections: Vec::new(),
        cancellations: Vec::new(),
        removals: Vec::new(),
    };
    change(&mut random, &mut market);
    market
}

/// Trades and quotes in the order of time.
fn trading(random: &mut Random, minutes: u32) -> (Vec<Arrival>, Vec<Quote>) {
    let mut prices = SYMBOLS.map(|(.., dollars)| dollars * DOLLAR);
    let mut arrivals: Vec<Arrival> = Vec::new();
    let mut quotes: Vec<Quote> = Vec::new();
    for minute in 0..i64::from(minutes) {
        for (moment, event, at) in events(random, OPENING + minute * MINUTE) {
            let (Some(price), Some((symbol, ..))) = (prices.get_mut(at), SYMBOLS.get(at)) else { continue };
            match event {
                Event::Trade => {
                    *price = (*price + (random.below(21) - 10) * TICK).max(DOLLAR);
                    arrivals.push(arrival(random, symbol, moment, *price, count(arrivals.len())));
                }
                Event::Quote => {
                    let half = (1 + random.below(8)) * TICK;
                    quotes.push(Quote {
                        quote_id: count(quotes.len()),
                        symbol,
                        quoted_at: moment,
                        bid: *price - half,
                        ask: *price + half + random.below(3) * TICK,
                    });
                }
            }
        }
    }
    (arrivals, quotes)
}

/// The moments of one minute in order, each with what happens and the symbol's place. Two may be the same.
fn events(random: &mut Random, minute: i64) -> Vec<(i64, Event, usize)> {
    let mut events = Vec::new();
    for at in 0..SYMBOLS.len() {
        let trades = 32 + random.below(20);
        let quotes = 16 + random.below(10);
        for _ in 0..trades {
            events.push((minute + random.below(MINUTE / MILLISECOND) * MILLISECOND, Event::Trade, at));
        }
        for _ in 0..quotes {
            events.push((minute + random.below(MINUTE / MILLISECOND) * MILLISECOND, Event::Quote, at));
        }
    }
    events.sort_unstable();
    events
}

fn arrival(random: &mut Random, symbol: &'static str, moment: i64, price: i64, sequence: i64) -> Arrival {
    let quantity = if random.once_in(8) { 1 + random.below(99) } else { 10 * (1 + random.below(50)) };
    let cancelled = random.once_in(200);
    let written_at = if random.once_in(100) {
        None
    } else if random.once_in(20) {
        Some(moment + (1 + random.below(90)) * SECOND)
    } else {
        Some(moment)
    };
    // The number follows from the order of writing.
    let trade = Trade { trade_id: 0, symbol, traded_at: moment, sequence, price, quantity, cancelled };
    Arrival { written_at, trade }
}

/// Trades numbered in the order of writing: those of the hour, then the late ones.
fn written(mut arrivals: Vec<Arrival>) -> (Vec<Trade>, Vec<Trade>) {
    arrivals.sort_by_key(|arrival| {
        (arrival.written_at.is_none(), arrival.written_at.unwrap_or_default(), arrival.trade.sequence)
    });
    let mut trades = Vec::new();
    let mut late = Vec::new();
    for (before, Arrival { written_at, trade }) in arrivals.into_iter().enumerate() {
        let trade = Trade { trade_id: count(before), ..trade };
        match written_at {
            Some(_) => trades.push(trade),
            None => late.push(trade),
        }
    }
    (trades, late)
}

/// What happens to trades of the hour afterwards; at most one thing to each.
fn change(random: &mut Random, market: &mut Market) {
    for trade in market.trades.iter().filter(|trade| !trade.cancelled) {
        match random.below(1000) {
            0..10 => {
                let moved = (1 + random.below(40)) * TICK;
                let price = if random.once_in(2) { trade.price + moved } else { trade.price - moved };
                let quantity = trade.quantity + 10 * (1 + random.below(20));
                market.corrections.push(Trade { price, quantity, ..trade.clone() });
            }
            10..15 => market.cancellations.push(Trade { cancelled: true, ..trade.clone() }),
            15..18 => market.removals.push(trade.trade_id),
            _ => {}
        }
    }
}

/// The number after so many.
fn count(before: usize) -> i64 {
    i64::try_from(before).unwrap_or(i64::MAX).saturating_add(1)
}

impl Market {
    /// The trades as they stand in the end: with the late ones, corrected, cancelled, and without the removed ones.
    pub fn final_trades(&self) -> Vec<Trade> {
        let removed: BTreeSet<i64> = self.removals.iter().copied().collect();
        let mut trades: Vec<Trade> = self.trades.iter().chain(&self.late_trades).cloned().collect();
        for change in self.corrections.iter().chain(&self.cancellations) {
            // Numbers start at 1 and have no holes.
            let place = usize::try_from(change.trade_id - 1).unwrap_or(usize::MAX);
            if let Some(trade) = trades.get_mut(place) {
                trade.clone_from(change);
            }
        }
        trades.retain(|trade| !removed.contains(&trade.trade_id));
        trades
    }
}

#[cfg(test)]
mod tests;
