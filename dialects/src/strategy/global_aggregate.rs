//! An aggregate without GROUP BY where no rows give no row (Flink streaming): a row of NULLs is added below it, which no
//! aggregate sees but which makes the input never empty. In: a relation. Out: the same with its global aggregates so rewritten.
//! COUNT(*) becomes a COUNT of a mark that the added row lacks. The changelog stays right, since the added row never changes.

use unisono_compiler::data_type::DataType;
use unisono_compiler::diagnostic::{Code, Diagnostic};
use unisono_compiler::relation::{Body, Grouping, Input, Item, Relation, Select, Source};

use super::aggregate_input::{CountRows, part};
use super::rewrite::{Added, every_select, null};
use crate::capabilities::EmptyAggregate;
use crate::form::DECLARE_TYPE;
use crate::target::Target;

const ALIAS: &str = "kept";

/// Adds the row below every global aggregate where the target needs it.
pub(crate) fn apply(
    relation: &mut Relation,
    style: EmptyAggregate,
    target: Target,
    diagnostics: &mut Vec<Diagnostic>,
) {
    if style == EmptyAggregate::OneRow {
        return;
    }
    every_select(relation, &mut |select, _, name, added| rewrite(select, name, added, target, diagnostics));
}

fn rewrite(
    select: &mut Select,
    name: &str,
    ctes: &mut Added<'_>,
    target: Target,
    diagnostics: &mut Vec<Diagnostic>,
) {
    if select.group_by != Grouping::Global {
        return;
    }
    let found = part(select, ALIAS, CountRows::ByMark);
    for item in &found.items {
        if item.expr.data_type == DataType::Unknown {
            diagnostics.push(
                Diagnostic::new(
                    Code::TypeRequired,
                    format!(
                        "{target} needs the type of `{}` for the row that keeps `{name}` from being empty",
                        item.name
                    ),
                )
                .help(DECLARE_TYPE),
            );
        }
    }
    let missing = found
        .items
        .iter()
        .map(|item| Item { name: item.name.clone(), expr: null(item.expr.data_type) })
        .collect();
    let added = Select::plain(missing, None);
    let kept = ctes.name(&[name, "_kept"].concat());
    let comment = format!("rows of {name}, and one of NULLs so that an empty input has an answer");
    ctes.push(kept.clone(), comment, Body::UnionAll(vec![found, added]));
    select.from = Some(Input { source: Source::Cte(kept), alias: ALIAS.to_string() });
}
