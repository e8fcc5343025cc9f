//! The rows of the function tables: how one target says one function, or why it does not.
//! In: arguments already emitted, with their types. Out: an SQL expression or a refusal.

use unisono_compiler::data_type::DataType;
use unisono_compiler::diagnostic::{Code, REPORT_FAULT};
use unisono_compiler::expr::{ExprKind, Literal};
use unisono_compiler::function::{AggregateFunction, Function, Ranking};
use unisono_compiler::relation::RelExpr;

use crate::arithmetic::Said;
use crate::magnitude::Magnitude;
use crate::sql::tree::{
    Call, Expr, NullTreatment, Operator, OrderKey, Over, Type, is_null, number, plain_call, when_else,
};
use crate::target::Version;

/// Advice where a target needs a type that nothing declares.
pub(crate) const DECLARE_TYPE: &str = "declare it in a `--schema` file (CREATE TABLE statements), under `types:` in unisono.yaml, or as the field's `datatype` in the model, where `Decimal` says too little: it has no precision";

/// A row of a target's table of scalar functions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// The text's shape.
    pub(crate) form: Form,
    /// Whether the shape depends on the arguments' types.
    pub(crate) types: Types,
    /// The vendor's page.
    pub(crate) url: &'static str,
}

/// How a scalar function is said.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Form {
    /// A call of that name with the arguments as they are.
    Call(&'static str),
    /// The operator between the two arguments.
    Infix(Operator),
    /// A shape of its own.
    Build(fn(&ScalarCall<'_>) -> Result<Expr, Refusal>),
    /// `+ - *`, sign and absolute value, which also say what they are before they are narrowed.
    Arithmetic(fn(&ScalarCall<'_>) -> Result<Said, Refusal>),
    /// Not at all.
    Absent {
        /// Why.
        why: &'static str,
        /// What would have it.
        needs: &'static str,
    },
}

/// Whether a form depends on the arguments' types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Types {
    /// The same text for every type.
    Any,
    /// The text depends on them.
    Needed,
}

/// A row of a target's table of aggregates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AggregateRow {
    /// The text's shape.
    pub(crate) form: AggregateForm,
    /// Whether the shape depends on the arguments' types.
    pub(crate) types: Types,
    /// The vendor's page.
    pub(crate) url: &'static str,
}

/// How an aggregate is said.
#[derive(Clone, Copy, Debug)]
pub(crate) enum AggregateForm {
    /// A call of that name, with DISTINCT and OVER where asked for.
    Call(&'static str),
    /// A shape of its own.
    Build(fn(&AggregateCall<'_>) -> Result<Expr, Refusal>),
    /// SUM, by the strategies `decimal_sum` and `integer_sum`.
    Sum,
    /// The planner says it in other words; it never arrives here.
    Planned,
    /// Not at all.
    Absent {
        /// Why.
        why: &'static str,
        /// What would have it.
        needs: &'static str,
    },
}

/// A row of a target's table of ranking functions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RankingRow {
    /// The text's shape.
    pub(crate) form: RankingForm,
    /// The vendor's page.
    pub(crate) url: &'static str,
}

/// How a ranking function is said.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RankingForm {
    /// A call of that name with OVER.
    Call(&'static str),
    /// A shape of its own.
    Build(fn(&RankingCall<'_>) -> Result<Expr, Refusal>),
    /// Not at all.
    Absent {
        /// Why.
        why: &'static str,
        /// What would have it.
        needs: &'static str,
    },
}

/// A scalar call to be said.
pub(crate) struct ScalarCall<'a> {
    /// Which function.
    pub(crate) function: Function,
    /// Its arguments.
    pub(crate) arguments: &'a [Typed<'a>],
    /// The type that the answer must have.
    pub(crate) data_type: DataType,
}

/// An aggregate call to be said.
pub(crate) struct AggregateCall<'a> {
    /// Its arguments.
    pub(crate) arguments: &'a [Typed<'a>],
    /// DISTINCT.
    pub(crate) distinct: bool,
    /// The order of LISTAGG.
    pub(crate) order_by: Vec<OrderKey>,
    /// The window, if it is one.
    pub(crate) over: Option<Over>,
    /// The type that the answer must have.
    pub(crate) data_type: DataType,
}

impl AggregateCall<'_> {
    /// A call of that name over the arguments as they are.
    pub(crate) fn plain(&self, name: &'static str) -> Expr {
        self.over_arguments(name, self.arguments.iter().map(|argument| argument.expr.clone()).collect())
    }

    /// A call of that name over other arguments, with the same DISTINCT and window.
    pub(crate) fn over_arguments(&self, name: &'static str, arguments: Vec<Expr>) -> Expr {
        Expr::Call(Box::new(Call {
            distinct: self.distinct,
            over: self.over.clone(),
            ..plain_call(name, arguments)
        }))
    }
}

/// A ranking call to be said.
pub(crate) struct RankingCall<'a> {
    /// Its arguments.
    pub(crate) arguments: &'a [Typed<'a>],
    /// IGNORE NULLS.
    pub(crate) ignore_nulls: bool,
    /// The window.
    pub(crate) over: Over,
}

impl RankingCall<'_> {
    /// A call of that name over the window.
    pub(crate) fn plain(&self, name: &'static str, ignore: NullTreatment) -> Expr {
        self.with_arguments(
            name,
            self.arguments.iter().map(|argument| argument.expr.clone()).collect(),
            ignore,
        )
    }

    /// A call of that name with other arguments over the window.
    pub(crate) fn with_arguments(
        &self,
        name: &'static str,
        arguments: Vec<Expr>,
        ignore: NullTreatment,
    ) -> Expr {
        let nulls = if self.ignore_nulls { ignore } else { NullTreatment::Respect };
        Expr::Call(Box::new(Call { nulls, over: Some(self.over.clone()), ..plain_call(name, arguments) }))
    }

    /// LAG or LEAD of `x` with its default written out: a mark that is never NULL tells whether there is such a row.
    pub(crate) fn or_default(&self, name: &'static str, x: Expr, offset: &Expr, default: Expr) -> Expr {
        self.or_default_by(name, number(1), x, offset, default)
    }

    /// The same with a mark of the engine's own liking.
    pub(crate) fn or_default_by(
        &self,
        name: &'static str,
        mark: Expr,
        x: Expr,
        offset: &Expr,
        default: Expr,
    ) -> Expr {
        let of = |value| self.with_arguments(name, vec![value, offset.clone()], NullTreatment::Respect);
        when_else(is_null(of(mark)), default, of(x))
    }
}

/// An emitted expression with what is known of it.
#[derive(Clone, Debug)]
pub(crate) struct Typed<'a> {
    /// The text's tree.
    pub(crate) expr: Expr,
    /// The same value as a whole number in the target's widest exact type, where it was narrowed last.
    pub(crate) wide: Option<(Expr, Magnitude)>,
    /// Its type.
    pub(crate) data_type: DataType,
    /// How large it can be.
    pub(crate) magnitude: Magnitude,
    /// What it was emitted from.
    pub(crate) source: &'a RelExpr,
}

impl Typed<'_> {
    /// The constant that it is, if it is one.
    pub(crate) fn literal(&self) -> Option<&Literal> {
        match &*self.source.kind {
            ExprKind::Literal(literal) => Some(literal),
            ExprKind::Reference(_)
            | ExprKind::Call { .. }
            | ExprKind::Case { .. }
            | ExprKind::InList { .. }
            | ExprKind::Cast { .. }
            | ExprKind::Aggregate(_)
            | ExprKind::Window(_) => None,
        }
    }

    /// The whole number that it is, if it is a constant.
    pub(crate) fn whole_number(&self) -> Option<i64> {
        match self.literal() {
            Some(Literal::Integer(digits)) => digits.parse().ok(),
            Some(
                Literal::Null
                | Literal::Boolean(_)
                | Literal::Decimal(_)
                | Literal::Float(_)
                | Literal::String(_)
                | Literal::Date(_)
                | Literal::Time(_)
                | Literal::Timestamp(_),
            )
            | None => None,
        }
    }

    /// The text that it is, if it is a constant.
    pub(crate) fn string(&self) -> Option<&str> {
        match self.literal() {
            Some(Literal::String(text)) => Some(text),
            Some(
                Literal::Null
                | Literal::Boolean(_)
                | Literal::Integer(_)
                | Literal::Decimal(_)
                | Literal::Float(_)
                | Literal::Date(_)
                | Literal::Time(_)
                | Literal::Timestamp(_),
            )
            | None => None,
        }
    }
}

/// Why a call cannot be said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Refusal {
    /// The code.
    pub(crate) code: Code,
    /// What is wrong, after the function's and the target's names.
    pub(crate) why: String,
    /// What would have it, or what to write instead.
    pub(crate) help: String,
}

impl Refusal {
    /// `E_UNSUPPORTED_FUNCTION`.
    pub(crate) fn function(why: impl Into<String>, help: impl Into<String>) -> Refusal {
        Refusal { code: Code::UnsupportedFunction, why: why.into(), help: help.into() }
    }

    /// `E_LIMIT_EXCEEDED`: guards of guards, each of which repeats what it guards.
    pub(crate) fn too_large() -> Refusal {
        Refusal {
            code: Code::LimitExceeded,
            why: "it is written out in too many parts, since its guards repeat its arguments".to_string(),
            help: "make the argument a field of its dataset, or nest fewer calls".to_string(),
        }
    }

    /// `E_INTERNAL`: what no request can ask for, so that a stage before must have gone wrong.
    pub(crate) fn internal(why: impl Into<String>) -> Refusal {
        Refusal { code: Code::Internal, why: why.into(), help: REPORT_FAULT.to_string() }
    }
}

/// A target's tables: everything that `emit` asks a target.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tables {
    /// Scalar functions.
    pub(crate) function: fn(Function, Version) -> Row,
    /// Aggregates.
    pub(crate) aggregate: fn(AggregateFunction, Version) -> AggregateRow,
    /// Ranking functions.
    pub(crate) ranking: fn(Ranking, Version) -> RankingRow,
    /// Types; `None` for the types that have no name.
    pub(crate) data_type: fn(DataType) -> Option<Type>,
    /// CAST of a value to a type, NULL where it does not fit.
    pub(crate) cast: fn(&Typed<'_>, DataType) -> Result<Expr, Refusal>,
    /// A decimal constant of a type.
    pub(crate) decimal: fn(&str, Type) -> Expr,
    /// The literals whose text depends on the target: dates, times, timestamps.
    pub(crate) moment: fn(Moment, &str) -> Expr,
    /// IGNORE NULLS, as the target writes it.
    pub(crate) ignore_nulls: NullTreatment,
}

/// A literal of time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Moment {
    /// A day.
    Date,
    /// A time of day.
    Time,
    /// Wall clock.
    Timestamp,
    /// An instant, the text in UTC.
    TimestampTz,
}
