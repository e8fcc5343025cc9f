//! Gives an expression as written its meaning: names looked up, sugar expanded, types inferred and checked.
//! In: a `syntax::Expr` and a scope. Out: a `ModelExpr` in which every node has a type and an exactness class.
//!
//! Rules: docs/semantics.md, values and functions. No conversion is implicit but number to wider number, Date to
//! Timestamp, and NULL to anything.

mod aggregate;
mod arithmetic;
mod cast;
mod check;
mod common_type;
mod literal;
mod operator;
mod pattern;
mod scalar;
mod special;
mod window;

use crate::data_type::{DataType, Exactness};
use crate::diagnostic::{Code, Diagnostic};
use crate::expr::{Expr, ExprKind, Literal};
use crate::resolve::ModelExpr;
use crate::source::{Span, Spanned};
use crate::syntax::expr::{self as syntax, Ident};

pub(crate) use cast::cast_to;
pub(crate) use literal::{constant, is_iso_date, normal_timestamp, number};
pub(crate) use operator::call;
pub(crate) use special::truncate;

/// What the names in an expression can mean at the place where it is written.
pub(crate) trait Scope {
    /// The meaning of a name of one part or more, or why it has none.
    fn name(&self, parts: &[Spanned<Ident>], span: Span) -> Result<ModelExpr, Diagnostic>;

    /// The value of `:name`, or why it has none.
    fn parameter(&self, name: &str, span: Span) -> Result<ModelExpr, Diagnostic>;

    /// What aggregates mean here.
    fn level(&self) -> Level;
}

/// What rows an expression is evaluated on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Level {
    /// Rows of a dataset: a bare aggregate is refused by the caller with the code of its clause.
    Rows,
    /// Groups of a request: `SUM(x) OVER ..` means `SUM(SUM(x)) OVER ..`.
    Groups,
}

/// Findings of one expression that are collected: near names are looked for among all names of the model.
const MOST_FINDINGS: usize = 20;

/// Types an expression. The first findings of the expression are collected; any finding means that there is no result.
pub(crate) fn type_expr(expr: &syntax::Expr, scope: &dyn Scope) -> Result<ModelExpr, Vec<Diagnostic>> {
    let mut ctx = Ctx { scope, diagnostics: Vec::new(), inside: Inside::Nothing, copied: 0 };
    let typed = ctx.expr(expr);
    if ctx.diagnostics.is_empty() { Ok(typed) } else { Err(ctx.diagnostics) }
}

/// Nodes that one expression may have twice or more because its sugar stands for several uses of one part.
const MOST_COPIED: usize = 20_000;

struct Ctx<'a> {
    scope: &'a dyn Scope,
    diagnostics: Vec<Diagnostic>,
    inside: Inside,
    /// Nodes of the copies that were made.
    copied: usize,
}

/// The call around the expression being typed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    Nothing,
    Aggregate,
    Window,
    /// An aggregate inside a window: `SUM(SUM(x)) OVER`.
    WindowAggregate,
    /// A window inside an aggregate: it runs over the rows of the aggregate's home.
    RowWindow,
}

impl Ctx<'_> {
    fn expr(&mut self, expr: &syntax::Expr) -> ModelExpr {
        if self.diagnostics.len() >= MOST_FINDINGS {
            return stand_in();
        }
        match &*expr.kind {
            syntax::ExprKind::Literal(literal) => self.literal(literal, expr.span),
            syntax::ExprKind::Name(parts) => self.name(parts, expr.span),
            syntax::ExprKind::Parameter(name) => match self.scope.parameter(name, expr.span) {
                Ok(value) => value,
                Err(finding) => self.error(finding),
            },
            syntax::ExprKind::Unary { op, operand } => self.unary(*op, operand, expr.span),
            syntax::ExprKind::Binary { op, left, right } => self.binary(*op, left, right, expr.span),
            syntax::ExprKind::IsNull { operand, negated } => self.is_null(operand, *negated),
            syntax::ExprKind::IsDistinct { left, right, negated } => {
                self.is_distinct(left, right, *negated, expr.span)
            }
            syntax::ExprKind::Between { operand, low, high, negated } => {
                self.between(operand, low, high, *negated, expr.span)
            }
            syntax::ExprKind::InList { operand, list, negated } => {
                self.in_list(operand, list, *negated, expr.span)
            }
            syntax::ExprKind::Like { operand, pattern, negated, any_case } => {
                self.like(operand, pattern, *negated, *any_case)
            }
            syntax::ExprKind::Case { operand, branches, otherwise } => {
                self.case(operand.as_ref(), branches, otherwise.as_ref(), expr.span)
            }
            syntax::ExprKind::Cast { operand, to, tolerant: _ } => self.cast(operand, to),
            syntax::ExprKind::Extract { part, operand } => self.extract(part, operand),
            syntax::ExprKind::Position { needle, haystack } => self.position(needle, haystack),
            syntax::ExprKind::Trim { side, character, operand } => {
                self.trim(*side, character.as_ref(), operand)
            }
            syntax::ExprKind::Interval { .. } => self.error(
                Diagnostic::new(Code::TypeMismatch, "an interval is not a value of its own")
                    .at(expr.span, "this interval")
                    .help("add it to a date or time, as in `ordered_at + INTERVAL '1' DAY`, or use DATEADD"),
            ),
            syntax::ExprKind::Call(call) => self.call(call, expr.span),
        }
    }

    fn name(&mut self, parts: &[Spanned<Ident>], span: Span) -> ModelExpr {
        match self.scope.name(parts, span) {
            Ok(found) => {
                self.check_metric_use(&found, span);
                found
            }
            Err(finding) => self.error(finding),
        }
    }

    /// Records a finding and stands in for the expression that could not be typed.
    fn error(&mut self, finding: Diagnostic) -> ModelExpr {
        self.diagnostics.push(finding);
        stand_in()
    }

    /// A part that sugar uses once more. Sugar in sugar doubles at each step, so there is an end to it.
    fn copy(&mut self, part: &ModelExpr, span: Span) -> ModelExpr {
        let is_full = self.copied > MOST_COPIED;
        if !is_full {
            self.copied += part.size();
        }
        if self.copied <= MOST_COPIED {
            return part.clone();
        }
        if !is_full {
            self.diagnostics.push(
                Diagnostic::new(
                    Code::LimitExceeded,
                    format!("the expression repeats more than {MOST_COPIED} parts when it is written out"),
                )
                .at(span, "here")
                .help("name its parts as fields or metrics of their own"),
            );
        }
        Expr::new(ExprKind::Literal(Literal::Null), part.data_type, part.exactness)
    }

    fn mismatch(&mut self, span: Span, message: impl Into<String>) -> ModelExpr {
        self.error(Diagnostic::new(Code::TypeMismatch, message).at(span, "here"))
    }

    fn call(&mut self, call: &syntax::Call, span: Span) -> ModelExpr {
        let name = call.name.value.text.to_uppercase();
        if let Some(over) = &call.over {
            return self.window(&name, call, over, span);
        }
        if aggregate::is_aggregate(&name) {
            return self.aggregate(&name, call, span);
        }
        self.scalar(&name, call, span)
    }
}

/// What stands where an expression could not be typed.
fn stand_in() -> ModelExpr {
    Expr::constant(Literal::Null, DataType::Unknown)
}

/// Two or more classes in one.
fn exactness_of<'a>(parts: impl IntoIterator<Item = &'a ModelExpr>) -> Exactness {
    parts.into_iter().fold(Exactness::Exact, |class, part| class.and(part.exactness))
}
