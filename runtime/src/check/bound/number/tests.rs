//! Casts and functions over intervals by hand.

use unisono_compiler::data_type::Exactness;
use unisono_compiler::expr::Expr;

use super::*;

fn span(low: f64, high: f64) -> Estimate {
    Estimate::Span(Span::new(low, f64::midpoint(low, high), high).unwrap())
}

fn point(value: f64) -> Estimate {
    span(value, value)
}

fn ulp(value: f64) -> Estimate {
    Estimate::Span(Span::new(value.next_down(), value, value.next_up()).unwrap())
}

fn apply(function: Scalar, values: &[Estimate]) -> Estimate {
    number(function, values, &[])
}

fn rounded(value: Estimate, digits: &str) -> Estimate {
    let literal = ExprKind::Literal(Literal::Integer(digits.to_string()));
    let digits = Expr::new(literal, DataType::Int64, Exactness::Exact);
    number(Scalar::Round, &[value, Same(Value::Integer(0))], &[digits.clone(), digits])
}

const NULL: Estimate = Same(Value::Null);

#[test]
fn casts_to_double_count_a_unit_for_decimals_and_large_integers() {
    let to = |value: Value| cast(Same(value), DataType::Float64);
    assert_eq!(to(Value::Decimal { unscaled: 250, scale: 2 }), ulp(2.5));
    assert_eq!(to(Value::Integer(7)), point(7.0));
    assert_eq!(to(Value::Integer(9_007_199_254_740_992)), point(9_007_199_254_740_992.0));
    assert_eq!(to(Value::Integer(9_007_199_254_740_993)), ulp(9_007_199_254_740_992.0));
    assert_eq!(to(Value::Float(0.1)), point(0.1));
    assert_eq!(to(Value::Null), NULL);
    assert_eq!(to(Value::Text("1".to_string())), Unknown);
    assert_eq!(cast(span(1.0, 2.0), DataType::Float64), span(1.0, 2.0));
    assert_eq!(cast(span(1.0, 2.0), DataType::Float32), Unknown);
    assert_eq!(cast(span(1.0, 2.0), DataType::String), Unknown);
}

#[test]
fn casts_to_exact_types_want_one_step() {
    assert_eq!(cast(span(1.2, 1.8), DataType::Int64), point(1.0));
    assert_eq!(cast(span(1.8, 2.2), DataType::Int64), Unknown);
    let cents = DataType::Decimal { precision: 10, scale: 2 };
    assert_eq!(cast(span(1.231, 1.234), cents), ulp(1.23));
    assert_eq!(cast(span(1.234, 1.236), cents), Unknown);
}

#[test]
fn rounding_near_a_tie_is_not_known() {
    assert_eq!(rounded(point(2.67), "2"), ulp(2.67));
    // 2.675 as a double lies below the tie by less than a unit, and engines disagree on it.
    assert_eq!(rounded(point(2.675), "2"), Unknown);
    assert_eq!(rounded(point(2.5), "0"), Unknown);
    assert_eq!(rounded(span(2.6, 3.4), "0"), point(3.0));
    assert_eq!(rounded(span(2.4, 2.6), "0"), Unknown);
    assert_eq!(rounded(point(1234.0), "-2"), ulp(1200.0));
    assert_eq!(apply(Scalar::Floor, &[span(1.1, 1.9)]), point(1.0));
    assert_eq!(apply(Scalar::Floor, &[span(1.9, 2.1)]), Unknown);
    assert_eq!(apply(Scalar::Ceiling, &[span(1.1, 1.9)]), point(2.0));
    assert_eq!(apply(Scalar::Truncate, &[span(-1.9, -1.1)]), point(-1.0));
    assert_eq!(apply(Scalar::Sign, &[span(0.1, 5.0)]), point(1.0));
    assert_eq!(apply(Scalar::Sign, &[span(-5.0, -0.1)]), point(-1.0));
    assert_eq!(apply(Scalar::Sign, &[span(-0.1, 0.1)]), Unknown);
    assert_eq!(apply(Scalar::Sign, &[point(0.0)]), point(0.0));
}

#[test]
fn arithmetic_takes_ends_and_null() {
    assert_eq!(apply(Scalar::Add, &[span(1.0, 2.0), point(3.0)]), span(4.0, 5.0));
    assert_eq!(apply(Scalar::Subtract, &[span(1.0, 2.0), span(0.0, 3.0)]), span(-2.0, 2.0));
    assert_eq!(apply(Scalar::Multiply, &[point(3.0), span(-1.0, 1.0)]), span(-3.0, 3.0));
    assert_eq!(apply(Scalar::Add, &[NULL, Unknown]), NULL);
    assert_eq!(apply(Scalar::Add, &[point(1.0), Unknown]), Unknown);
    assert_eq!(apply(Scalar::Add, &[point(1.0), Same(Value::Boolean(true))]), Unknown);
    assert_eq!(apply(Scalar::Modulo, &[point(7.0), point(4.0)]), point(3.0));
    assert_eq!(apply(Scalar::Modulo, &[span(7.0, 7.5), point(4.0)]), Unknown);
    let greatest = Span::new(2.0, 3.0, 5.0).unwrap();
    assert_eq!(apply(Scalar::Greatest, &[span(1.0, 5.0), span(2.0, 3.0)]), Estimate::Span(greatest));
    let least = Span::new(1.0, 2.5, 3.0).unwrap();
    assert_eq!(apply(Scalar::Least, &[span(1.0, 5.0), span(2.0, 3.0)]), Estimate::Span(least));
    assert_eq!(apply(Scalar::Negate, &[span(1.0, 2.0)]), span(-2.0, -1.0));
    assert_eq!(apply(Scalar::Abs, &[span(-2.0, -1.0)]), span(1.0, 2.0));
}

#[test]
fn a_divisor_around_zero_decides_nothing() {
    assert_eq!(apply(Scalar::Divide, &[point(1.0), point(0.0)]), NULL);
    assert_eq!(apply(Scalar::Divide, &[point(1.0), point(-0.0)]), NULL);
    assert_eq!(apply(Scalar::Divide, &[point(1.0), span(-0.5, 0.5)]), Unknown);
    assert_eq!(apply(Scalar::Divide, &[point(1.0), span(0.0, 0.5)]), Unknown);
    assert_eq!(apply(Scalar::Divide, &[point(1.0), span(-1.0, 3.0)]), Unknown);
    assert_eq!(apply(Scalar::Divide, &[point(6.0), point(3.0)]), ulp(2.0));
    assert_eq!(apply(Scalar::Modulo, &[point(1.0), point(0.0)]), NULL);
}

#[test]
fn functions_end_where_their_domain_does() {
    assert_eq!(apply(Scalar::Sqrt, &[point(4.0)]), ulp(2.0));
    assert_eq!(apply(Scalar::Sqrt, &[point(-1.0)]), NULL);
    assert_eq!(apply(Scalar::Sqrt, &[span(-1.0, 1.0)]), Unknown);
    assert_eq!(apply(Scalar::Ln, &[point(1.0)]), ulp(0.0));
    assert_eq!(apply(Scalar::Ln, &[point(0.0)]), NULL);
    assert_eq!(apply(Scalar::Ln, &[span(0.0, 1.0)]), Unknown);
    assert_eq!(apply(Scalar::Log10, &[point(-3.0)]), NULL);
    assert_eq!(apply(Scalar::Exp, &[point(0.0)]), ulp(1.0));
    assert_eq!(apply(Scalar::Exp, &[point(710.0)]), NULL);
    assert_eq!(apply(Scalar::Exp, &[span(708.0, 710.0)]), Unknown);
    // Engines are guarded at 709 and not where the double ends.
    assert_eq!(apply(Scalar::Exp, &[span(708.0, 709.5)]), Unknown);
    assert_eq!(apply(Scalar::Power, &[point(2.0), point(3.0)]), ulp(8.0));
    assert_eq!(apply(Scalar::Power, &[span(-1.0, 2.0), point(3.0)]), Unknown);
    assert_eq!(apply(Scalar::Sin, &[point(0.0)]), ulp(0.0));
    assert_eq!(apply(Scalar::Sin, &[span(0.0, 1.0)]), Unknown);
    assert_eq!(apply(Scalar::Asin, &[point(2.0)]), NULL);
    assert_eq!(apply(Scalar::Asin, &[span(0.5, 1.5)]), Unknown);
    let Estimate::Span(falling) = apply(Scalar::Acos, &[span(0.0, 1.0)]) else { panic!("no interval") };
    assert!(falling.low < 0.0 && falling.high > std::f64::consts::FRAC_PI_2 && falling.low < falling.high);
    assert_eq!(apply(Scalar::Log, &[point(1.0), point(2.0)]), Unknown);
    let Estimate::Span(three) = apply(Scalar::Log, &[point(2.0), point(8.0)]) else { panic!("no interval") };
    assert!(three.contains(3.0) && three.radius() < 1e-14);
    assert_eq!(apply(Scalar::Length, &[point(1.0)]), Unknown);
}
