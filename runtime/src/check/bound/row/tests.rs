//! Errors of rows by hand.

use unisono_compiler::expr::print_typed;
use unisono_compiler::query::{Bound, Shape};

use super::*;
use crate::check::sample::{by_region, model};

/// Units and magnitude of the argument of SUM(`text`).
fn error(text: &str) -> Option<(f64, String)> {
    let resolved = model();
    let Bound { shape: Shape::Aggregation(request), zone: _, now: _ } =
        by_region(&resolved, &[&format!("SUM({text})")])
    else {
        panic!("no aggregation")
    };
    let argument = request.aggregates[0].aggregate.arguments[0].clone();
    let name = |reference: &Reference| match reference {
        Reference::Field(field) => resolved.model.fields[*field].name.text.clone(),
        Reference::Column(_) | Reference::Metric(_) | Reference::Now => "?".to_string(),
    };
    row_error(&argument, &resolved)
        .map(|found| (found.ulps, print_typed(&found.magnitude_of(&argument), &name)))
}

fn ulps(text: &str) -> Option<f64> {
    error(text).map(|(ulps, _)| ulps)
}

#[test]
fn equal_inputs_of_one_operation_are_equal() {
    assert_eq!(error("orders.weight"), Some((0.0, "ABS(weight)".to_string())));
    for text in [
        "orders.weight + 1e0",
        "orders.weight * orders.weight - orders.weight",
        "ABS(-orders.weight)",
        "SQRT(orders.weight)",
        "COALESCE(orders.weight, 0e0)",
        "CASE WHEN orders.amount > 5 THEN orders.weight END",
    ] {
        assert_eq!(ulps(text), Some(0.0), "{text}");
    }
}

#[test]
fn casts_divisions_and_functions_count_one() {
    assert_eq!(ulps("CAST(orders.amount AS DOUBLE)"), Some(1.0));
    assert_eq!(ulps("CAST(orders.id AS DOUBLE)"), Some(1.0));
    assert_eq!(ulps("orders.price"), Some(1.0));
    assert_eq!(ulps("orders.weight / 3e0"), Some(1.0));
    assert_eq!(ulps("LN(orders.weight)"), Some(1.0));
    assert_eq!(ulps("SIN(orders.weight)"), Some(1.0));
}

#[test]
fn errors_add_up() {
    assert_eq!(ulps("orders.price * orders.price"), Some(3.0));
    assert_eq!(ulps("orders.price / orders.price"), Some(3.0));
    assert_eq!(ulps("-orders.price"), Some(1.0));
    assert_eq!(ulps("SQRT(orders.price)"), Some(1.5));
    assert_eq!(ulps("CASE WHEN orders.amount > 5 THEN orders.price ELSE orders.weight END"), Some(1.0));
}

#[test]
fn the_magnitude_of_a_sum_is_that_of_its_terms() {
    let of_terms = error("orders.price - orders.weight");
    assert_eq!(of_terms, Some((2.0, "(ABS(price) + ABS(weight))".to_string())));
    let product = error("(orders.price - orders.weight) * orders.weight");
    assert_eq!(product, Some((3.0, "((ABS(price) + ABS(weight)) * ABS(weight))".to_string())));
    let quotient = error("(orders.price + orders.weight) / orders.weight");
    assert_eq!(quotient, Some((3.0, "((ABS(price) + ABS(weight)) / ABS(weight))".to_string())));
    let logarithm = error("LN(orders.price)");
    assert_eq!(logarithm, Some((2.0, "(ABS(LN(price)) + 1e0)".to_string())));
    let case = error("CASE WHEN orders.amount > 5 THEN orders.price - orders.weight ELSE orders.weight END");
    let magnitude = "CASE WHEN (amount > 5) THEN (ABS(price) + ABS(weight)) ELSE ABS(weight) END";
    assert_eq!(case, Some((2.0, magnitude.to_string())));
}

#[test]
fn some_errors_are_not_known() {
    for text in [
        // The magnitude is over columns that only the dataset itself reads.
        "orders.gain",
        "orders.weight / (orders.price - orders.weight)",
        "SIN(orders.price)",
        "LN(orders.price - orders.weight)",
        "FLOOR(orders.price)",
        "ROUND(orders.weight, 2)",
        "CASE WHEN orders.price > 5e0 THEN orders.weight END",
        "COALESCE(orders.price, 0e0)",
        "CAST(orders.price AS DECIMAL(10,2))",
    ] {
        assert_eq!(error(text), None, "{text}");
    }
}
