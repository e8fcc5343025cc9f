//! Entries of a request as expressions: the short forms `dataset.field:month`, `metric_time:month`,
//! `dataset__field` and `metric_time__month`, aliases, and the names of answer columns.

use crate::diagnostic::{Code, Diagnostic};
use crate::function::Unit;
use crate::model::Name;
use crate::query::{Entry, EntryExpr};
use crate::resolve::Resolved;
use crate::source::{Span, Spanned};
use crate::syntax::document::Text;
use crate::syntax::expr::{Expr, ExprKind, Ident, parse_expr, print_expr};

/// The name under which every home's own time field is reached.
pub(super) const METRIC_TIME: &str = "metric_time";

/// An entry of dimensions, measures, fields or order as an expression.
#[derive(Clone, Debug)]
pub(super) struct Parsed {
    /// The expression without the truncation.
    pub(super) expr: Expr,
    /// The truncation asked for by a short form.
    pub(super) grain: Option<Unit>,
    /// The alias given.
    pub(super) alias: Option<String>,
    /// The entry in the request.
    pub(super) span: Span,
}

impl Parsed {
    /// The two parts of a plain `dataset.field`.
    pub(super) fn qualified(&self) -> Option<(&Ident, &Ident)> {
        match &*self.expr.kind {
            ExprKind::Name(parts) => match parts.as_slice() {
                [dataset, field] => Some((&dataset.value, &field.value)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The one part of a bare name.
    pub(super) fn bare(&self) -> Option<&Ident> {
        match &*self.expr.kind {
            ExprKind::Name(parts) => match parts.as_slice() {
                [only] => Some(&only.value),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether it is `metric_time`, at any grain.
    pub(super) fn is_metric_time(&self) -> bool {
        self.bare().is_some_and(is_metric_time)
    }

    /// The column's name unless another column has it: the alias, the field's leaf name, the name itself or the text.
    pub(super) fn column_name(&self) -> String {
        if let Some(alias) = &self.alias {
            return alias.clone();
        }
        let leaf = match (self.qualified(), self.bare()) {
            (Some((_, field)), _) => field.text.clone(),
            (None, Some(name)) => name.text.clone(),
            (None, None) => print_expr(&self.expr),
        };
        self.with_grain(leaf)
    }

    /// The longer name for when the leaf is taken: `dataset_field`.
    pub(super) fn long_column_name(&self) -> String {
        match (&self.alias, self.qualified()) {
            (None, Some((dataset, field))) => self.with_grain(format!("{}_{}", dataset.text, field.text)),
            _ => self.column_name(),
        }
    }

    fn with_grain(&self, name: String) -> String {
        match self.grain {
            Some(grain) => format!("{name}__{}", grain.as_str()),
            None => name,
        }
    }
}

/// Whether a name is `metric_time`.
pub(super) fn is_metric_time(name: &Ident) -> bool {
    !name.quoted && name.text.eq_ignore_ascii_case(METRIC_TIME)
}

/// Parses an entry; its findings are added to the list.
pub(super) fn parse_entry(
    resolved: &Resolved,
    entry: &Entry,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Parsed> {
    let alias = entry.alias.as_ref().map(|alias| alias.value.clone());
    parse_entry_expr(resolved, &entry.expr, alias, entry.span, diagnostics)
}

/// Parses what an entry or a sort key asks for.
pub(super) fn parse_entry_expr(
    resolved: &Resolved,
    expr: &EntryExpr,
    alias: Option<String>,
    span: Span,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Parsed> {
    match expr {
        EntryExpr::Text(text) => parse_text(resolved, text, alias, diagnostics),
        EntryExpr::Grain { field, grain } => {
            let parsed = parse_text(resolved, field, alias, diagnostics);
            let unit = grain_unit(&grain.value, grain.span, diagnostics);
            let (parsed, unit) = (parsed?, unit?);
            Some(Parsed { grain: Some(unit), span, ..parsed })
        }
    }
}

/// Parses a text that may be a short form.
pub(super) fn parse_text(
    resolved: &Resolved,
    text: &Text,
    alias: Option<String>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Parsed> {
    let parsed = |expr: Expr, grain: Option<Unit>| Parsed {
        expr: as_declared(resolved, split_underscores(resolved, expr)),
        grain,
        alias,
        span: text.span,
    };
    if let Some((name, grain)) = text.value.rsplit_once(':')
        && is_word(grain)
        && let Some(expr) = parse_name(&Text { value: name.to_string(), ..text.clone() })
    {
        let unit = grain_unit(grain, text.span, diagnostics)?;
        return Some(parsed(expr, Some(unit)));
    }
    let expr = parse(text, diagnostics)?;
    if let ExprKind::Name(parts) = &*expr.kind
        && let [only] = parts.as_slice()
        && let Some((name, unit)) = underscored_grain(resolved, only)
    {
        let base = Expr::new(ExprKind::Name(vec![name]), expr.span);
        return Some(parsed(base, Some(unit)));
    }
    Some(parsed(expr, None))
}

/// A name of a metric or field as the model spells it: columns of answers are called so, however the request writes them.
fn as_declared(resolved: &Resolved, expr: Expr) -> Expr {
    let ExprKind::Name(parts) = &*expr.kind else { return expr };
    let (model, names) = (&resolved.model, &resolved.names);
    let spelled = |name: &Name, part: &Spanned<Ident>| {
        Spanned::new(Ident { text: name.text.clone(), quoted: name.quoted }, part.span)
    };
    let declared = match parts.as_slice() {
        [only] => names
            .metric(model, &only.value)
            .filter(|id| !model.metrics[*id].private)
            .map(|id| vec![spelled(&model.metrics[id].name, only)]),
        [owner, field] => names.dataset(model, &owner.value).and_then(|dataset| {
            let id = names.field(model, dataset, &field.value).filter(|id| !model.fields[*id].private)?;
            Some(vec![spelled(&model.datasets[dataset].name, owner), spelled(&model.fields[id].name, field)])
        }),
        _ => None,
    };
    match declared {
        Some(parts) => Expr::new(ExprKind::Name(parts), expr.span),
        None => expr,
    }
}

fn parse(text: &Text, diagnostics: &mut Vec<Diagnostic>) -> Option<Expr> {
    let (expr, findings) = parse_expr(text);
    diagnostics.extend(findings);
    expr
}

/// A name, quoted or not, and nothing else.
fn parse_name(text: &Text) -> Option<Expr> {
    let (expr, findings) = parse_expr(text);
    expr.filter(|expr| findings.is_empty() && matches!(*expr.kind, ExprKind::Name(_)))
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

fn grain_unit(word: &str, span: Span, diagnostics: &mut Vec<Diagnostic>) -> Option<Unit> {
    let unit = Unit::parse(word);
    if unit.is_none() {
        diagnostics.push(
            Diagnostic::new(Code::NameNotFound, format!("`{word}` is no grain of time"))
                .at(span, "this grain")
                .suggest(word, Unit::ALL.iter().map(|unit| unit.as_str()))
                .help("grains are year, quarter, month, week, day, hour, minute, second"),
        );
    }
    unit
}

/// `metric_time__month`, `orders__ordered_at__month`: a known grain behind the last two underscores of a name that is
/// no metric.
fn underscored_grain(resolved: &Resolved, name: &Spanned<Ident>) -> Option<(Spanned<Ident>, Unit)> {
    if name.value.quoted || resolved.names.metric(&resolved.model, &name.value).is_some() {
        return None;
    }
    let (base, grain) = name.value.text.rsplit_once("__")?;
    let unit = Unit::parse(grain)?;
    let base = Ident { text: base.to_string(), quoted: false };
    let is_known = is_metric_time(&base) || underscored_field(resolved, &base).is_some();
    is_known.then(|| (Spanned::new(base, name.span), unit))
}

/// `orders__status` as `orders.status`, if the dataset and field exist and no metric has the name.
fn split_underscores(resolved: &Resolved, expr: Expr) -> Expr {
    if let ExprKind::Name(parts) = &*expr.kind
        && let [only] = parts.as_slice()
        && resolved.names.metric(&resolved.model, &only.value).is_none()
        && let Some((dataset, field)) = underscored_field(resolved, &only.value)
    {
        let parts = vec![Spanned::new(dataset, only.span), Spanned::new(field, only.span)];
        return Expr::new(ExprKind::Name(parts), expr.span);
    }
    expr
}

fn underscored_field(resolved: &Resolved, name: &Ident) -> Option<(Ident, Ident)> {
    if name.quoted {
        return None;
    }
    name.text.match_indices("__").find_map(|(at, _)| {
        let ident = |text: &str| Ident { text: text.to_string(), quoted: false };
        let (dataset, field) = (ident(&name.text[..at]), ident(&name.text[at + 2..]));
        let owner = resolved.names.dataset(&resolved.model, &dataset)?;
        resolved.names.field(&resolved.model, owner, &field)?;
        Some((dataset, field))
    })
}
