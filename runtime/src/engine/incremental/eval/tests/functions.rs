//! Scalar functions without a unit: one row an example.

use unisono_compiler::data_type::DataType;
use unisono_compiler::function::{Function, Scalar};

use super::*;

const MAX: i64 = i64::MAX;
const MIN: i64 = i64::MIN;
const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

type Example = (Scalar, Vec<Value>, DataType, &'static str);

fn numbers() -> Vec<Example> {
    let nines = 10_i128.pow(38) - 1;
    vec![
        (Scalar::Add, vec![int(2), int(3)], INT, "5"),
        (Scalar::Add, vec![int(2), NULL], INT, "NULL"),
        (Scalar::Add, vec![int(MAX), int(1)], INT, "overflow"),
        (Scalar::Add, vec![int(MIN), int(-1)], INT, "overflow"),
        (Scalar::Add, vec![dec(150, 2), dec(25, 1)], decimal(12, 2), "4.00"),
        (Scalar::Add, vec![dec(nines, 0), dec(1, 0)], decimal(38, 0), "overflow"),
        (Scalar::Add, vec![dec(nines, 0), dec(nines, 38)], decimal(38, 38), "overflow"),
        (Scalar::Add, vec![float(0.5), float(0.25)], DOUBLE, "0.75"),
        (Scalar::Add, vec![float(1e308), float(1e308)], DOUBLE, "inf"),
        (Scalar::Subtract, vec![int(2), int(3)], INT, "-1"),
        (Scalar::Subtract, vec![int(MIN), int(1)], INT, "overflow"),
        (Scalar::Subtract, vec![dec(100, 2), dec(1, 3)], decimal(12, 3), "0.999"),
        (Scalar::Multiply, vec![int(-4), int(5)], INT, "-20"),
        (Scalar::Multiply, vec![int(MIN), int(-1)], INT, "overflow"),
        (Scalar::Multiply, vec![dec(150, 2), dec(-20, 1)], decimal(21, 3), "-3.000"),
        (Scalar::Multiply, vec![dec(nines, 0), dec(10, 0)], decimal(38, 0), "overflow"),
        (
            Scalar::Multiply,
            vec![dec(10_i128.pow(20), 0), dec(10_i128.pow(20), 0)],
            decimal(38, 0),
            "overflow",
        ),
        (Scalar::Divide, vec![int(5), int(2)], DOUBLE, "2.5"),
        (Scalar::Divide, vec![dec(455, 0), int(5)], DOUBLE, "91.0"),
        (Scalar::Divide, vec![int(1), int(0)], DOUBLE, "NULL"),
        (Scalar::Divide, vec![float(1.0), float(-0.0)], DOUBLE, "NULL"),
        (Scalar::Divide, vec![float(0.0), float(0.0)], DOUBLE, "NULL"),
        (Scalar::Divide, vec![NULL, float(2.0)], DOUBLE, "NULL"),
        (Scalar::Modulo, vec![int(-7), int(3)], INT, "-1"),
        (Scalar::Modulo, vec![int(7), int(-3)], INT, "1"),
        (Scalar::Modulo, vec![int(7), int(0)], INT, "NULL"),
        (Scalar::Modulo, vec![int(MIN), int(-1)], INT, "0"),
        (Scalar::Modulo, vec![dec(725, 2), dec(2, 0)], decimal(5, 2), "1.25"),
        (Scalar::Modulo, vec![float(-7.5), float(2.0)], DOUBLE, "-1.5"),
        (Scalar::Negate, vec![int(5)], INT, "-5"),
        (Scalar::Negate, vec![int(MIN)], INT, "overflow"),
        (Scalar::Negate, vec![dec(-150, 2)], decimal(5, 2), "1.50"),
        (Scalar::Negate, vec![float(1.5)], DOUBLE, "-1.5"),
        (Scalar::Abs, vec![int(-5)], INT, "5"),
        (Scalar::Abs, vec![int(MIN)], INT, "overflow"),
        (Scalar::Abs, vec![int(-128)], DataType::Int8, "overflow"),
        (Scalar::Abs, vec![dec(-150, 2)], decimal(5, 2), "1.50"),
        (Scalar::Round, vec![dec(25, 1)], decimal(2, 0), "3"),
        (Scalar::Round, vec![dec(-25, 1)], decimal(2, 0), "-3"),
        (Scalar::Round, vec![dec(24, 1)], decimal(2, 0), "2"),
        (Scalar::Round, vec![dec(1005, 3), int(2)], decimal(4, 2), "1.01"),
        (Scalar::Round, vec![dec(-1005, 3), int(2)], decimal(4, 2), "-1.01"),
        (Scalar::Round, vec![dec(15, 1), int(5)], decimal(3, 1), "1.5"),
        (Scalar::Round, vec![dec(12550, 2), int(-1)], decimal(4, 0), "130"),
        (Scalar::Round, vec![dec(5, 0), int(-38)], decimal(2, 0), "0"),
        (Scalar::Round, vec![dec(nines, 38), int(-38)], decimal(2, 0), "0"),
        (Scalar::Round, vec![int(125), int(-1)], INT, "130"),
        (Scalar::Round, vec![int(-125), int(-1)], INT, "-130"),
        (Scalar::Round, vec![int(MAX), int(-1)], INT, "overflow"),
        (Scalar::Round, vec![int(7), int(3)], INT, "7"),
        (Scalar::Round, vec![float(2.5)], DOUBLE, "3.0"),
        (Scalar::Round, vec![float(-2.5), int(0)], DOUBLE, "-3.0"),
        (Scalar::Round, vec![float(0.125), int(2)], DOUBLE, "0.13"),
        (Scalar::Round, vec![float(125.0), int(-1)], DOUBLE, "130.0"),
        (Scalar::Round, vec![float(INF), int(2)], DOUBLE, "inf"),
        (Scalar::Round, vec![float(1e300), int(2)], DOUBLE, "1e300"),
        (Scalar::Floor, vec![dec(-250, 2)], decimal(2, 0), "-3"),
        (Scalar::Floor, vec![dec(250, 2)], decimal(2, 0), "2"),
        (Scalar::Floor, vec![int(-3)], INT, "-3"),
        (Scalar::Floor, vec![float(-2.5)], DOUBLE, "-3.0"),
        (Scalar::Ceiling, vec![dec(-250, 2)], decimal(2, 0), "-2"),
        (Scalar::Ceiling, vec![dec(201, 2)], decimal(2, 0), "3"),
        (Scalar::Ceiling, vec![float(-0.5)], DOUBLE, "0.0"),
        (Scalar::Truncate, vec![dec(-259, 2), int(1)], decimal(3, 1), "-2.5"),
        (Scalar::Truncate, vec![int(-129), int(-1)], INT, "-120"),
        (Scalar::Truncate, vec![float(2.3), int(1)], DOUBLE, "2.3"),
        (Scalar::Truncate, vec![float(-2.75)], DOUBLE, "-2.0"),
        (Scalar::Sign, vec![int(-9)], INT, "-1"),
        (Scalar::Sign, vec![dec(1, 9)], INT, "1"),
        (Scalar::Sign, vec![float(-0.0)], INT, "0"),
        (Scalar::Sign, vec![float(NAN)], INT, "NULL"),
        (Scalar::Greatest, vec![int(1), int(3), int(2)], INT, "3"),
        (Scalar::Greatest, vec![int(1), NULL, int(3)], INT, "NULL"),
        (Scalar::Greatest, vec![float(1.0), float(NAN)], DOUBLE, "NaN"),
        (Scalar::Least, vec![text("b"), text("B"), text("a")], TEXT, "'B'"),
        (Scalar::Least, vec![NULL, int(3)], INT, "NULL"),
    ]
}

fn mathematics() -> Vec<Example> {
    let one = |function, x: f64, expected| (function, vec![float(x)], DOUBLE, expected);
    let two = |function, x: f64, y: f64, expected| (function, vec![float(x), float(y)], DOUBLE, expected);
    vec![
        two(Scalar::Power, 2.0, 10.0, "1024.0"),
        two(Scalar::Power, -8.0, 1.0 / 3.0, "NULL"),
        two(Scalar::Power, 10.0, 400.0, "NULL"),
        two(Scalar::Power, 0.0, -1.0, "NULL"),
        one(Scalar::Sqrt, 2.25, "1.5"),
        one(Scalar::Sqrt, -1.0, "NULL"),
        one(Scalar::Exp, 0.0, "1.0"),
        one(Scalar::Exp, 1000.0, "NULL"),
        one(Scalar::Ln, 1.0, "0.0"),
        one(Scalar::Ln, 0.0, "NULL"),
        one(Scalar::Ln, -1.0, "NULL"),
        one(Scalar::Log10, 1000.0, "3.0"),
        one(Scalar::Log10, 0.0, "NULL"),
        two(Scalar::Log, 2.0, 8.0, "3.0"),
        two(Scalar::Log, 1.0, 8.0, "NULL"),
        two(Scalar::Log, 0.0, 8.0, "NULL"),
        two(Scalar::Log, 2.0, 0.0, "NULL"),
        one(Scalar::Sin, 0.0, "0.0"),
        one(Scalar::Sin, INF, "NULL"),
        one(Scalar::Cos, 0.0, "1.0"),
        one(Scalar::Tan, 0.0, "0.0"),
        one(Scalar::Asin, 1.0, "1.5707963267948966"),
        one(Scalar::Asin, 2.0, "NULL"),
        one(Scalar::Acos, 1.0, "0.0"),
        one(Scalar::Acos, -1.5, "NULL"),
        one(Scalar::Atan, 0.0, "0.0"),
        one(Scalar::Atan, INF, "1.5707963267948966"),
        two(Scalar::Atan2, 0.0, -1.0, "3.141592653589793"),
        two(Scalar::Atan2, 1.0, 2.0, "0.4636476090008061"),
        one(Scalar::Radians, 180.0, "3.141592653589793"),
        one(Scalar::Degrees, 0.0, "0.0"),
        (Scalar::Pi, vec![], DOUBLE, "3.141592653589793"),
        (Scalar::Sqrt, vec![NULL], DOUBLE, "NULL"),
    ]
}

fn conditions() -> Vec<Example> {
    let two = |function, left, right, expected| (function, vec![left, right], FLAG, expected);
    vec![
        two(Scalar::Equal, int(1), dec(100, 2), "true"),
        two(Scalar::Equal, NULL, NULL, "NULL"),
        two(Scalar::Equal, text("x"), text("x "), "false"),
        two(Scalar::Equal, float(NAN), float(NAN), "true"),
        two(Scalar::Equal, float(-0.0), float(0.0), "true"),
        two(
            Scalar::Equal,
            int(1),
            text("1"),
            "inconsistent plan: Integer(1) cannot be compared with Text(\"1\")",
        ),
        two(Scalar::NotEqual, int(1), int(2), "true"),
        two(Scalar::NotEqual, int(1), NULL, "NULL"),
        two(Scalar::Less, flag(false), flag(true), "true"),
        two(Scalar::Less, text("Z"), text("a"), "true"),
        two(Scalar::Less, NULL, int(1), "NULL"),
        two(Scalar::LessEqual, dec(99, 2), dec(1, 0), "true"),
        two(Scalar::Greater, float(NAN), float(INF), "true"),
        two(Scalar::Greater, date("2024-02-29"), date("2024-03-01"), "false"),
        two(Scalar::GreaterEqual, int(MIN), int(MIN), "true"),
        two(Scalar::IsDistinctFrom, NULL, NULL, "false"),
        two(Scalar::IsDistinctFrom, NULL, int(1), "true"),
        two(Scalar::IsDistinctFrom, int(1), int(1), "false"),
        two(Scalar::IsNotDistinctFrom, NULL, NULL, "true"),
        two(Scalar::IsNotDistinctFrom, int(1), NULL, "false"),
        (Scalar::IsNull, vec![NULL], FLAG, "true"),
        (Scalar::IsNull, vec![text("")], FLAG, "false"),
        (Scalar::IsNotNull, vec![NULL], FLAG, "false"),
        two(Scalar::And, flag(true), flag(true), "true"),
        two(Scalar::And, flag(true), NULL, "NULL"),
        two(Scalar::And, NULL, flag(false), "false"),
        two(Scalar::Or, flag(false), flag(false), "false"),
        two(Scalar::Or, NULL, flag(true), "true"),
        two(Scalar::Or, NULL, flag(false), "NULL"),
        (Scalar::Not, vec![flag(true)], FLAG, "false"),
        (Scalar::Not, vec![NULL], FLAG, "NULL"),
        (Scalar::Coalesce, vec![NULL, int(2), int(3)], INT, "2"),
        (Scalar::Coalesce, vec![NULL, NULL], INT, "NULL"),
        (Scalar::NullIf, vec![int(1), int(1)], INT, "NULL"),
        (Scalar::NullIf, vec![int(1), int(2)], INT, "1"),
        (Scalar::NullIf, vec![int(1), NULL], INT, "1"),
        (Scalar::NullIf, vec![NULL, int(1)], INT, "NULL"),
    ]
}

fn texts() -> Vec<Example> {
    let s = text;
    vec![
        (Scalar::Concat, vec![s("a"), s("b"), s("c")], TEXT, "'abc'"),
        (Scalar::Concat, vec![s("a"), NULL], TEXT, "NULL"),
        (Scalar::Length, vec![s("Zürich")], INT, "6"),
        (Scalar::Length, vec![s("")], INT, "0"),
        (Scalar::Upper, vec![s("aZ9é")], TEXT, "'AZ9É'"),
        (Scalar::Upper, vec![s("straße")], TEXT, "'STRAßE'"),
        (Scalar::Lower, vec![s("aZ9É")], TEXT, "'az9é'"),
        (Scalar::Trim, vec![s(" \t a ")], TEXT, "'\t a'"),
        (Scalar::Trim, vec![s("xxaxbx"), s("x")], TEXT, "'axb'"),
        (Scalar::TrimLeading, vec![s("  a ")], TEXT, "'a '"),
        (Scalar::TrimTrailing, vec![s(" a  ")], TEXT, "' a'"),
        (Scalar::Substring, vec![s("hällo"), int(2), int(3)], TEXT, "'äll'"),
        (Scalar::Substring, vec![s("abc"), int(2)], TEXT, "'bc'"),
        (Scalar::Substring, vec![s("abc"), int(9)], TEXT, "''"),
        (Scalar::Substring, vec![s("abc"), int(1), int(0)], TEXT, "''"),
        (Scalar::Substring, vec![s("abc"), int(1), int(MAX)], TEXT, "'abc'"),
        (Scalar::Substring, vec![s("abc"), int(0)], TEXT, "NULL"),
        (Scalar::Substring, vec![s("abc"), int(1), int(-1)], TEXT, "NULL"),
        (Scalar::Left, vec![s("éab"), int(2)], TEXT, "'éa'"),
        (Scalar::Left, vec![s("abc"), int(9)], TEXT, "'abc'"),
        (Scalar::Left, vec![s("abc"), int(-1)], TEXT, "NULL"),
        (Scalar::Right, vec![s("abé"), int(2)], TEXT, "'bé'"),
        (Scalar::Right, vec![s("abc"), int(0)], TEXT, "''"),
        (Scalar::Right, vec![s("abc"), int(-1)], TEXT, "NULL"),
        (Scalar::Replace, vec![s("aXbX"), s("X"), s("--")], TEXT, "'a--b--'"),
        (Scalar::Replace, vec![s("abc"), s(""), s("x")], TEXT, "NULL"),
        (Scalar::SplitPart, vec![s("a-b-c"), s("-"), int(2)], TEXT, "'b'"),
        (Scalar::SplitPart, vec![s("a-b-c"), s("-"), int(4)], TEXT, "''"),
        (Scalar::SplitPart, vec![s("a-b"), s("-"), int(0)], TEXT, "NULL"),
        (Scalar::SplitPart, vec![s("a-b"), s(""), int(1)], TEXT, "NULL"),
        (Scalar::SplitPart, vec![NULL, s("-"), int(1)], TEXT, "NULL"),
        (Scalar::Position, vec![s("l"), s("hällo")], INT, "3"),
        (Scalar::Position, vec![s("z"), s("hällo")], INT, "0"),
        (Scalar::Position, vec![s(""), s("abc")], INT, "1"),
        (Scalar::Contains, vec![s("abc"), s("bc")], FLAG, "true"),
        (Scalar::Contains, vec![s("abc"), s("")], FLAG, "true"),
        (Scalar::StartsWith, vec![s("abc"), s("ab")], FLAG, "true"),
        (Scalar::StartsWith, vec![s("abc"), s("b")], FLAG, "false"),
        (Scalar::EndsWith, vec![s("abc"), s("c")], FLAG, "true"),
        (Scalar::EndsWith, vec![s("abc"), NULL], FLAG, "NULL"),
        (Scalar::Like, vec![s("abc"), s("a%")], FLAG, "true"),
        (Scalar::Like, vec![s("abc"), s("A%")], FLAG, "false"),
        (Scalar::Like, vec![s("aéc"), s("a_c")], FLAG, "true"),
        (Scalar::Like, vec![s("abc"), s("ab")], FLAG, "false"),
        (Scalar::Like, vec![s("ab"), s("ab_")], FLAG, "false"),
        (Scalar::Like, vec![s(""), s("%")], FLAG, "true"),
        (Scalar::Like, vec![s("aabab"), s("%ab")], FLAG, "true"),
        (Scalar::Like, vec![s("abcbd"), s("a%b_")], FLAG, "true"),
        (Scalar::Like, vec![s("a.c"), s("a.%%c")], FLAG, "true"),
        (Scalar::Like, vec![s("abc"), s("a.c")], FLAG, "false"),
        (Scalar::Like, vec![s("a\nb"), s("a%b")], FLAG, "true"),
        (Scalar::ILike, vec![s("ABC"), s("a%")], FLAG, "true"),
        (Scalar::ILike, vec![s("xBC"), s("A%")], FLAG, "false"),
        (Scalar::RegexpLike, vec![s("xaab"), s("a+b")], FLAG, "true"),
        (Scalar::RegexpLike, vec![s("xaab"), s("^a+b$")], FLAG, "false"),
        (Scalar::RegexpLike, vec![NULL, s("a")], FLAG, "NULL"),
        (Scalar::RegexpReplace, vec![s("a1b22"), s("[0-9]+"), s("#")], TEXT, "'a#b#'"),
        (Scalar::RegexpReplace, vec![s("ab"), s("(a)"), s("$1$1")], TEXT, "'$1$1b'"),
        (Scalar::RegexpExtract, vec![s("a12b3"), s("[0-9]+")], TEXT, "'12'"),
        (Scalar::RegexpExtract, vec![s("abc"), s("[0-9]+")], TEXT, "NULL"),
        (Scalar::RegexpCount, vec![s("a1b22"), s("[0-9]+")], INT, "2"),
        (Scalar::RegexpCount, vec![s("abc"), s("[0-9]")], INT, "0"),
        (Scalar::Initcap, vec![s("hello wORLD-2go")], TEXT, "'Hello World-2go'"),
        (Scalar::Reverse, vec![s("abé")], TEXT, "'éba'"),
        (Scalar::Repeat, vec![s("ab"), int(3)], TEXT, "'ababab'"),
        (Scalar::Repeat, vec![s("ab"), int(0)], TEXT, "''"),
        (Scalar::Repeat, vec![s("ab"), int(-1)], TEXT, "NULL"),
        (Scalar::Repeat, vec![s("ab"), int(MAX)], TEXT, "overflow"),
        (Scalar::PadLeft, vec![s("5"), int(3), s("0")], TEXT, "'005'"),
        (Scalar::PadLeft, vec![s("x"), int(4), s("ab")], TEXT, "'abax'"),
        (Scalar::PadLeft, vec![s("abc"), int(2), s("0")], TEXT, "'ab'"),
        (Scalar::PadLeft, vec![s("abc"), int(-1), s("0")], TEXT, "NULL"),
        (Scalar::PadLeft, vec![s("abc"), int(5), s("")], TEXT, "NULL"),
        (Scalar::PadLeft, vec![s("abc"), int(MAX), s("0")], TEXT, "overflow"),
        (Scalar::PadRight, vec![s("é"), int(3), s("ab")], TEXT, "'éab'"),
        (Scalar::PadRight, vec![s("abc"), int(0), s("x")], TEXT, "''"),
        (Scalar::ToDate, vec![s("2024-02-29")], DataType::Date, "date 2024-02-29"),
        (Scalar::ToDate, vec![s("2024-02-30")], DataType::Date, "NULL"),
        (Scalar::ToDate, vec![s("2024-1-5")], DataType::Date, "NULL"),
        (
            Scalar::ToTimestamp,
            vec![s("2024-01-05 10:00:00.5")],
            DataType::Timestamp,
            "timestamp 2024-01-05 10:00:00.500000",
        ),
        (
            Scalar::ToTimestamp,
            vec![s("2024-01-05")],
            DataType::Timestamp,
            "timestamp 2024-01-05 00:00:00.000000",
        ),
        (Scalar::ToTimestamp, vec![s("2024-01-05T10:00:00")], DataType::Timestamp, "NULL"),
        (Scalar::ToTimestamp, vec![s("2024-01-05 10:00")], DataType::Timestamp, "NULL"),
    ]
}

fn all() -> Vec<Example> {
    [numbers(), mathematics(), conditions(), texts()].concat()
}

#[test]
fn every_function_has_its_values() {
    for (function, values, to, expected) in all() {
        let found = apply(Function::Scalar(function), &values, to);
        assert_eq!(found, expected, "{} of {values:?} as {to}", function.name());
    }
}

#[test]
fn no_function_lacks_an_example() {
    let examples = all();
    let lacking: Vec<&str> = Scalar::ALL
        .iter()
        .filter(|function| !examples.iter().any(|(shown, ..)| shown == *function))
        .map(|function| function.name())
        .collect();
    assert_eq!(lacking, Vec::<&str>::new());
}

#[test]
fn a_null_argument_gives_null_but_where_nulls_are_looked_at() {
    for (function, values, to, _) in all() {
        let decides = [
            Scalar::IsNull,
            Scalar::IsNotNull,
            Scalar::IsDistinctFrom,
            Scalar::IsNotDistinctFrom,
            Scalar::And,
            Scalar::Or,
            Scalar::Coalesce,
            Scalar::NullIf,
        ];
        if decides.contains(&function) || values.is_empty() {
            continue;
        }
        let mut nulled = values.clone();
        nulled[0] = NULL;
        assert_eq!(apply(Function::Scalar(function), &nulled, to), "NULL", "{}", function.name());
    }
}

#[test]
fn decimals_become_the_nearest_float() {
    for (unscaled, scale, expected) in [
        (1, 1, "0.1"),
        (3, 1, "0.3"),
        (12_345_678_901_234_567_i128, 2, "123456789012345.67"),
        (9_007_199_254_740_993, 0, "9007199254740992.0"),
        (1, 38, "1e-38"),
        (-10_i128.pow(37), 0, "-1e37"),
    ] {
        assert_eq!(
            apply(Function::Scalar(Scalar::Divide), &[dec(unscaled, scale), int(1)], DOUBLE),
            expected
        );
    }
}
