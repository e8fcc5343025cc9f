//! Scalar functions by name: arity, argument types, result type, and the names that are sugar for others.

mod date;
mod number;
mod text;

use crate::data_type::DataType;
use crate::diagnostic::{Code, Diagnostic, counted};
use crate::expr::{ExprKind, Literal};
use crate::function::{Part, Ranking, Scalar};
use crate::resolve::ModelExpr;
use crate::resolve::typing::common_type::unify;
use crate::resolve::typing::literal::constant;
use crate::resolve::typing::operator::call;
use crate::resolve::typing::{Ctx, exactness_of, special};
use crate::source::Span;
use crate::syntax::expr::{self as syntax, Arguments};

/// Names that are calls of a scalar function, for candidates. The meaning of each is in docs/semantics.md.
const NAMES: &[&str] = &[
    "ABS",
    "ACOS",
    "ASIN",
    "ATAN",
    "ATAN2",
    "CEIL",
    "CEILING",
    "CHARINDEX",
    "CHAR_LENGTH",
    "COALESCE",
    "CONCAT",
    "CONTAINS",
    "COS",
    "CURRENT_DATE",
    "CURRENT_TIMESTAMP",
    "DATEADD",
    "DATEDIFF",
    "DATE_PART",
    "DATE_TRUNC",
    "DAY",
    "DAYOFWEEK",
    "DAYOFYEAR",
    "DEGREES",
    "ENDSWITH",
    "EXP",
    "FLOOR",
    "GREATEST",
    "HOUR",
    "IF",
    "IFF",
    "IFNULL",
    "INITCAP",
    "LEAST",
    "LEFT",
    "LENGTH",
    "LN",
    "LOG",
    "LOG10",
    "LOWER",
    "LPAD",
    "LTRIM",
    "MINUTE",
    "MOD",
    "MONTH",
    "NULLIF",
    "NULLIFZERO",
    "NVL",
    "NVL2",
    "PI",
    "POSITION",
    "POWER",
    "QUARTER",
    "RADIANS",
    "REGEXP_COUNT",
    "REGEXP_EXTRACT",
    "REGEXP_LIKE",
    "REGEXP_REPLACE",
    "REPEAT",
    "REPLACE",
    "REVERSE",
    "RIGHT",
    "ROUND",
    "RPAD",
    "RTRIM",
    "SECOND",
    "SIGN",
    "SIN",
    "SPLIT_PART",
    "SQRT",
    "STARTSWITH",
    "SUBSTRING",
    "TAN",
    "TO_DATE",
    "TO_TIMESTAMP",
    "TRIM",
    "TRUNC",
    "UPPER",
    "WEEK",
    "YEAR",
    "ZEROIFNULL",
];

/// A typed argument with its place.
type Argument = (ModelExpr, Span);

/// Functions of other languages, whose nearest names here mean something else.
const OTHER_NAMES: [(&str, &str); 8] = [
    ("AVERAGE", "AVG(x)"),
    ("COUNT_DISTINCT", "COUNT(DISTINCT x)"),
    ("COUNTD", "COUNT(DISTINCT x)"),
    ("ISNULL", "x IS NULL, or COALESCE(x, y)"),
    ("MEAN", "AVG(x)"),
    ("QUANTILE", "PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY x)"),
    ("STD", "STDDEV(x)"),
    ("VAR", "VARIANCE(x)"),
];

impl Ctx<'_> {
    pub(super) fn scalar(&mut self, name: &str, written: &syntax::Call, span: Span) -> ModelExpr {
        if let Some(finding) = refuse_decorations(name, written, span) {
            return self.error(finding);
        }
        let Arguments::List(list) = &written.arguments else {
            return self.error(
                Diagnostic::new(Code::Parse, format!("`*` stands only in COUNT(*), found {name}(*)"))
                    .at(span, "this call"),
            );
        };
        match name {
            "DATE_TRUNC" | "DATEADD" | "DATE_ADD" | "DATEDIFF" | "DATE_DIFF" | "DATE_PART" => {
                self.date_function(name, list, span)
            }
            _ => {
                let arguments = list.iter().map(|argument| (self.expr(argument), argument.span)).collect();
                self.plain_scalar(name, arguments, span)
            }
        }
    }

    fn plain_scalar(&mut self, name: &str, arguments: Vec<Argument>, span: Span) -> ModelExpr {
        match name {
            "ABS" => self.number_in_type_out(name, Scalar::Abs, arguments, span),
            "CEIL" | "CEILING" => self.whole_number(name, Scalar::Ceiling, arguments, span),
            "FLOOR" => self.whole_number(name, Scalar::Floor, arguments, span),
            "ROUND" => self.round(name, Scalar::Round, arguments, span),
            "TRUNC" | "TRUNCATE" => self.round(name, Scalar::Truncate, arguments, span),
            "SIGN" => self.numbers(name, Scalar::Sign, 1, DataType::Int64, arguments, span),
            "MOD" => match self.exactly::<2>(name, arguments, span) {
                Ok([(left, _), (right, _)]) => self.arithmetic(Scalar::Modulo, left, right, span),
                Err(stand_in) => stand_in,
            },
            "POWER" | "POW" => self.floats(name, Scalar::Power, 2, arguments, span),
            "SQRT" => self.floats(name, Scalar::Sqrt, 1, arguments, span),
            "EXP" => self.floats(name, Scalar::Exp, 1, arguments, span),
            "LN" => self.floats(name, Scalar::Ln, 1, arguments, span),
            "LOG10" => self.floats(name, Scalar::Log10, 1, arguments, span),
            "LOG" => self.log(name, arguments, span),
            "SIN" => self.floats(name, Scalar::Sin, 1, arguments, span),
            "COS" => self.floats(name, Scalar::Cos, 1, arguments, span),
            "TAN" => self.floats(name, Scalar::Tan, 1, arguments, span),
            "ASIN" => self.floats(name, Scalar::Asin, 1, arguments, span),
            "ACOS" => self.floats(name, Scalar::Acos, 1, arguments, span),
            "ATAN" => self.floats(name, Scalar::Atan, 1, arguments, span),
            "ATAN2" => self.floats(name, Scalar::Atan2, 2, arguments, span),
            "RADIANS" => self.floats(name, Scalar::Radians, 1, arguments, span),
            "DEGREES" => self.floats(name, Scalar::Degrees, 1, arguments, span),
            "PI" => self.floats(name, Scalar::Pi, 0, arguments, span),
            "GREATEST" => self.alike(name, Scalar::Greatest, arguments, span),
            "LEAST" => self.alike(name, Scalar::Least, arguments, span),
            "COALESCE" | "IFNULL" | "NVL" => self.alike(name, Scalar::Coalesce, arguments, span),
            "ZEROIFNULL" => match self.exactly::<1>(name, arguments, span) {
                Ok([value]) => {
                    let zero = (constant(Literal::Integer("0".into()), DataType::Int64), span);
                    self.alike(name, Scalar::Coalesce, vec![value, zero], span)
                }
                Err(stand_in) => stand_in,
            },
            "NULLIF" => self.nullif(name, arguments, span),
            "NULLIFZERO" => match self.exactly::<1>(name, arguments, span) {
                Ok([value]) => {
                    let zero = (constant(Literal::Integer("0".into()), DataType::Int64), span);
                    self.nullif(name, vec![value, zero], span)
                }
                Err(stand_in) => stand_in,
            },
            "IF" | "IFF" => match self.exactly::<3>(name, arguments, span) {
                Ok([(condition, at), (then, _), (otherwise, _)]) => {
                    let condition = self.boolean(condition, at);
                    self.case_of(vec![condition], vec![then, otherwise], true, span)
                }
                Err(stand_in) => stand_in,
            },
            "NVL2" => match self.exactly::<3>(name, arguments, span) {
                Ok([(value, _), (then, _), (otherwise, _)]) => {
                    let class = value.exactness;
                    let condition = call(Scalar::IsNotNull, vec![value], DataType::Boolean, class);
                    self.case_of(vec![condition], vec![then, otherwise], true, span)
                }
                Err(stand_in) => stand_in,
            },
            "CURRENT_DATE" | "CURRENT_TIMESTAMP" if arguments.is_empty() => match special::now(name) {
                Some(now) => now,
                None => self.unknown_function(name, span),
            },
            "YEAR" => self.part(name, Part::Year, arguments, span),
            "QUARTER" => self.part(name, Part::Quarter, arguments, span),
            "MONTH" => self.part(name, Part::Month, arguments, span),
            "WEEK" => self.part(name, Part::Week, arguments, span),
            "DAY" | "DAYOFMONTH" => self.part(name, Part::Day, arguments, span),
            "DAYOFYEAR" => self.part(name, Part::DayOfYear, arguments, span),
            "DAYOFWEEK" => self.part(name, Part::DayOfWeek, arguments, span),
            "HOUR" => self.part(name, Part::Hour, arguments, span),
            "MINUTE" => self.part(name, Part::Minute, arguments, span),
            "SECOND" => self.part(name, Part::Second, arguments, span),
            _ => self.text_function(name, arguments, span),
        }
    }

    fn unknown_function(&mut self, name: &str, span: Span) -> ModelExpr {
        if Ranking::ALL.iter().any(|ranking| ranking.name() == name) {
            return self.error(
                Diagnostic::new(Code::UnsupportedFunction, format!("{name} is a window function, and here is no OVER"))
                    .at(span, "this call")
                    .help(format!("write {name}(..) OVER (ORDER BY ..); the value of the first or last row is MIN_BY or MAX_BY")),
            );
        }
        let finding = Diagnostic::new(
            Code::UnsupportedFunction,
            format!("`{name}` is no function of the expression language"),
        )
        .at(span, "this call");
        let finding = match OTHER_NAMES.iter().find(|(other, _)| *other == name) {
            Some((_, ours)) => finding.help(format!("write {ours}")),
            None => finding.suggest(name, NAMES.iter().chain(super::aggregate::NAMES).copied()),
        };
        self.error(finding.help("docs/semantics.md lists the functions"))
    }

    pub(super) fn wrong_count(&mut self, name: &str, found: usize, wanted: usize, span: Span) -> ModelExpr {
        self.mismatch(span, format!("{name} wants {}, found {found}", counted(wanted as u64, "argument")))
    }

    fn exactly<const N: usize>(
        &mut self,
        name: &str,
        arguments: Vec<Argument>,
        span: Span,
    ) -> Result<[Argument; N], ModelExpr> {
        <[Argument; N]>::try_from(arguments).map_err(|given| self.wrong_count(name, given.len(), N, span))
    }

    /// All arguments brought to one type, which is the result's.
    fn alike(&mut self, name: &str, function: Scalar, arguments: Vec<Argument>, span: Span) -> ModelExpr {
        if arguments.is_empty() {
            return self.wrong_count(name, 0, 1, span);
        }
        match unify(arguments.into_iter().map(|(value, _)| value).collect()) {
            Ok((data_type, values)) => {
                let class = exactness_of(&values);
                call(function, values, data_type, class)
            }
            Err((left, right)) => self.mismatch(span, format!("{name} mixes {left} and {right}")),
        }
    }

    fn nullif(&mut self, name: &str, arguments: Vec<Argument>, span: Span) -> ModelExpr {
        let [(value, _), (other, _)] = match self.exactly::<2>(name, arguments, span) {
            Ok(pair) => pair,
            Err(stand_in) => return stand_in,
        };
        let exact = |value: &ModelExpr| value.data_type.is_integer() || value.data_type.is_decimal();
        let data_type = value.data_type;
        let values = if exact(&value) && exact(&other) {
            vec![value, other]
        } else {
            match unify(vec![value, other]) {
                Ok((_, values)) => values,
                Err((left, right)) => {
                    return self.mismatch(span, format!("{name} mixes {left} and {right}"));
                }
            }
        };
        let data_type = if data_type.is_open() { values[0].data_type } else { data_type };
        let class = exactness_of(&values).at_a_jump();
        let result = values[0].data_type;
        call(Scalar::NullIf, values, if result.is_open() { data_type } else { result }, class)
    }
}

/// The value of an integer literal.
pub(super) fn integer_literal(value: &ModelExpr) -> Option<i64> {
    match &*value.kind {
        ExprKind::Literal(Literal::Integer(digits)) => digits.parse().ok(),
        _ => None,
    }
}

fn refuse_decorations(name: &str, written: &syntax::Call, span: Span) -> Option<Diagnostic> {
    let what = if written.distinct {
        "DISTINCT"
    } else if !written.order_by.is_empty() {
        "ORDER BY"
    } else if !written.within_group.is_empty() {
        "WITHIN GROUP"
    } else if written.filter.is_some() {
        "FILTER"
    } else if written.nulls.is_some() {
        "IGNORE NULLS"
    } else {
        return None;
    };
    let message = format!("{what} stands only in aggregates and windows, and {name} is neither");
    Some(Diagnostic::new(Code::UnsupportedFunction, message).at(span, "this call"))
}
