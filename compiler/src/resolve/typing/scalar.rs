//! Scalar functions by name: arity, argument types, result type, and the names that are sugar for others.

use crate::data_type::{DataType, Exactness};
use crate::diagnostic::{Code, Diagnostic};
use crate::expr::{Expr, ExprKind, Literal};
use crate::function::{Function, Part, Scalar, Unit};
use crate::resolve::ModelExpr;
use crate::resolve::typing::common::unify;
use crate::resolve::typing::literal::constant;
use crate::resolve::typing::operator::call;
use crate::resolve::typing::{Ctx, cast_to, exactness_of, pattern, special};
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

    fn text_function(&mut self, name: &str, arguments: Vec<Argument>, span: Span) -> ModelExpr {
        const TEXT: DataType = DataType::String;
        const COUNT: DataType = DataType::Int64;
        const FLAG: DataType = DataType::Boolean;
        // Per function: meaning, types of the arguments, how many may be left out, result, class.
        let (function, wanted, optional, result, class): (Scalar, &[DataType], usize, DataType, Exactness) =
            match name {
                "CONCAT" => return self.concat_call(name, arguments, span),
                "LENGTH" | "LEN" | "CHAR_LENGTH" | "CHARACTER_LENGTH" => {
                    (Scalar::Length, &[TEXT], 0, COUNT, Exactness::Exact)
                }
                "UPPER" => (Scalar::Upper, &[TEXT], 0, TEXT, Exactness::Divergent),
                "LOWER" => (Scalar::Lower, &[TEXT], 0, TEXT, Exactness::Divergent),
                "INITCAP" => (Scalar::Initcap, &[TEXT], 0, TEXT, Exactness::Divergent),
                "TRIM" => (Scalar::Trim, &[TEXT], 0, TEXT, Exactness::Exact),
                "LTRIM" => (Scalar::TrimLeading, &[TEXT], 0, TEXT, Exactness::Exact),
                "RTRIM" => (Scalar::TrimTrailing, &[TEXT], 0, TEXT, Exactness::Exact),
                "REVERSE" => (Scalar::Reverse, &[TEXT], 0, TEXT, Exactness::Divergent),
                "SUBSTRING" | "SUBSTR" => {
                    (Scalar::Substring, &[TEXT, COUNT, COUNT], 1, TEXT, Exactness::Exact)
                }
                "LEFT" => (Scalar::Left, &[TEXT, COUNT], 0, TEXT, Exactness::Exact),
                "RIGHT" => (Scalar::Right, &[TEXT, COUNT], 0, TEXT, Exactness::Exact),
                "REPEAT" => (Scalar::Repeat, &[TEXT, COUNT], 0, TEXT, Exactness::Exact),
                "LPAD" => (Scalar::PadLeft, &[TEXT, COUNT, TEXT], 0, TEXT, Exactness::Exact),
                "RPAD" => (Scalar::PadRight, &[TEXT, COUNT, TEXT], 0, TEXT, Exactness::Exact),
                "REPLACE" => (Scalar::Replace, &[TEXT, TEXT, TEXT], 0, TEXT, Exactness::Exact),
                "SPLIT_PART" => (Scalar::SplitPart, &[TEXT, TEXT, COUNT], 0, TEXT, Exactness::Exact),
                "POSITION" | "CHARINDEX" => (Scalar::Position, &[TEXT, TEXT], 0, COUNT, Exactness::Exact),
                "CONTAINS" => (Scalar::Contains, &[TEXT, TEXT], 0, FLAG, Exactness::Exact),
                "STARTSWITH" | "STARTS_WITH" => {
                    (Scalar::StartsWith, &[TEXT, TEXT], 0, FLAG, Exactness::Exact)
                }
                "ENDSWITH" | "ENDS_WITH" => (Scalar::EndsWith, &[TEXT, TEXT], 0, FLAG, Exactness::Exact),
                "REGEXP_LIKE" => (Scalar::RegexpLike, &[TEXT, TEXT], 0, FLAG, Exactness::Divergent),
                "REGEXP_REPLACE" => {
                    (Scalar::RegexpReplace, &[TEXT, TEXT, TEXT], 0, TEXT, Exactness::Divergent)
                }
                "REGEXP_EXTRACT" => (Scalar::RegexpExtract, &[TEXT, TEXT], 0, TEXT, Exactness::Divergent),
                "REGEXP_COUNT" => (Scalar::RegexpCount, &[TEXT, TEXT], 0, COUNT, Exactness::Divergent),
                "TO_DATE" => (Scalar::ToDate, &[TEXT], 0, DataType::Date, Exactness::Divergent),
                "TO_TIMESTAMP" => {
                    (Scalar::ToTimestamp, &[TEXT], 0, DataType::Timestamp, Exactness::Divergent)
                }
                _ => return self.unknown_function(name, span),
            };
        if arguments.len() > wanted.len() || arguments.len() + optional < wanted.len() {
            return self.wrong_count(name, arguments.len(), wanted.len() - optional, span);
        }
        for ((value, at), wanted) in arguments.iter().zip(wanted) {
            if *wanted == COUNT {
                self.expect(value, *at, name, "an integer", DataType::is_integer);
            } else {
                self.expect(value, *at, name, "a String", |found| found == DataType::String);
            }
        }
        if let Some(finding) = text_domain(function, &arguments) {
            return self.error(finding);
        }
        let values: Vec<ModelExpr> = arguments.into_iter().map(|(value, _)| value).collect();
        let class = exactness_of(&values).and(class);
        call(function, values, result, class)
    }

    fn concat_call(&mut self, name: &str, arguments: Vec<Argument>, span: Span) -> ModelExpr {
        if arguments.is_empty() {
            return self.wrong_count(name, 0, 1, span);
        }
        self.concat(arguments)
    }

    fn unknown_function(&mut self, name: &str, span: Span) -> ModelExpr {
        self.error(
            Diagnostic::new(
                Code::UnsupportedFunction,
                format!("`{name}` is no function of the expression language"),
            )
            .at(span, "this call")
            .suggest(name, NAMES.iter().chain(super::aggregate::NAMES).copied())
            .help("docs/semantics.md lists the functions"),
        )
    }

    pub(super) fn wrong_count(&mut self, name: &str, found: usize, wanted: usize, span: Span) -> ModelExpr {
        let plural = if wanted == 1 { "" } else { "s" };
        self.mismatch(span, format!("{name} wants {wanted} argument{plural}, found {found}"))
    }

    fn exactly<const N: usize>(
        &mut self,
        name: &str,
        arguments: Vec<Argument>,
        span: Span,
    ) -> Result<[Argument; N], ModelExpr> {
        <[Argument; N]>::try_from(arguments).map_err(|given| self.wrong_count(name, given.len(), N, span))
    }

    /// Numbers in, a fixed type out.
    fn numbers(
        &mut self,
        name: &str,
        function: Scalar,
        count: usize,
        result: DataType,
        arguments: Vec<Argument>,
        span: Span,
    ) -> ModelExpr {
        if arguments.len() != count {
            return self.wrong_count(name, arguments.len(), count, span);
        }
        for (value, at) in &arguments {
            self.expect(value, *at, name, "a number", DataType::is_numeric);
        }
        let values: Vec<ModelExpr> = arguments.into_iter().map(|(value, _)| value).collect();
        let class = exactness_of(&values);
        call(function, values, result, class)
    }

    /// Functions of the mathematical library: Float64 in and out, rounded differently by engines.
    fn floats(
        &mut self,
        name: &str,
        function: Scalar,
        count: usize,
        arguments: Vec<Argument>,
        span: Span,
    ) -> ModelExpr {
        if arguments.len() != count {
            return self.wrong_count(name, arguments.len(), count, span);
        }
        for (value, at) in &arguments {
            self.expect(value, *at, name, "a number", DataType::is_numeric);
        }
        let values: Vec<ModelExpr> =
            arguments.into_iter().map(|(value, _)| cast_to(value, DataType::Float64)).collect();
        let class = exactness_of(&values).and(Exactness::Rounding);
        call(function, values, DataType::Float64, class)
    }

    fn log(&mut self, name: &str, arguments: Vec<Argument>, span: Span) -> ModelExpr {
        if arguments.len() == 1 {
            return self.error(
                Diagnostic::new(
                    Code::UnsupportedFunction,
                    "LOG with one argument has base 10 on some engines and e on others",
                )
                .at(span, "this call")
                .help("write LN(x), LOG10(x) or LOG(base, x)"),
            );
        }
        self.floats(name, Scalar::Log, 2, arguments, span)
    }

    fn number_in_type_out(
        &mut self,
        name: &str,
        function: Scalar,
        arguments: Vec<Argument>,
        span: Span,
    ) -> ModelExpr {
        let data_type = arguments.first().map_or(DataType::Unknown, |(value, _)| value.data_type);
        self.numbers(name, function, 1, data_type, arguments, span)
    }

    /// FLOOR and CEILING: Integers stay, Decimals lose their scale, floats stay.
    fn whole_number(
        &mut self,
        name: &str,
        function: Scalar,
        arguments: Vec<Argument>,
        span: Span,
    ) -> ModelExpr {
        let data_type = arguments.first().map_or(DataType::Unknown, |(value, _)| match value.data_type {
            DataType::Decimal { precision, scale } => {
                DataType::Decimal { precision: (precision - scale + 1).min(38), scale: 0 }
            }
            other => other,
        });
        self.numbers(name, function, 1, data_type, arguments, span)
    }

    /// ROUND and TRUNC: the number of digits is a literal; a Decimal's scale becomes it.
    fn round(&mut self, name: &str, function: Scalar, mut arguments: Vec<Argument>, span: Span) -> ModelExpr {
        if arguments.is_empty() || arguments.len() > 2 {
            return self.wrong_count(name, arguments.len(), 2, span);
        }
        let digits = match arguments.get(1) {
            None => 0,
            Some((digits, at)) => match integer_literal(digits) {
                Some(value @ -38..=38) => value,
                Some(_) | None => {
                    return self
                        .mismatch(*at, format!("{name} wants a literal number of digits from -38 to 38"));
                }
            },
        };
        let (value, at) = arguments.swap_remove(0);
        self.expect(&value, at, name, "a number", DataType::is_numeric);
        let data_type = match value.data_type {
            DataType::Decimal { precision, scale } => {
                let kept = u8::try_from(digits.max(0)).unwrap_or(scale).min(scale);
                DataType::Decimal { precision: (precision - scale + kept + 1).min(38), scale: kept }
            }
            other => other,
        };
        let class = match (data_type.is_float(), function) {
            (true, Scalar::Round) => Exactness::Divergent,
            _ => value.exactness,
        };
        let digits = constant(Literal::Integer(digits.to_string()), DataType::Int64);
        call(function, vec![value, digits], data_type, class)
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
        let class = exactness_of(&values);
        let result = values[0].data_type;
        call(Scalar::NullIf, values, if result.is_open() { data_type } else { result }, class)
    }

    fn part(&mut self, name: &str, part: Part, arguments: Vec<Argument>, span: Span) -> ModelExpr {
        match self.exactly::<1>(name, arguments, span) {
            Ok([(value, at)]) => self.extract_part(part, value, at),
            Err(stand_in) => stand_in,
        }
    }

    /// Functions whose first argument is a unit or part, written as a word or a text.
    fn date_function(&mut self, name: &str, list: &[syntax::Expr], span: Span) -> ModelExpr {
        let wanted = if matches!(name, "DATE_TRUNC" | "DATE_PART") { 2 } else { 3 };
        if list.len() != wanted {
            return self.wrong_count(name, list.len(), wanted, span);
        }
        let Some(word) = unit_word(&list[0]) else {
            return self.mismatch(list[0].span, format!("{name} wants a unit first, as in 'month'"));
        };
        if name == "DATE_PART" {
            let value = self.expr(&list[1]);
            return match Part::parse(&word) {
                Some(part) => self.extract_part(part, value, list[1].span),
                None => self.unknown_unit(&word, list[0].span),
            };
        }
        let Some(unit) = Unit::parse(word.trim_end_matches(['s', 'S'])) else {
            return self.unknown_unit(&word, list[0].span);
        };
        match name {
            "DATE_TRUNC" => {
                let value = self.expr(&list[1]);
                self.date_trunc(unit, value, list[1].span)
            }
            "DATEADD" | "DATE_ADD" => {
                let (count, value) = (self.expr(&list[1]), self.expr(&list[2]));
                self.date_add(unit, count, value, list[2].span)
            }
            _ => {
                let (from, to) = (self.expr(&list[1]), self.expr(&list[2]));
                for (value, at) in [(&from, list[1].span), (&to, list[2].span)] {
                    self.expect(value, at, name, "a date or time", DataType::is_temporal);
                }
                let class = exactness_of([&from, &to]);
                Expr::new(
                    ExprKind::Call { function: Function::DateDiff(unit), arguments: vec![from, to] },
                    DataType::Int64,
                    class,
                )
            }
        }
    }
}

/// A unit written as a bare word or as a text.
fn unit_word(expr: &syntax::Expr) -> Option<String> {
    match &*expr.kind {
        syntax::ExprKind::Literal(syntax::Literal::String(text)) => Some(text.clone()),
        syntax::ExprKind::Name(parts) => match parts.as_slice() {
            [only] => Some(only.value.text.clone()),
            _ => None,
        },
        _ => None,
    }
}

/// The value of an integer literal.
pub(super) fn integer_literal(value: &ModelExpr) -> Option<i64> {
    match &*value.kind {
        ExprKind::Literal(Literal::Integer(digits)) => digits.parse().ok(),
        _ => None,
    }
}

/// Constant arguments outside the domain that all engines share (docs/semantics.md, strings).
fn text_domain(function: Scalar, arguments: &[Argument]) -> Option<Diagnostic> {
    let at_least = |index: usize, least: i64, what: &str| {
        let (value, span) = arguments.get(index)?;
        let given = integer_literal(value).filter(|given| *given < least)?;
        Some(
            Diagnostic::new(
                Code::UnsupportedPattern,
                format!("{what} {given} means something else on each engine"),
            )
            .at(*span, format!("at least {least}")),
        )
    };
    let (text, span) = match arguments.get(1) {
        Some((value, span)) => (pattern::literal_text(value), *span),
        None => (None, arguments.first()?.1),
    };
    match function {
        Scalar::Substring => {
            at_least(1, 1, "SUBSTRING from").or_else(|| at_least(2, 0, "SUBSTRING of length"))
        }
        Scalar::Left | Scalar::Right | Scalar::Repeat => at_least(1, 0, "a count of"),
        Scalar::SplitPart => at_least(2, 1, "SPLIT_PART number"),
        Scalar::Replace if text == Some("") => Some(
            Diagnostic::new(
                Code::UnsupportedPattern,
                "REPLACE of an empty text means something else on each engine",
            )
            .at(span, "this text"),
        ),
        Scalar::RegexpLike | Scalar::RegexpReplace | Scalar::RegexpCount => {
            pattern::check_regex(&arguments[1].0, function != Scalar::RegexpCount, arguments[1].1)
        }
        Scalar::RegexpExtract => pattern::check_regex(&arguments[1].0, false, arguments[1].1),
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
