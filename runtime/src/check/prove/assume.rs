//! What planning trusted, counted on the data of a state. In: assumptions. Out: each with its count and some of the rows. A key that the
//! table itself enforces is proved without reading.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use unisono_compiler::ids::DatasetId;

use super::Asked;
use super::batch::Compiled;
use crate::check::assumptions::{Assumption, Kind, Tested, assumptions, test as tested};
use crate::check::question::Question;
use crate::lake::{Pin, TableName};
use crate::pipeline::{Prepared, table_rows};
use crate::table::Value;

/// Rows kept of what is wrong.
const EXAMPLES: usize = 5;

/// Tests everything that the plan of a pipeline rests on.
pub(super) async fn test(
    asked: &Asked<'_>,
    prepared: &Prepared,
    compiled: &Compiled,
    question: &Question,
    state: &BTreeMap<TableName, Pin>,
) -> Vec<Tested> {
    let mut all = Vec::new();
    let lake = Rows { asked, prepared, state };
    for assumption in assumptions(&compiled.resolved, &compiled.plan, question) {
        let columns = names(compiled, &assumption);
        let counted = match assumption.kind {
            Kind::UniqueKey | Kind::ManyToOne => lake.twice(assumption.dataset, &columns).await,
            Kind::Orphans => lake.orphans(compiled, &assumption, &columns).await,
        };
        let (count, rows) = match counted {
            Ok((count, rows)) => (Some(count), rows),
            Err(_) => (None, Vec::new()),
        };
        all.push(tested(assumption, count, columns, rows));
    }
    all
}

fn names(compiled: &Compiled, assumption: &Assumption) -> Vec<String> {
    assumption.columns.iter().map(|column| compiled.resolved.columns[*column].name.clone()).collect()
}

/// The rows of datasets at the state.
struct Rows<'a> {
    asked: &'a Asked<'a>,
    prepared: &'a Prepared,
    state: &'a BTreeMap<TableName, Pin>,
}

type Counted = Result<(u64, Vec<Vec<Value>>), String>;

impl Rows<'_> {
    /// Keys that stand in several rows; one with a NULL in it is no key.
    async fn twice(&self, dataset: DatasetId, columns: &[String]) -> Counted {
        if self.enforced(dataset, columns).await? {
            return Ok((0, Vec::new()));
        }
        let mut seen: BTreeMap<String, u64> = BTreeMap::new();
        let (mut count, mut examples) = (0, Vec::new());
        self.each(dataset, columns, &mut |row| {
            if !row.contains(&Value::Null) {
                let times = seen.entry(key(&row)).or_insert(0);
                *times += 1;
                if *times == 2 {
                    count += 1;
                    if examples.len() < EXAMPLES {
                        examples.push(row);
                    }
                }
            }
        })
        .await?;
        Ok((count, examples))
    }

    /// Rows whose key is on no row of the other side.
    async fn orphans(&self, compiled: &Compiled, assumption: &Assumption, columns: &[String]) -> Counted {
        let resolved = &compiled.resolved;
        let id = assumption.relationship.ok_or("it walks no relationship")?;
        let relationship = &resolved.relationships[id];
        let is_from = relationship.from == assumption.dataset;
        let other = if is_from { relationship.to } else { relationship.from };
        // The other side's columns in the order of this side's.
        let partners: Vec<String> = assumption
            .columns
            .iter()
            .filter_map(|column| {
                relationship.on.iter().find_map(|(from, to)| {
                    let (near, far) = if is_from { (from, to) } else { (to, from) };
                    (near == column).then_some(far)
                })
            })
            .map(|column| resolved.columns[*column].name.clone())
            .collect();
        let mut known: BTreeSet<String> = BTreeSet::new();
        self.each(other, &partners, &mut |row| {
            known.insert(key(&row));
        })
        .await?;
        let (mut count, mut examples) = (0, Vec::new());
        self.each(assumption.dataset, columns, &mut |row| {
            if !row.contains(&Value::Null) && !known.contains(&key(&row)) {
                count += 1;
                if examples.len() < EXAMPLES && !examples.contains(&row) {
                    examples.push(row);
                }
            }
        })
        .await?;
        Ok((count, examples))
    }

    /// Whether the table's own key keeps these columns unique.
    async fn enforced(&self, dataset: DatasetId, columns: &[String]) -> Result<bool, String> {
        let (table, pin) = self.table(dataset)?;
        let handle = self.asked.lake.table(table, &pin.line).await.map_err(|error| error.to_string())?;
        Ok(!handle.primary_key.is_empty() && handle.primary_key.iter().all(|column| columns.contains(column)))
    }

    async fn each(
        &self,
        dataset: DatasetId,
        columns: &[String],
        take: &mut dyn FnMut(Vec<Value>),
    ) -> Result<(), String> {
        let (table, pin) = self.table(dataset)?;
        let mut rows =
            self.asked.lake.read(table, pin, columns, &[]).await.map_err(|error| error.to_string())?;
        while let Some(batch) = rows.next().await.map_err(|error| error.to_string())? {
            for row in table_rows(&[batch]).map_err(|fault| fault.to_string())? {
                take(row);
            }
        }
        Ok(())
    }

    fn table(&self, dataset: DatasetId) -> Result<(&TableName, &Pin), String> {
        let table = self.prepared.tables.get(&dataset).ok_or("it has no table")?;
        let pin = self.state.get(table).ok_or_else(|| format!("{table} is not pinned"))?;
        Ok((table, pin))
    }
}

/// A key's values as one text that no other key's values give. Numbers of one value are one key, whatever their scale.
fn key(row: &[Value]) -> String {
    let mut all = String::new();
    for value in row {
        let text = value.text();
        let text = match value {
            Value::Decimal { .. } if text.contains('.') => text.trim_end_matches('0').trim_end_matches('.'),
            Value::Null
            | Value::Boolean(_)
            | Value::Integer(_)
            | Value::Decimal { .. }
            | Value::Float(_)
            | Value::Text(_)
            | Value::Date(_)
            | Value::Time(_)
            | Value::Timestamp(_)
            | Value::Instant(_) => text.as_str(),
        };
        let _ = write!(all, "{}:{text}", text.len());
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_one_value_are_one() {
        let decimal = |unscaled, scale| Value::Decimal { unscaled, scale };
        assert_eq!(key(&[decimal(150, 2)]), key(&[decimal(15, 1)]));
        assert_eq!(key(&[decimal(100, 2)]), key(&[Value::Integer(1)]));
        assert_ne!(key(&[Value::Integer(10)]), key(&[Value::Integer(1)]));
        let text = |text: &str| Value::Text(text.to_string());
        assert_ne!(key(&[text("a"), text("bc")]), key(&[text("ab"), text("c")]));
    }
}
