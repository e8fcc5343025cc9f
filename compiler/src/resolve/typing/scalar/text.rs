//! Functions of texts: one row a function, and the constants that no two engines read alike.
//! In: a name and typed arguments. Out: the call, or which argument does not fit.

use super::{Argument, integer_literal};
use crate::data_type::{DataType, Exactness};
use crate::diagnostic::{Code, Diagnostic};
use crate::function::Scalar;
use crate::resolve::ModelExpr;
use crate::resolve::typing::operator::call;
use crate::resolve::typing::pattern::Matching;
use crate::resolve::typing::{Ctx, exactness_of, pattern};
use crate::source::Span;

impl Ctx<'_> {
    pub(super) fn text_function(&mut self, name: &str, arguments: Vec<Argument>, span: Span) -> ModelExpr {
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
        Scalar::RegexpReplace => pattern::check_regex(&arguments[1].0, Matching::Replace, arguments[1].1)
            .or_else(|| pattern::check_replacement(&arguments[2].0, arguments[2].1)),
        Scalar::RegexpLike => pattern::check_regex(&arguments[1].0, Matching::Test, arguments[1].1),
        Scalar::RegexpCount | Scalar::RegexpExtract => {
            pattern::check_regex(&arguments[1].0, Matching::Find, arguments[1].1)
        }
        _ => None,
    }
}
