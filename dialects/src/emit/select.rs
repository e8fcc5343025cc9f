//! Selects, CTEs, joins and sources.
//! In: the relation's selects. Out: the SQL tree's selects.

use unisono_compiler::diagnostic::{Code, Diagnostic};
use unisono_compiler::ids::DatasetId;
use unisono_compiler::relation::{Grouping, Input, Join, JoinKind, Relation, Select, Source};

use super::Emitter;
use super::scope::Scope;
use crate::bindings::{Binding, BoundSource, Pin};
use crate::bucket::Bucket;
use crate::capabilities::{Buckets, Pins, QuerySource};
use crate::sql::tree;
use crate::tumble::TIME;

impl<'a> Emitter<'a> {
    pub(super) fn relation(&mut self, relation: &'a Relation) -> tree::Query {
        self.cte_names = relation.ctes.iter().map(|cte| cte.name.as_str()).collect();
        let mut ctes = Vec::new();
        for cte in &relation.ctes {
            let selects = cte.body.selects().iter().map(|select| self.select(select)).collect();
            self.known.add(cte);
            ctes.push(tree::Cte { name: cte.name.clone(), comment: cte.comment.clone(), selects });
        }
        let body = self.select(&relation.body);
        let order_by = self.order_keys(&relation.order_by);
        tree::Query { ctes, body, order_by, limit: relation.limit }
    }

    fn select(&mut self, select: &'a Select) -> tree::Select {
        self.scope = Scope::of(select);
        let items = select.items.iter().map(|item| (self.value(&item.expr), item.name.clone())).collect();
        let from = select.from.as_ref().map(|input| self.input(input));
        let joins = select.joins.iter().map(|join| self.join(join)).collect();
        let filter = select.filter.iter().map(|predicate| self.expr(predicate)).collect();
        let group_by = match &select.group_by {
            Grouping::None | Grouping::Global => Vec::new(),
            Grouping::Keys(keys) => keys.iter().map(|key| self.expr(key)).collect(),
        };
        tree::Select { distinct: select.distinct, items, from, joins, filter, group_by }
    }

    fn join(&mut self, join: &'a Join) -> tree::Join {
        let words = match join.kind {
            JoinKind::Left => "LEFT JOIN",
            JoinKind::Full => "FULL JOIN",
            JoinKind::Cross => "CROSS JOIN",
        };
        let input = self.input(&join.right);
        let on = join.on.iter().map(|(left, right)| self.equality([left, right], join.null_safe)).collect();
        tree::Join { words, input, on }
    }

    fn input(&mut self, input: &Input) -> tree::Input {
        let source = match &input.source {
            Source::Cte(name) => tree::Source::Table { name: vec![name.clone()], version: None },
            Source::Dataset(dataset) => self.dataset(*dataset, &input.alias),
        };
        tree::Input { source, alias: input.alias.clone() }
    }

    fn dataset(&mut self, dataset: DatasetId, alias: &str) -> tree::Source {
        let Some(binding) = self.bindings.get(dataset) else {
            self.report(Diagnostic::new(
                Code::UnsupportedSource,
                format!("nothing says where `{alias}` is read from"),
            ));
            return tree::Source::Table { name: vec![alias.to_string()], version: None };
        };
        if let Binding { source: BoundSource::Table(name), pin: _ } = binding
            && let [table] = name.as_slice()
            && self.cte_names.iter().any(|cte| cte.eq_ignore_ascii_case(table))
        {
            self.report(
                Diagnostic::new(
                    Code::NameCollision,
                    format!("the table `{table}` has the name of a step of this query"),
                )
                .help("write the table with its database (`database.table`) as the dataset's source"),
            );
        }
        match binding {
            Binding { source: BoundSource::Table(name), pin: None } => {
                tree::Source::Table { name: name.clone(), version: None }
            }
            Binding { source: BoundSource::Table(name), pin: Some(pin) } => {
                let (name, version) = self.pinned(name, pin, alias);
                tree::Source::Table { name, version }
            }
            Binding { source: BoundSource::Buckets { table, bucket }, pin } => {
                let (name, version) = match pin {
                    Some(pin) => self.pinned(table, pin, alias),
                    None => (table.clone(), None),
                };
                self.by_buckets(name, version, *bucket, alias)
            }
            Binding { source: BoundSource::Query(text), pin } => {
                if pin.is_some() {
                    self.report(
                        Diagnostic::new(
                            Code::UnsupportedSource,
                            format!("the source of `{alias}` is a query, which cannot be pinned"),
                        )
                        .help("give the dataset a table as its source"),
                    );
                }
                self.query_source(text, alias);
                tree::Source::Query(text.clone())
            }
        }
    }

    fn query_source(&mut self, text: &str, alias: &str) {
        match self.capabilities.query_source {
            QuerySource::Verbatim => {}
            QuerySource::NamesOnly if names_only(text) => {}
            QuerySource::NamesOnly => self.report(
                Diagnostic::new(
                    Code::UnsupportedSource,
                    format!(
                        "the source of `{alias}` is a query in SQL that {} may read otherwise",
                        self.target
                    ),
                )
                .help(
                    "give the dataset a table or view as its source, and the query's computations as fields",
                ),
            ),
        }
    }

    /// Rows with the bounds of their bucket.
    fn by_buckets(
        &mut self,
        name: Vec<String>,
        version: Option<tree::Version>,
        bucket: Bucket,
        alias: &str,
    ) -> tree::Source {
        match self.capabilities.buckets {
            Buckets::Tumble => {
                let offset = bucket.first_day();
                let offset = (offset > 0).then(|| interval(offset, "DAY"));
                tree::Source::Tumble { name, version, time: TIME, size: length(bucket), offset }
            }
            Buckets::None => {
                self.report(
                    Diagnostic::new(
                        Code::UnsupportedPattern,
                        format!(
                            "`{alias}` cannot be read by buckets of a {} on {}",
                            bucket.as_str(),
                            self.target
                        ),
                    )
                    .help("make the pipeline `kind: updating`"),
                );
                tree::Source::Table { name, version }
            }
        }
    }

    fn pinned(&mut self, name: &[String], pin: &Pin, alias: &str) -> (Vec<String>, Option<tree::Version>) {
        let mut name = name.to_vec();
        let version = match self.capabilities.pins {
            Pins::BranchSuffixAndVersion => {
                if let (Some(branch), Some(last)) = (&pin.branch, name.last_mut()) {
                    last.push_str("$branch_");
                    last.push_str(branch);
                }
                pin.snapshot.map(tree::Version::Snapshot)
            }
            Pins::OptionsHint => {
                let branch = pin.branch.iter().map(|branch| ("branch", branch.clone()));
                let snapshot = pin.snapshot.iter().map(|snapshot| ("scan.snapshot-id", snapshot.to_string()));
                let consumer = pin.consumer.iter().map(|consumer| ("consumer-id", consumer.clone()));
                let options: Vec<(&'static str, String)> = branch.chain(snapshot).chain(consumer).collect();
                (!options.is_empty()).then_some(tree::Version::Options(options))
            }
            Pins::VersionAsOf => match (&pin.branch, pin.snapshot) {
                (None, None) => None,
                (None, Some(snapshot)) => Some(tree::Version::Snapshot(snapshot)),
                (Some(branch), None) => Some(tree::Version::Name(["branch:", branch].concat())),
                (Some(_), Some(_)) => {
                    self.refuse_pin(alias, "a snapshot of a branch cannot be named");
                    None
                }
            },
            Pins::None { why } => {
                self.refuse_pin(alias, why);
                None
            }
        };
        (name, version)
    }

    fn refuse_pin(&mut self, alias: &str, why: &str) {
        self.report(
            Diagnostic::new(
                Code::UnsupportedSource,
                format!("`{alias}` cannot be pinned on {}: {why}", self.target),
            )
            .help("read the current state, and check that no snapshot was committed in between"),
        );
    }
}

/// The length of a bucket.
fn length(bucket: Bucket) -> tree::Expr {
    match bucket {
        Bucket::Week => interval(7, "DAY"),
        Bucket::Day => interval(1, "DAY"),
        Bucket::Hour => interval(1, "HOUR"),
        Bucket::Minute => interval(1, "MINUTE"),
        Bucket::Second => interval(1, "SECOND"),
    }
}

fn interval(count: i64, unit: &'static str) -> tree::Expr {
    tree::Expr::Interval { amount: Box::new(tree::text(count.to_string())), unit }
}

/// `SELECT a, b FROM t` in plain words: the same on every engine.
fn names_only(text: &str) -> bool {
    let spaced = text.replace(',', " , ");
    let mut words = spaced.split_whitespace();
    if !words.next().is_some_and(|word| word.eq_ignore_ascii_case("SELECT")) {
        return false;
    }
    let mut expect_name = true;
    for word in words.by_ref() {
        match (expect_name, word) {
            (false, ",") => expect_name = true,
            (false, word) if word.eq_ignore_ascii_case("FROM") => {
                let table = words.next().is_some_and(|table| table.split('.').all(is_plain_word));
                return table && words.next().is_none();
            }
            (true, word) if is_plain_word(word) => expect_name = false,
            (true | false, _) => return false,
        }
    }
    false
}

fn is_plain_word(word: &str) -> bool {
    let mut characters = word.chars();
    characters.next().is_some_and(|character| character.is_ascii_lowercase() || character == '_')
        && characters
            .all(|character| character.is_ascii_lowercase() || character.is_ascii_digit() || character == '_')
        && !["distinct", "all", "from", "select"].contains(&word)
}

#[cfg(test)]
mod tests {
    use super::names_only;

    #[test]
    fn only_a_list_of_names_from_one_table_is_portable() {
        assert!(names_only("SELECT id, amount FROM shop.orders"));
        assert!(!names_only("SELECT id FROM orders WHERE id > 1"));
        assert!(!names_only("SELECT id, amount / 2 FROM orders"));
        assert!(!names_only("SELECT \"Id\" FROM orders"));
        assert!(!names_only("WITH x AS (SELECT 1) SELECT a FROM x"));
    }
}
