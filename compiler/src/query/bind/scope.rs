//! What names mean in a request: metrics and aliases by bare name, fields as `dataset.field`, `metric_time`, parameters.

use crate::data_type::DataType;
use crate::diagnostic::{Code, Diagnostic};
use crate::expr::Expr;
use crate::function::Unit;
use crate::ids::FieldId;
use crate::query::Moment;
use crate::query::Request;
use crate::query::bind::entry::{Parsed, is_metric_time};
use crate::query::bind::predicate::parameter_literal;
use crate::query::now_literal;
use crate::resolve::metrics::{bare_name_finding, field_reference};
use crate::resolve::typing::{Level, Scope, cast_to, truncate, type_expr};
use crate::resolve::{ModelExpr, Reference, Resolved};
use crate::source::{Span, Spanned};
use crate::syntax::expr::{self as syntax, Ident};

/// What `metric_time` means where an expression stands.
#[derive(Clone, Copy)]
pub(super) enum Time<'a> {
    /// The time field of the one home that the expression is evaluated on.
    Field(FieldId),
    /// The dimension that is `metric_time`: expressions over groups refer to it, whatever its grain.
    Dimension(&'a ModelExpr),
    /// Nothing here has one.
    None,
}

/// The scope of one clause of a request.
pub(super) struct RequestScope<'a> {
    pub(super) resolved: &'a Resolved,
    pub(super) request: &'a Request,
    pub(super) level: Level,
    pub(super) time: Time<'a>,
    /// Aliases that a bare name may mean, before metrics.
    pub(super) aliases: &'a [(String, ModelExpr)],
}

impl Scope for RequestScope<'_> {
    fn name(&self, parts: &[Spanned<Ident>], span: Span) -> Result<ModelExpr, Diagnostic> {
        let model = &self.resolved.model;
        let [only] = parts else {
            let field = self.resolved.names.qualified(model, parts, span, false)?;
            return field_reference(&self.resolved.fields, field);
        };
        let name = &only.value;
        let metric = self.resolved.names.metric(model, name).filter(|id| !model.metrics[*id].private);
        // Over groups a bare name is a metric first; over rows there is none.
        let is_metric = metric.is_some() && self.level == Level::Groups;
        if let Some((_, meaning)) = self.aliases.iter().find(|(alias, _)| !is_metric && same(alias, name)) {
            return Ok(meaning.clone());
        }
        if let Some(metric) = metric {
            return match &self.resolved.metrics[metric] {
                Ok(typed) => Ok(Expr::reference(Reference::Metric(metric), typed.data_type, typed.exactness)),
                Err(findings) => Err(findings
                    .first()
                    .cloned()
                    .unwrap_or_else(|| Diagnostic::new(Code::MetricCycle, "the metric cannot be resolved"))),
            };
        }
        if is_metric_time(name) {
            return match self.time {
                Time::Field(field) => field_reference(&self.resolved.fields, field),
                Time::Dimension(expr) => Ok(expr.clone()),
                Time::None => Err(Diagnostic::new(
                    Code::NameNotFound,
                    "`metric_time` stands for a measure's own time, and there is none here",
                )
                .at(span, "this name")
                .help("ask for a measure, whose time it is, and here for `metric_time` at a grain in `dimensions`; or name the field as `dataset.field`")),
            };
        }
        Err(bare_name_finding(model, &self.resolved.names, only, span))
    }

    fn parameter(&self, name: &str, span: Span) -> Result<ModelExpr, Diagnostic> {
        let found = self.request.params.iter().find(|(known, _)| known.value == name);
        let Some((_, value)) = found else {
            let known = self.request.params.iter().map(|(known, _)| known.value.as_str());
            return Err(Diagnostic::new(
                Code::NameNotFound,
                format!("the request has no parameter `{name}`"),
            )
            .at(span, "this parameter")
            .suggest(name, known)
            .help("give its value under `params`"));
        };
        Ok(parameter_literal(&value.value))
    }

    fn level(&self) -> Level {
        self.level
    }
}

fn same(alias: &str, name: &Ident) -> bool {
    if name.quoted { alias == name.text } else { alias.to_lowercase() == name.text.to_lowercase() }
}

impl RequestScope<'_> {
    /// Types a key of the order. `ordered_at:month` is the answer's column of that name, if there is one.
    pub(super) fn type_key(&self, key: &Parsed, moment: &Moment) -> Result<ModelExpr, Vec<Diagnostic>> {
        if let (Some(_), Some(leaf)) = (key.grain, key.bare()) {
            let column = Ident { text: key.column_name(), quoted: leaf.quoted };
            if let Some((_, meaning)) = self.aliases.iter().find(|(alias, _)| same(alias, &column)) {
                return Ok(meaning.clone());
            }
        }
        self.type_with_grain(&key.expr, key.grain, moment)
    }

    /// Types an expression of the request and puts the caller's moment in for CURRENT_DATE and CURRENT_TIMESTAMP.
    pub(super) fn type_with_grain(
        &self,
        expr: &syntax::Expr,
        grain: Option<Unit>,
        moment: &Moment,
    ) -> Result<ModelExpr, Vec<Diagnostic>> {
        let typed = type_expr(expr, self)?;
        let truncated = match grain {
            None => typed,
            Some(unit) => truncate(unit, typed, expr.span).map_err(|finding| vec![finding])?,
        };
        Ok(bind_now(&truncated, moment))
    }
}

/// `metric_time` at a grain of a day or longer is a Date in every home.
pub(super) fn as_metric_time(typed: ModelExpr, grain: Option<Unit>) -> ModelExpr {
    match grain {
        Some(unit)
            if unit.is_day_or_longer()
                && matches!(typed.data_type, DataType::Timestamp | DataType::TimestampTz) =>
        {
            cast_to(typed, DataType::Date)
        }
        Some(_) | None => typed,
    }
}

/// Puts the caller's moment in for CURRENT_DATE and CURRENT_TIMESTAMP.
pub(super) fn bind_now(expr: &ModelExpr, moment: &Moment) -> ModelExpr {
    expr.map_references(&mut |reference, leaf| match reference {
        Reference::Now => now_literal(&moment.now, leaf),
        Reference::Column(_) | Reference::Field(_) | Reference::Metric(_) => leaf.clone(),
    })
}
