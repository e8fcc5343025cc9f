//! How a table comes from one version of its spec to the next: the changes that lose nothing, or why there is no such way.
//! In: the old spec and the new one. Out: changes in their order and their text for Flink, or a finding for each that is refused.
//! <https://paimon.apache.org/docs/master/flink/sql-alter/>

use std::collections::BTreeSet;

use unisono_compiler::data_type::DataType;
use unisono_compiler::diagnostic::{Code, Diagnostic};

use super::spec::{ColumnSpec, TableSpec};
use crate::dialect::dialect;
use crate::sql::print;
use crate::sql::tree::{AlterTable, Alteration, ColumnDefinition};
use crate::target::{Engine, Target};

/// One change of a table, as one ALTER TABLE.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// A nullable column behind the others; rows that are there have NULL in it.
    Add(ColumnSpec),
    /// A column of a wider type, one that may be NULL from now on, or one with another comment.
    Modify(ColumnSpec),
}

/// The changes that make the new table of the old one.
pub fn evolve(old: &TableSpec, new: &TableSpec) -> Result<Vec<Change>, Vec<Diagnostic>> {
    let table = new.name.as_str();
    let mut findings = Vec::new();
    if old.primary_key != new.primary_key {
        let (was, is) = (key(&old.primary_key), key(&new.primary_key));
        findings.push(refused(table, &format!("its primary key would be {is} in place of {was}")));
    }
    let names: BTreeSet<&String> = old.options.keys().chain(new.options.keys()).collect();
    for name in names {
        if let Some(why) = option_change(name, old.options.get(name), new.options.get(name)) {
            findings.push(refused(table, &why));
        }
    }
    for gone in old.columns.iter().filter(|column| named(new, &column.name).is_none()) {
        let why = format!("the column `{}` would go, and what it holds with it", gone.name);
        findings.push(refused(table, &why));
    }
    let mut changes = Vec::new();
    let mut last = 0;
    for (at, column) in new.columns.iter().enumerate() {
        let Some((place, before)) = named(old, &column.name) else {
            match added(column, new.columns.get(at + 1..).unwrap_or_default(), old) {
                Ok(change) => changes.push(change),
                Err(why) => findings.push(refused(table, &why)),
            }
            continue;
        };
        if place < last {
            findings.push(refused(table, &format!("the column `{}` would stand elsewhere", column.name)));
        }
        last = place;
        match modified(before, column, old.primary_key.contains(&column.name)) {
            Ok(change) => changes.extend(change),
            Err(why) => findings.push(refused(table, &why)),
        }
    }
    if findings.is_empty() { Ok(changes) } else { Err(findings) }
}

/// ALTER TABLE in Flink's SQL, in a Paimon catalogue.
pub fn flink_alter_table(table: &str, change: &Change) -> Option<String> {
    let flink = dialect(Target::latest(Engine::FlinkBatch));
    let definition = |column: &ColumnSpec| {
        Some(ColumnDefinition {
            name: column.name.clone(),
            data_type: (flink.tables.data_type)(column.data_type)?,
            nullable: column.nullable,
            comment: column.comment.clone(),
        })
    };
    let change = match change {
        Change::Add(column) => Alteration::Add(definition(column)?),
        Change::Modify(column) => Alteration::Modify(definition(column)?),
    };
    let statement = AlterTable { name: table.split('.').map(ToString::to_string).collect(), change };
    Some(print::alter_table(&statement, &flink.capabilities.quoting))
}

fn named<'a>(spec: &'a TableSpec, name: &str) -> Option<(usize, &'a ColumnSpec)> {
    spec.columns.iter().enumerate().find(|(_, column)| column.name == name)
}

/// Each option that a spec may hold has a reason of its own; of any other nothing is known.
fn option_change(name: &str, old: Option<&String>, new: Option<&String>) -> Option<String> {
    if old == new {
        return None;
    }
    let why = match name {
        "bucket" | "bucket-key" => "rows that are there stay in their buckets, and a key may then be twice",
        "merge-engine" => "rows that are there were merged by the other rule",
        "changelog-producer" => {
            "the changelog has no rows of before, and streams that run were planned for the other one"
        }
        "sequence.field" => "rows that are there were ordered by another rule",
        "file.format" => "files that are there stay as they are",
        _ => "nothing shows that rows which are there stay right",
    };
    let shown = |value: Option<&String>| value.map_or("unset".to_string(), |value| format!("`{value}`"));
    Some(format!("its option `{name}` would be {} in place of {}: {why}", shown(new), shown(old)))
}

/// A new column must be the last, and nullable, for the rows that are there have nothing in it.
fn added(column: &ColumnSpec, behind: &[ColumnSpec], old: &TableSpec) -> Result<Change, String> {
    let name = &column.name;
    if let Some(next) = behind.iter().find(|next| named(old, &next.name).is_some()) {
        return Err(format!("the new column `{name}` would stand before `{}`", next.name));
    }
    if !column.nullable {
        return Err(format!(
            "the new column `{name}` is NOT NULL, and rows that are there have no value for it"
        ));
    }
    Ok(Change::Add(column.clone()))
}

fn modified(old: &ColumnSpec, new: &ColumnSpec, in_key: bool) -> Result<Option<Change>, String> {
    let name = &new.name;
    if old.data_type != new.data_type {
        let (was, is) = (old.data_type, new.data_type);
        if in_key {
            return Err(format!("the key's column `{name}` would be {is} in place of {was}"));
        }
        if let Some(why) = lossy(was, is) {
            return Err(format!("the column `{name}` would be {is} in place of {was}: {why}"));
        }
    }
    if old.nullable && !new.nullable {
        return Err(format!("the column `{name}` would be NOT NULL, and rows that are there may hold NULL"));
    }
    if old == new {
        return Ok(None);
    }
    let mut column = new.clone();
    if old.comment.is_some() && new.comment.is_none() {
        // A definition without a comment would leave the old one.
        column.comment = Some(String::new());
    }
    Ok(Some(Change::Modify(column)))
}

/// Why values of a type are not all values of another, and equal to themselves in it.
fn lossy(old: DataType, new: DataType) -> Option<&'static str> {
    if let (Some(was), Some(is)) = (old.integer_digits(), new.integer_digits()) {
        return (is < was).then_some("values that are there may not fit");
    }
    if let (DataType::Decimal { precision, scale }, DataType::Decimal { precision: wide, scale: same }) =
        (old, new)
    {
        if scale != same {
            return Some("the digits after the point would change");
        }
        return (wide < precision).then_some("values that are there may not fit");
    }
    Some("only integers become wider integers, and decimals get more digits at the same scale")
}

fn key(columns: &[String]) -> String {
    if columns.is_empty() {
        return "none".to_string();
    }
    let quoted: Vec<String> = columns.iter().map(|column| format!("`{column}`")).collect();
    format!("({})", quoted.join(", "))
}

fn refused(table: &str, why: &str) -> Diagnostic {
    Diagnostic::new(Code::TableChange, format!("`{table}` cannot be altered: {why}"))
        .about(table)
        .help("make a table of another name, and fill it from the old one")
}
