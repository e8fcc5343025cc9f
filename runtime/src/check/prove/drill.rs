//! The home rows behind a group that differs. In: outcomes. Out: at most a sample of rows of the first groups, as the model's fields.

use std::collections::BTreeMap;

use unisono_compiler::data_type::{DataType, Exactness};
use unisono_compiler::expr::{Expr, ExprKind, Literal, OrderKey};
use unisono_compiler::function::{Function, Scalar as Name};
use unisono_compiler::plan::plan;
use unisono_compiler::query::{Bound, Branch, Scalar, Shape};
use unisono_compiler::relation::relate;
use unisono_compiler::resolve::{ModelExpr, Reference};
use unisono_dialects::{Engine, Target, adapt, bindings_of, emit};

use super::Asked;
use super::batch::Compiled;
use crate::check::verdict::{GroupDifference, Outcome, Verdict};
use crate::engine::Limits;
use crate::engine::pinned::fill;
use crate::lake::{Pin, TableName};
use crate::pipeline::Prepared;
use crate::table::{Table, Value};

/// Groups whose rows are shown.
const GROUPS: usize = 2;

/// Rows of one group.
#[derive(Clone, PartialEq, Debug)]
pub struct Behind {
    /// The group.
    pub key: Vec<(String, Value)>,
    /// The dataset whose rows they are.
    pub dataset: String,
    /// Its rows with all fields; `truncated` says that there are more.
    pub rows: Table,
}

/// Rows of the first groups that differ, each group once. What cannot be shown is left out: the verdict does not rest on it.
pub(super) async fn rows(
    asked: &Asked<'_>,
    prepared: &Prepared,
    compiled: &Compiled,
    state: &BTreeMap<TableName, Pin>,
    outcomes: &[Outcome],
) -> Vec<Behind> {
    let mut groups: Vec<&GroupDifference> = Vec::new();
    for outcome in outcomes.iter().filter(|outcome| outcome.verdict == Verdict::Different) {
        for group in &outcome.groups {
            if groups.len() < GROUPS && !groups.iter().any(|known| known.key == group.key) {
                groups.push(group);
            }
        }
    }
    let mut all = Vec::new();
    for group in groups {
        all.extend(behind(asked, prepared, compiled, state, group).await);
    }
    all
}

async fn behind(
    asked: &Asked<'_>,
    prepared: &Prepared,
    compiled: &Compiled,
    state: &BTreeMap<TableName, Pin>,
    group: &GroupDifference,
) -> Option<Behind> {
    let request = match &compiled.bound.shape {
        Shape::Aggregation(request) => request,
        Shape::Scalar(_) => return None,
    };
    // Rows of one home; over a bridge a group is of pairs, which no list of rows shows.
    let branch = request.branches.iter().find(|branch| branch.sides.is_empty())?;
    let bound = Bound {
        shape: Shape::Scalar(listed(compiled, branch, group, asked.sample)?),
        zone: compiled.bound.zone.clone(),
        now: compiled.bound.now.clone(),
    };
    let plan = plan(&compiled.resolved, &bound).0?;
    let target = Target::latest(Engine::DataFusion);
    let adapted = adapt(&relate(&compiled.resolved, &plan), &target).0?;
    let sql = emit(&adapted, &target, &bindings_of(&compiled.resolved)).0?;
    let session = (asked.session)();
    fill(&session, asked.lake, &compiled.resolved, &plan, &prepared.tables, state).await.ok()?;
    let limits = Limits { rows: asked.sample, ..Limits::DEFAULT };
    let rows = session.run(&sql, limits).await.ok()?;
    let dataset = compiled.resolved.model.datasets[branch.home].name.text.clone();
    Some(Behind { key: group.key.clone(), dataset, rows })
}

/// The fields of the home's rows that fall into a group.
fn listed(compiled: &Compiled, branch: &Branch, group: &GroupDifference, sample: usize) -> Option<Scalar> {
    let resolved = &compiled.resolved;
    let mut fields = Vec::new();
    for id in &resolved.model.datasets[branch.home].fields {
        if let Ok(expr) = &resolved.fields[*id] {
            let field = Expr::reference(Reference::Field(*id), expr.data_type, expr.exactness);
            fields.push((resolved.model.fields[*id].name.text.clone(), field));
        }
    }
    let mut predicates = branch.predicates.clone();
    for (expr, (_, value)) in branch.dimensions.iter().zip(&group.key) {
        predicates.push(is(expr, value)?);
    }
    // By all fields, so that the same rows are shown each time.
    let order_by = fields
        .iter()
        .map(|(_, field)| OrderKey { expr: field.clone(), descending: false, nulls_first: false })
        .collect();
    Some(Scalar {
        home: branch.home,
        fields,
        predicates,
        order_by,
        limit: Some(u64::try_from(sample).unwrap_or(u64::MAX).saturating_add(1)),
    })
}

/// `expr IS NOT DISTINCT FROM value`.
fn is(expr: &ModelExpr, value: &Value) -> Option<ModelExpr> {
    let literal = match value {
        Value::Null => Literal::Null,
        Value::Boolean(value) => Literal::Boolean(*value),
        Value::Integer(value) => Literal::Integer(value.to_string()),
        Value::Decimal { .. } => Literal::Decimal(value.text()),
        Value::Text(text) => Literal::String(text.clone()),
        Value::Date(_) => Literal::Date(value.text()),
        Value::Timestamp(_) | Value::Instant(_) => {
            Literal::Timestamp(value.text().trim_end_matches('Z').replace('T', " "))
        }
        // Neither is a dimension.
        Value::Float(_) | Value::Time(_) => return None,
    };
    let literal = Expr::new(ExprKind::Literal(literal), expr.data_type, Exactness::Exact);
    let call = ExprKind::Call {
        function: Function::Scalar(Name::IsNotDistinctFrom),
        arguments: vec![expr.clone(), literal],
    };
    Some(Expr::new(call, DataType::Boolean, expr.exactness))
}
