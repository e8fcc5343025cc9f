//! TPC-H data at any scale factor, as CSV files and as tables of the oracle.
//! In: a folder and a scale factor. Out: eight files `<table>.csv` with a header, ISO dates and decimals of two digits; the same
//! scale factor gives the same bytes.

use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tpchgen::csv::{
    CustomerCsv, LineItemCsv, NationCsv, OrderCsv, PartCsv, PartSuppCsv, RegionCsv, SupplierCsv,
};
use tpchgen::generators::{
    CustomerGenerator, LineItem, LineItemGenerator, NationGenerator, OrderGenerator, PartGenerator,
    PartSuppGenerator, RegionGenerator, SupplierGenerator,
};

use crate::project;

/// The tables, in the order in which they are written.
pub const TABLES: [&str; 8] =
    ["region", "nation", "supplier", "customer", "part", "partsupp", "orders", "lineitem"];

/// The file that says which scale factor a folder holds; written last.
const STAMP: &str = "scale.txt";

/// Tests of one process that want the same data take turns.
static WRITING: Mutex<()> = Mutex::new(());

/// The folder in which tests keep the data of a scale factor, filled.
pub fn shared(scale: f64) -> io::Result<PathBuf> {
    let folder = project(".cache/tpch").join(scale.to_string());
    generate(&folder, scale)?;
    Ok(folder)
}

/// Statements that make the schema `tpch` in `DuckDB` from a folder's files.
pub fn duckdb_setup(folder: &Path) -> io::Result<Vec<String>> {
    let mut statements = vec![fs::read_to_string(project("models/tpch/schema.sql"))?];
    for table in TABLES {
        let file = folder.join(format!("{table}.csv")).to_string_lossy().replace('\'', "''");
        statements.push(format!("COPY tpch.{table} FROM '{file}' (HEADER, DELIMITER ',', QUOTE '\"')"));
    }
    Ok(statements)
}

/// Fills `folder`, unless it holds this scale factor already.
pub fn generate(folder: &Path, scale: f64) -> io::Result<()> {
    let _turn = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
    let stamp = folder.join(STAMP);
    if fs::read_to_string(&stamp).is_ok_and(|held| held == scale.to_string()) {
        return Ok(());
    }
    fs::create_dir_all(folder)?;
    // A run that is broken off must not leave the stamp of an earlier one.
    if stamp.exists() {
        fs::remove_file(&stamp)?;
    }
    for table in TABLES {
        let mut file = BufWriter::new(File::create(folder.join(format!("{table}.csv")))?);
        write_table(&mut file, table, scale)?;
        file.flush()?;
    }
    fs::write(stamp, scale.to_string())
}

fn write_table(file: &mut impl Write, table: &str, scale: f64) -> io::Result<()> {
    match table {
        "region" => {
            rows(file, RegionCsv::header(), RegionGenerator::new(scale, 1, 1).iter().map(RegionCsv::new))
        }
        "nation" => {
            rows(file, NationCsv::header(), NationGenerator::new(scale, 1, 1).iter().map(NationCsv::new))
        }
        "supplier" => rows(
            file,
            SupplierCsv::header(),
            SupplierGenerator::new(scale, 1, 1).iter().map(SupplierCsv::new),
        ),
        "customer" => rows(
            file,
            CustomerCsv::header(),
            CustomerGenerator::new(scale, 1, 1).iter().map(CustomerCsv::new),
        ),
        "part" => rows(file, PartCsv::header(), PartGenerator::new(scale, 1, 1).iter().map(PartCsv::new)),
        "partsupp" => rows(
            file,
            PartSuppCsv::header(),
            PartSuppGenerator::new(scale, 1, 1).iter().map(PartSuppCsv::new),
        ),
        "orders" => {
            rows(file, OrderCsv::header(), OrderGenerator::new(scale, 1, 1).iter().map(OrderCsv::new))
        }
        _ => rows(file, LineItemCsv::header(), LineItemGenerator::new(scale, 1, 1).iter().map(LineItemLine)),
    }
}

fn rows<L: Display>(file: &mut impl Write, header: &str, lines: impl Iterator<Item = L>) -> io::Result<()> {
    writeln!(file, "{header}")?;
    for line in lines {
        writeln!(file, "{line}")?;
    }
    Ok(())
}

/// A lineitem with its quantity as the decimal that TPC-H says it is; the generator's own line has an integer there.
struct LineItemLine<'a>(LineItem<'a>);

impl Display for LineItemLine<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let row = &self.0;
        write!(f, "{},{},{},{},", row.l_orderkey, row.l_partkey, row.l_suppkey, row.l_linenumber)?;
        write!(f, "{}.00,{},{},{},", row.l_quantity, row.l_extendedprice, row.l_discount, row.l_tax)?;
        write!(f, "{},{},", row.l_returnflag, row.l_linestatus)?;
        write!(f, "{},{},{},", row.l_shipdate, row.l_commitdate, row.l_receiptdate)?;
        write!(f, "{},{},\"{}\"", row.l_shipinstruct, row.l_shipmode, row.l_comment)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case;
    use crate::helper::{self, skip};

    fn lines(folder: &Path, table: &str) -> Vec<String> {
        let text = fs::read_to_string(folder.join(format!("{table}.csv"))).unwrap();
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn data_is_the_specification_s() {
        let folder = std::env::temp_dir().join(format!("unisono-tpch-{}", std::process::id()));
        generate(&folder, 0.001).unwrap();
        let counts: Vec<usize> = TABLES.iter().map(|table| lines(&folder, table).len() - 1).collect();
        assert_eq!(counts, [5, 25, 10, 150, 200, 800, 1500, 6005]);
        let lineitem = lines(&folder, "lineitem");
        assert!(lineitem[0].starts_with("l_orderkey,l_partkey,l_suppkey,l_linenumber,l_quantity,"));
        // The first line of every TPC-H data set but for its keys into part and supplier.
        assert!(
            lineitem[1]
                .starts_with("1,156,4,1,17.00,17954.55,0.04,0.02,N,O,1996-03-13,1996-02-12,1996-03-22,")
        );
        assert_eq!(lineitem[1].matches('"').count(), 2);

        let first = fs::read(folder.join("orders.csv")).unwrap();
        fs::remove_file(folder.join(STAMP)).unwrap();
        generate(&folder, 0.001).unwrap();
        assert_eq!(
            fs::read(folder.join("orders.csv")).unwrap(),
            first,
            "the same scale gives the same bytes"
        );
        fs::remove_dir_all(&folder).unwrap();
    }
    #[test]
    fn every_hand_written_query_gives_rows() {
        let helper = match helper::shared() {
            Ok(helper) => helper,
            Err(reason) => return skip("tpch::every_hand_written_query_gives_rows", reason),
        };
        let setup = duckdb_setup(&shared(0.01).unwrap()).unwrap();
        assert_eq!(helper.duckdb_in("tpch", &setup, "").unwrap().rows.len(), 0);
        let cases = case::tpch().unwrap();
        assert!(cases.len() >= 20);
        for case in cases {
            let table = helper.duckdb_in("tpch", &[], &case.check_sql).unwrap();
            println!("{}: {} rows", case.id, table.rows.len());
            assert!(!table.rows.is_empty(), "{} gives no row", case.id);
        }
    }
}
