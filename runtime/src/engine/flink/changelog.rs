//! Changes as rows. In: the changes of a statement in their order. Out: the rows that are there at the end.

use std::collections::BTreeMap;

use super::fault::FlinkError;
use super::wire::{Change, ChangeKind};

/// The text of a row's values; equal texts of one column are equal values.
pub(super) type Row = Vec<Option<String>>;

/// Rows of a batch answer: each one counts as one row. A primary-key table of Paimon marks rows that were once updated as
/// `UPDATE_AFTER`, also where nothing is retracted.
pub(super) fn batch_rows(changes: Vec<Change>) -> Result<Vec<Row>, FlinkError> {
    let removes = |change: &Change| match change.kind {
        ChangeKind::Insert | ChangeKind::UpdateAfter => false,
        ChangeKind::UpdateBefore | ChangeKind::Delete => true,
    };
    if changes.iter().any(removes) {
        return Err(FlinkError::Changelog("a batch answer takes a row back"));
    }
    Ok(changes.into_iter().map(|change| change.fields).collect())
}

/// Rows of a streaming answer, sorted by their text: a multiset that INSERT and UPDATE_AFTER add to, UPDATE_BEFORE and DELETE take from.
/// Updates of which no old version comes belong to a key that is not known here: those are refused, since adding them up counts rows twice.
#[derive(Default)]
pub(super) struct Multiset {
    rows: BTreeMap<Row, i64>,
    has_new_versions: bool,
    has_old_versions: bool,
}

impl Multiset {
    /// One change after the others.
    pub(super) fn apply(&mut self, change: Change) {
        let by = match change.kind {
            ChangeKind::Insert => 1,
            ChangeKind::UpdateAfter => {
                self.has_new_versions = true;
                1
            }
            ChangeKind::UpdateBefore => {
                self.has_old_versions = true;
                -1
            }
            ChangeKind::Delete => -1,
        };
        match self.rows.get_mut(&change.fields) {
            // Changes of one row may overtake each other between tasks: only the end must add up.
            Some(count) if *count + by == 0 => {
                self.rows.remove(&change.fields);
            }
            Some(count) => *count += by,
            None => {
                self.rows.insert(change.fields, by);
            }
        }
    }

    /// The rows that are there.
    pub(super) fn rows(self) -> Result<Vec<Row>, FlinkError> {
        if self.has_new_versions && !self.has_old_versions {
            return Err(FlinkError::Changelog("rows are replaced, and what they replace is not said"));
        }
        let mut rows = Vec::new();
        for (row, count) in self.rows {
            if count < 0 {
                return Err(FlinkError::Changelog("a row is taken back that was never there"));
            }
            for _ in 0..count {
                rows.push(row.clone());
            }
        }
        Ok(rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(kind: ChangeKind, field: &str) -> Change {
        Change { kind, fields: vec![Some(field.to_string()), None] }
    }

    fn rows(changes: &[(ChangeKind, &str)]) -> Result<Vec<String>, FlinkError> {
        let mut multiset = Multiset::default();
        for (kind, field) in changes {
            multiset.apply(change(*kind, field));
        }
        Ok(multiset.rows()?.into_iter().filter_map(|row| row.into_iter().next().flatten()).collect())
    }

    #[test]
    fn a_stream_is_a_multiset() {
        use ChangeKind::{Delete, Insert, UpdateAfter, UpdateBefore};
        let log = [
            (Insert, "4"),
            (Insert, "a"),
            (UpdateBefore, "4"),
            (UpdateAfter, "8"),
            (Insert, "a"),
            (UpdateBefore, "8"),
            (UpdateAfter, "114"),
            (Insert, "x"),
            (Delete, "x"),
        ];
        assert_eq!(rows(&log).unwrap(), ["114", "a", "a"]);
        // A new version may come first, and an old one later.
        assert_eq!(rows(&[(UpdateAfter, "1"), (UpdateAfter, "2"), (UpdateBefore, "1")]).unwrap(), ["2"]);
        assert_eq!(rows(&[(Delete, "1"), (Insert, "1")]).unwrap(), Vec::<String>::new());
    }

    #[test]
    fn what_does_not_add_up_is_refused() {
        use ChangeKind::{Delete, Insert, UpdateAfter};
        assert_eq!(
            rows(&[(Insert, "1"), (Delete, "2")]),
            Err(FlinkError::Changelog("a row is taken back that was never there"))
        );
        assert_eq!(
            rows(&[(Insert, "1"), (UpdateAfter, "2")]),
            Err(FlinkError::Changelog("rows are replaced, and what they replace is not said"))
        );
    }

    #[test]
    fn each_row_of_a_batch_counts_as_one() {
        let answer = vec![change(ChangeKind::Insert, "1"), change(ChangeKind::UpdateAfter, "1")];
        assert_eq!(batch_rows(answer).unwrap().len(), 2);
        let answer = vec![change(ChangeKind::UpdateBefore, "1")];
        assert_eq!(batch_rows(answer), Err(FlinkError::Changelog("a batch answer takes a row back")));
    }
}
