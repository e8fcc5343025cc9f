//! The market as CSV files. In: a market. Out: one text a file, and the files in a folder.
//! Names and columns are those of models/candles; each file of changed trades has the columns of the trades.

use std::fs;
use std::io;
use std::path::Path;

use super::{DOLLAR, Market, Trade};
use crate::calendar::format_timestamp;

impl Market {
    /// The files' names and texts.
    pub fn csv(&self) -> [(&'static str, String); 7] {
        let symbols = table("symbol,name,venue,sector", &self.symbols, |row| {
            format!("{},{},{},{}", row.symbol, row.name, row.venue, row.sector)
        });
        let quotes = table("quote_id,symbol,quoted_at,bid,ask", &self.quotes, |row| {
            let (quoted_at, bid, ask) = (moment(row.quoted_at), money(row.bid), money(row.ask));
            format!("{},{},{quoted_at},{bid},{ask}", row.quote_id, row.symbol)
        });
        [
            ("symbols.csv", symbols),
            ("trades.csv", trades(&self.trades)),
            ("quotes.csv", quotes),
            ("late_trades.csv", trades(&self.late_trades)),
            ("corrections.csv", trades(&self.corrections)),
            ("cancellations.csv", trades(&self.cancellations)),
            ("removals.csv", table("trade_id", &self.removals, i64::to_string)),
        ]
    }

    /// Writes the files into a folder, which is made where it is missing.
    pub fn write_csv(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder)?;
        for (name, text) in self.csv() {
            fs::write(folder.join(name), text)?;
        }
        Ok(())
    }
}

fn trades(rows: &[Trade]) -> String {
    table("trade_id,symbol,traded_at,sequence,price,quantity,status", rows, |row| {
        let status = if row.cancelled { "cancelled" } else { "regular" };
        let (traded_at, price) = (moment(row.traded_at), money(row.price));
        format!(
            "{},{},{traded_at},{},{price},{},{status}",
            row.trade_id, row.symbol, row.sequence, row.quantity
        )
    })
}

/// A line of names, then one a row.
fn table<T>(names: &str, rows: &[T], line: impl Fn(&T) -> String) -> String {
    let mut text = format!("{names}\n");
    for row in rows {
        text.push_str(&line(row));
        text.push('\n');
    }
    text
}

/// Dollars with four digits; prices are never negative.
fn money(price: i64) -> String {
    format!("{}.{:04}", price / DOLLAR, price % DOLLAR)
}

fn moment(micros: i64) -> String {
    format_timestamp(micros).replace('T', " ")
}
