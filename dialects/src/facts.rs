//! What is known of each target beside its functions: types, names, literals, NULL order, the session, limits, and the strategies chosen.
//! In: a target. Out: topics with what the tables say and the vendor's page, for docs/support.md.

use unisono_compiler::data_type::DataType;

use crate::capabilities::{
    Buckets, Capabilities, EmptyAggregate, FullJoin, IntegerLiteral, NullOrder, NullSafeEquality, OrderBy,
    Pins, RangeOffsets, RunningOrder, Setting, StringLiteral, Windows,
};
use crate::dialect::{Dialect, dialect};
use crate::form::Moment;
use crate::sql::print;
use crate::sql::quote::{Backslash, When};
use crate::sql::tree::Type;
use crate::target::Target;

/// One thing that is known of a target.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fact {
    /// What it is about.
    pub topic: String,
    /// What the tables say.
    pub answer: String,
}

/// The statements that a session of the target begins with.
pub fn session_settings(target: &Target) -> &'static [Setting] {
    dialect(*target).capabilities.session
}

/// Whether a text can pin a table to a snapshot.
pub fn reads_snapshots(target: &Target) -> bool {
    match dialect(*target).capabilities.pins {
        Pins::BranchSuffixAndVersion | Pins::OptionsHint | Pins::VersionAsOf => true,
        Pins::None { .. } => false,
    }
}

/// Everything that is known, in one order for all targets.
pub fn facts(target: &Target) -> Vec<Fact> {
    let known = dialect(*target);
    let mut facts = types(&known);
    facts.extend(literals(&known));
    facts.extend(syntax(&known.capabilities));
    facts
}

fn fact(topic: impl Into<String>, answer: impl Into<String>) -> Fact {
    Fact { topic: topic.into(), answer: answer.into() }
}

/// The types of the language.
const TYPES: [DataType; 13] = [
    DataType::Boolean,
    DataType::Int8,
    DataType::Int16,
    DataType::Int32,
    DataType::Int64,
    DataType::Decimal { precision: 10, scale: 2 },
    DataType::Float32,
    DataType::Float64,
    DataType::String,
    DataType::Date,
    DataType::Time,
    DataType::Timestamp,
    DataType::TimestampTz,
];

fn types(known: &Dialect) -> Vec<Fact> {
    let named = |data_type| (known.tables.data_type)(data_type).map_or("-".to_string(), |found| code(&found));
    TYPES.map(|data_type| fact(format!("type {data_type}"), named(data_type))).to_vec()
}

fn code(data_type: &Type) -> String {
    quoted(&print::data_type(data_type))
}

fn quoted(text: &str) -> String {
    ["`", text, "`"].concat()
}

fn literals(known: &Dialect) -> Vec<Fact> {
    let print = |expr| quoted(&print::expression(&expr, &known.capabilities.quoting));
    let moment = |kind, text| print((known.tables.moment)(kind, text));
    let time = "2024-01-31 10:11:12";
    vec![
        fact(
            "an integer that is a value",
            match known.capabilities.integer_literal {
                IntegerLiteral::BigInt => "as it is",
                IntegerLiteral::Narrow => "cast to its type",
            },
        ),
        fact(
            "a text that is a value",
            match known.capabilities.string_literal {
                StringLiteral::Text => "as it is",
                StringLiteral::Char => "cast to STRING",
            },
        ),
        fact("the decimal 0.5", print((known.tables.decimal)("0.5", Type::decimal(1, 1)))),
        fact("a date", moment(Moment::Date, "2024-01-31")),
        fact("a time", moment(Moment::Time, "10:11:12")),
        fact("a timestamp", moment(Moment::Timestamp, time)),
        fact("an instant", moment(Moment::TimestampTz, time)),
    ]
}

fn syntax(known: &Capabilities) -> Vec<Fact> {
    let when = match known.quoting.when {
        When::Always => "always",
        When::UnlessPlain => "unless plain and no keyword",
        When::UnlessLowerCase => "unless small letters and no keyword",
    };
    let mark = if known.quoting.identifier == '`' { "by a backtick" } else { "by `\"`" };
    let words = known.quoting.keywords.len();
    vec![
        fact("names are quoted", format!("{mark} {when}; {words} keywords listed")),
        fact(
            "a backslash in a text",
            match known.quoting.backslash {
                Backslash::Plain => "is itself",
                Backslash::Escape => "is doubled",
            },
        ),
        fact(
            "NULLs, if an order does not say it",
            match known.null_order {
                NullOrder::Greatest => "last ascending, first descending",
                NullOrder::Least => "first ascending, last descending",
                NullOrder::Last => "last",
            },
        ),
        fact(
            "NULL-safe equality",
            match known.null_safe_equality {
                NullSafeEquality::IsNotDistinctFrom => "`IS NOT DISTINCT FROM`",
                NullSafeEquality::Spaceship => "`<=>`",
            },
        ),
        fact(
            "two facts side by side",
            match known.full_join {
                FullJoin::Native => "FULL JOIN",
                FullJoin::UnionAndGroup => "UNION ALL and GROUP BY",
            },
        ),
        fact(
            "an aggregate of no rows",
            match known.empty_aggregate {
                EmptyAggregate::OneRow => "one row",
                EmptyAggregate::NoRow => "no row: one is put beside",
            },
        ),
        fact(
            "ORDER BY",
            match known.order_by {
                OrderBy::Sorts => "sorts",
                OrderBy::OnlyWithLimit => "beside LIMIT only",
            },
        ),
        fact("windows", windows(known)),
        fact("a snapshot", pins(known.pins)),
        fact(
            "buckets that close",
            match known.buckets {
                Buckets::Tumble => "`TUMBLE`",
                Buckets::None => "no",
            },
        ),
        fact("digits of a decimal", known.limits.decimal_digits.to_string()),
        fact("digits behind the second", known.limits.fraction_digits.to_string()),
        fact("the greatest LIMIT", known.limits.rows.to_string()),
        fact("the longest text", known.limits.text),
    ]
}

fn windows(known: &Capabilities) -> String {
    let range = match known.range_offsets {
        RangeOffsets::Supported => "",
        RangeOffsets::Absent(_) => ", no RANGE with numbers",
    };
    let order = match known.windows {
        Windows::Free => "any frame and order",
        Windows::Running(RunningOrder::AnyColumn) => "from the first row to this one",
        Windows::Running(RunningOrder::TimeAttribute(_)) => "by a time attribute only: refused",
    };
    [order, range].concat()
}

fn pins(pins: Pins) -> &'static str {
    match pins {
        Pins::BranchSuffixAndVersion => "`t$branch_b VERSION AS OF n`",
        Pins::OptionsHint => "`/*+ OPTIONS('scan.snapshot-id'='n') */`",
        Pins::VersionAsOf => "`VERSION AS OF n`",
        Pins::None { why } => why,
    }
}
