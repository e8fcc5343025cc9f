//! A source as a stream of events: a temporary table over it whose rows have a time and a watermark. In: the table, its path, the column of the time,
//! how long rows may be late. Out: DDL for Flink.

use crate::dialect::dialect;
use crate::sql::print;
use crate::sql::tree::{Expr, Operator, Type, WatermarkedTable, binary, cast, text};
use crate::target::{Engine, Target};
use crate::tumble::TIME;

/// What a stream of events is read from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EventTable<'a> {
    /// The name of the temporary table.
    pub name: &'a str,
    /// The Paimon table with its catalogue.
    pub table: &'a [String],
    /// Where it lies.
    pub path: &'a str,
    /// Its column of the time, a Timestamp.
    pub time: &'a str,
    /// How far the watermark stays behind the latest time, in milliseconds; at most 99 days.
    pub wait: u64,
    /// Further options, in order.
    pub options: &'a [(String, String)],
}

/// The options that make a stream's rows late by what was read before them and by nothing else.
const OPTIONS: [(&str, &str); 3] = [
    ("connector", "paimon"),
    // One reader gives the rows of one commit after those of the commit before, and the watermark of a row before the next row.
    ("scan.parallelism", "1"),
    ("scan.watermark.emit.strategy", "on-event"),
];

/// CREATE TEMPORARY TABLE for Flink. The table itself stays as it is: a time attribute would be a change of its schema.
///
/// Flink's times of events have milliseconds. The watermark is one millisecond lower than said, since Flink closes a window
/// one millisecond before its end and no event of that last millisecond must close it.
pub fn flink_event_table(table: &EventTable<'_>) -> String {
    let column = |name: &str| Expr::Column { qualifier: None, name: name.to_string() };
    let wait = Expr::Interval { amount: Box::new(text(interval(table.wait + 1))), unit: "DAY TO SECOND" };
    let own = OPTIONS.iter().map(|(key, value)| ((*key).to_string(), (*value).to_string()));
    let path = ("path".to_string(), table.path.to_string());
    let statement = WatermarkedTable {
        name: table.name.to_string(),
        time: TIME,
        value: cast(column(table.time), Type::with("TIMESTAMP", &[3])),
        watermark: binary(column(TIME), Operator::Subtract, wait),
        options: own.chain([path]).chain(table.options.iter().cloned()).collect(),
        like: table.table.to_vec(),
    };
    print::watermarked_table(
        &statement,
        &dialect(Target::latest(Engine::FlinkStreaming)).capabilities.quoting,
    )
}

/// `d hh:mm:ss.mmm`.
fn interval(milliseconds: u64) -> String {
    let (seconds, rest) = (milliseconds / 1000, milliseconds % 1000);
    let (minutes, seconds) = (seconds / 60, seconds % 60);
    let (hours, minutes) = (minutes / 60, minutes % 60);
    format!("{} {:02}:{minutes:02}:{seconds:02}.{rest:03}", hours / 24, hours % 24)
}
