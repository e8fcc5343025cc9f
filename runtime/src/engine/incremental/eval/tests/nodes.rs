//! Nodes that are no calls: constants, casts, CASE, IN; and what they do not look at.

use unisono_compiler::data_type::DataType;
use unisono_compiler::expr::{Aggregate, ExprKind, Literal};
use unisono_compiler::function::{AggregateFunction, Function, Scalar};

use super::*;

fn casted(value: Value, to: DataType) -> String {
    show(eval(&node(ExprKind::Cast { operand: slot(0) }, to), &[value]))
}

#[test]
fn constants_are_read_by_their_type() {
    let s = str::to_string;
    for (literal, data_type, expected) in [
        (Literal::Null, INT, "NULL"),
        (Literal::Boolean(true), FLAG, "true"),
        (Literal::Integer(s("-9223372036854775808")), INT, "-9223372036854775808"),
        (Literal::Integer(s("5")), decimal(5, 2), "5.00"),
        (Literal::Decimal(s("5")), decimal(5, 2), "5.00"),
        (Literal::Decimal(s("-0.50")), decimal(2, 2), "-0.50"),
        (
            Literal::Decimal(s("99999999999999999999999999999999999999")),
            decimal(38, 0),
            "99999999999999999999999999999999999999",
        ),
        (Literal::Float(s("-1.5e2")), DOUBLE, "-150.0"),
        (Literal::String(s("it's")), TEXT, "'it's'"),
        (Literal::Date(s("2024-02-29")), DataType::Date, "date 2024-02-29"),
        (Literal::Time(s("01:02:03.5")), DataType::Time, "01:02:03.500000"),
        (
            Literal::Timestamp(s("2024-02-29 01:02:03")),
            DataType::Timestamp,
            "timestamp 2024-02-29 01:02:03.000000",
        ),
        (
            Literal::Timestamp(s("1969-12-31 23:59:59.999999")),
            DataType::TimestampTz,
            "instant 1969-12-31 23:59:59.999999",
        ),
        (
            Literal::Date(s("2024-02-30")),
            DataType::Date,
            "inconsistent plan: Date(\"2024-02-30\") is no Date",
        ),
    ] {
        assert_eq!(show(eval(&constant(literal, data_type), &[])), expected);
    }
}

#[test]
fn casts_give_null_where_a_value_does_not_fit() {
    let t = text;
    for (value, to, expected) in [
        (NULL, INT, "NULL"),
        (float(1.9), INT, "1"),
        (float(-1.9), INT, "-1"),
        (float(1e19), INT, "NULL"),
        (float(f64::NAN), INT, "NULL"),
        (float(9_223_372_036_854_775_807.0), INT, "NULL"),
        (float(-9_223_372_036_854_775_808.0), INT, "-9223372036854775808"),
        (dec(29, 1), INT, "2"),
        (dec(-29, 1), INT, "-2"),
        (int(3_000_000_000), DataType::Int32, "NULL"),
        (int(-128), DataType::Int8, "-128"),
        (int(128), DataType::Int8, "NULL"),
        (int(32_768), DataType::Int16, "NULL"),
        (flag(true), INT, "1"),
        (t("-012"), INT, "-12"),
        (t("+7"), INT, "7"),
        (t(" 12 "), INT, "NULL"),
        (t("1.9"), INT, "NULL"),
        (t("1.0"), INT, "NULL"),
        (t("1e2"), INT, "NULL"),
        (t(""), INT, "NULL"),
        (t("9223372036854775808"), INT, "NULL"),
        (dec(1005, 3), decimal(5, 2), "1.01"),
        (dec(-1005, 3), decimal(5, 2), "-1.01"),
        (dec(1004, 3), decimal(5, 2), "1.00"),
        (dec(9995, 1), decimal(3, 0), "NULL"),
        (int(1000), decimal(5, 2), "NULL"),
        (int(-999), decimal(5, 2), "-999.00"),
        (int(1), decimal(38, 38), "NULL"),
        (float(0.5), decimal(1, 0), "1"),
        (float(-2.5), decimal(1, 0), "-3"),
        // The nearest double of 2.675 lies below it.
        (float(2.675), decimal(5, 2), "2.67"),
        (float(0.1), decimal(38, 30), "0.100000000000000005551115123126"),
        (float(1e-320), decimal(38, 38), "0.00000000000000000000000000000000000000"),
        (float(1e38), decimal(38, 0), "99999999999999997748809823456034029568"),
        (float(2e38), decimal(38, 0), "NULL"),
        (float(f64::INFINITY), decimal(38, 0), "NULL"),
        (t("1.005"), decimal(5, 2), "1.01"),
        (t("-00.5"), decimal(5, 2), "-0.50"),
        (t(".5"), decimal(5, 2), "NULL"),
        (t("1."), decimal(5, 2), "NULL"),
        (t("1e2"), decimal(5, 2), "NULL"),
        (t("-"), decimal(5, 2), "NULL"),
        (dec(1, 1), DOUBLE, "0.1"),
        (int(9_007_199_254_740_993), DOUBLE, "9007199254740992.0"),
        (t("-1.5e3"), DOUBLE, "-1500.0"),
        (t("inf"), DOUBLE, "NULL"),
        (t("1e999"), DOUBLE, "NULL"),
        (float(0.1), DataType::Float32, "0.10000000149011612"),
        (float(1e300), DataType::Float32, "NULL"),
        (dec(1, 1), DataType::Float32, "0.10000000149011612"),
        (int(-5), TEXT, "'-5'"),
        (dec(-5, 2), TEXT, "'-0.05'"),
        (date("2024-02-29"), TEXT, "'2024-02-29'"),
        (float(1.0), TEXT, "unsupported"),
        (flag(true), TEXT, "unsupported"),
        (moment("2024-02-29"), TEXT, "unsupported"),
        (int(1), FLAG, "true"),
        (int(0), FLAG, "false"),
        (int(2), FLAG, "NULL"),
        (t("true"), FLAG, "true"),
        (t("yes"), FLAG, "NULL"),
        (moment("2024-02-29 23:59:59"), DataType::Date, "date 2024-02-29"),
        (moment("1969-12-31 23:59:59"), DataType::Date, "date 1969-12-31"),
        (instant("2024-02-29 23:59:59"), DataType::Date, "date 2024-02-29"),
        (t("2024-02-29 10:00:00"), DataType::Date, "NULL"),
        (t("0000-01-01"), DataType::Date, "NULL"),
        (date("2024-02-29"), DataType::Timestamp, "timestamp 2024-02-29 00:00:00.000000"),
        (Value::Date(i32::MAX), DataType::Timestamp, "NULL"),
        (t("23:59:59.999999"), DataType::Time, "23:59:59.999999"),
        (t("24:00:00"), DataType::Time, "NULL"),
        (t("10:00"), DataType::Time, "NULL"),
    ] {
        assert_eq!(casted(value.clone(), to), expected, "{value:?} as {to}");
    }
}

fn overflowing() -> SlotExpr {
    let one = constant(Literal::Integer("1".into()), INT);
    let most = constant(Literal::Integer("9223372036854775807".into()), INT);
    call(Function::Scalar(Scalar::Add), vec![most, one], INT)
}

fn number(digits: &str) -> SlotExpr {
    constant(Literal::Integer(digits.into()), INT)
}

#[test]
fn case_takes_the_first_branch_that_is_true_and_looks_no_further() {
    let case = |otherwise| {
        let branches = vec![(slot(0), number("1")), (slot(1), number("2"))];
        node(ExprKind::Case { branches, otherwise }, INT)
    };
    assert_eq!(show(eval(&case(None), &[NULL, flag(true)])), "2");
    assert_eq!(show(eval(&case(None), &[flag(true), flag(true)])), "1");
    assert_eq!(show(eval(&case(None), &[flag(false), NULL])), "NULL");
    assert_eq!(show(eval(&case(Some(overflowing())), &[flag(true), NULL])), "1");
    assert_eq!(show(eval(&case(Some(overflowing())), &[NULL, NULL])), "overflow");
}

#[test]
fn logic_and_coalesce_stop_where_the_answer_is_known() {
    let is_one = call(Function::Scalar(Scalar::Equal), vec![overflowing(), number("1")], FLAG);
    let both = |function| call(Function::Scalar(function), vec![slot(0), is_one.clone()], FLAG);
    assert_eq!(show(eval(&both(Scalar::And), &[flag(false)])), "false");
    assert_eq!(show(eval(&both(Scalar::And), &[flag(true)])), "overflow");
    assert_eq!(show(eval(&both(Scalar::Or), &[flag(true)])), "true");
    let coalesce = call(Function::Scalar(Scalar::Coalesce), vec![slot(0), overflowing()], INT);
    assert_eq!(show(eval(&coalesce, &[int(3)])), "3");
}

#[test]
fn in_keeps_the_meaning_of_null() {
    let within = |negated| {
        let list = vec![number("2"), slot(1)];
        node(ExprKind::InList { operand: slot(0), list, negated }, FLAG)
    };
    for (operand, item, plain, negated) in [
        (int(2), NULL, "true", "false"),
        (int(1), NULL, "NULL", "NULL"),
        (int(1), int(3), "false", "true"),
        (int(3), int(3), "true", "false"),
        (NULL, int(3), "NULL", "NULL"),
    ] {
        let row = [operand, item];
        assert_eq!(show(eval(&within(false), &row)), plain, "{row:?}");
        assert_eq!(show(eval(&within(true), &row)), negated, "{row:?}");
    }
}

#[test]
fn aggregates_have_a_place_or_none() {
    let count = Aggregate {
        function: AggregateFunction::CountRows,
        arguments: vec![],
        distinct: false,
        order_by: vec![],
    };
    let expr =
        call(Function::Scalar(Scalar::Add), vec![node(ExprKind::Aggregate(count), INT), number("1")], INT);
    assert_eq!(show(eval(&expr, &[])), "unsupported");
    let placed = prepare(&expr, &|expr| matches!(*expr.kind, ExprKind::Aggregate(_)).then_some(0));
    assert_eq!(show(placed.unwrap().eval(&[int(41)])), "42");
    assert!(prepare(&slot(7), &|_| None).is_err());
}

#[test]
fn patterns_are_constants() {
    let search = |pattern| call(Function::Scalar(Scalar::RegexpLike), vec![slot(0), pattern], FLAG);
    assert_eq!(show(eval(&search(slot(1)), &[text("a"), text("a")])), "unsupported");
    let broken = constant(Literal::String("(a".into()), TEXT);
    assert_eq!(show(eval(&search(broken), &[text("a")])), "unsupported");
}
