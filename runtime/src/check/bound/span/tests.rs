//! Intervals by hand.

use super::*;

fn span(low: f64, middle: f64, high: f64) -> Span {
    Span::new(low, middle, high).unwrap()
}

#[test]
fn sums_and_products_take_the_ends() {
    let (a, b) = (span(1.0, 2.0, 3.0), span(-1.0, 0.5, 4.0));
    assert_eq!(a.add(b), Some(span(0.0, 2.5, 7.0)));
    assert_eq!(b.negated(), span(-4.0, -0.5, 1.0));
    assert_eq!(a.multiply(b), Some(span(-3.0, 1.0, 12.0)));
    assert_eq!(span(-3.0, -2.0, -1.0).multiply(span(-5.0, -4.0, -2.0)), Some(span(2.0, 8.0, 15.0)));
    assert_eq!(span(-3.0, -1.0, 2.0).absolute(), span(0.0, 1.0, 3.0));
    assert_eq!(span(-3.0, -2.0, -1.0).absolute(), span(1.0, 2.0, 3.0));
    assert_eq!(span(1.0, 2.0, 3.0).absolute(), span(1.0, 2.0, 3.0));
}

#[test]
fn equal_operands_stay_points_but_for_divisions() {
    let (a, b) = (Span::point(0.1).unwrap(), Span::point(3.0).unwrap());
    assert!(a.add(b).unwrap().is_point() && a.multiply(b).unwrap().is_point());
    let quotient = Span::point(6.0).unwrap().divide(b).unwrap();
    assert_eq!((quotient.low, quotient.high), (2.0_f64.next_down(), 2.0_f64.next_up()));
    let wide = span(2.0, 4.0, 8.0).divide(span(1.0, 2.0, 4.0)).unwrap();
    assert_eq!((wide.low, wide.middle, wide.high), (0.5_f64.next_down(), 2.0, 8.0_f64.next_up()));
}

#[test]
fn the_radius_is_the_farther_end() {
    assert!((span(1.0, 2.0, 5.0).radius() - 3.0).abs() < f64::EPSILON);
    assert!((span(-4.0, 2.0, 3.0).radius() - 6.0).abs() < f64::EPSILON);
    assert!(span(2.0, 2.0, 2.0).radius().abs() < f64::EPSILON);
    assert!(span(1.0, 2.0, 5.0).contains(5.0) && span(1.0, 2.0, 5.0).contains(1.0));
    assert!(!span(1.0, 2.0, 5.0).contains(5.1) && !span(1.0, 2.0, 5.0).contains(0.9));
}

#[test]
fn what_is_not_finite_has_no_interval() {
    assert_eq!(Span::point(f64::NAN), None);
    assert_eq!(Span::around(1.0, f64::INFINITY), None);
    assert_eq!(Span::around(1.0, f64::NAN), None);
    assert_eq!(span(0.0, 1.0, f64::MAX).add(span(0.0, 1.0, f64::MAX)), None);
    assert_eq!(span(0.0, 1.0, f64::MAX).multiply(span(0.0, 1.0, 2.0)), None);
}

#[test]
fn monotone_functions_map_ends_and_steps_want_one_step() {
    let root = span(4.0, 9.0, 16.0).rising(f64::sqrt).unwrap();
    assert_eq!((root.low, root.middle, root.high), (2.0_f64.next_down(), 3.0, 4.0_f64.next_up()));
    assert_eq!(span(1.1, 1.5, 1.9).step(f64::floor), Span::point(1.0));
    assert_eq!(span(1.9, 1.95, 2.0).step(f64::floor), None);
    let power = span(2.0, 2.0, 3.0).power(span(-1.0, 1.0, 2.0)).unwrap();
    assert_eq!((power.low, power.high), ((1.0_f64 / 3.0).next_down(), 9.0_f64.next_up()));
}
