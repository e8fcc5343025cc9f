//! Orders, words and exit codes.

use super::*;

#[test]
fn a_difference_is_worse_than_not_knowing_and_that_than_waiting() {
    use Verdict::{CannotTell, Different, Equal, Pending, WithinTolerance};
    assert_eq!(worst([Equal, WithinTolerance]), WithinTolerance);
    assert_eq!(worst([WithinTolerance, Pending, Equal]), Pending);
    assert_eq!(worst([CannotTell, Pending]), CannotTell);
    assert_eq!(worst([CannotTell, Different, Pending]), Different);
    assert_eq!(worst([]), Equal);
}

#[test]
fn only_equal_and_within_tolerance_pass() {
    let passing: Vec<&str> =
        Verdict::ALL.into_iter().filter(|verdict| verdict.passes()).map(Verdict::as_str).collect();
    assert_eq!(passing, ["equal", "within-tolerance"]);
}

#[test]
fn exit_codes_follow_the_worst_verdict() {
    use Verdict::{CannotTell, Different, Equal, Pending, WithinTolerance};
    let failed = (CannotTell, Some(Cause::EngineFailed));
    assert_eq!(exit_code(&[]), 0);
    assert_eq!(exit_code(&[(Equal, None), (WithinTolerance, None)]), 0);
    assert_eq!(exit_code(&[(Equal, None), (Different, Some(Cause::Value))]), 1);
    assert_eq!(exit_code(&[(Pending, None)]), 3);
    assert_eq!(exit_code(&[(CannotTell, Some(Cause::Behind))]), 3);
    assert_eq!(exit_code(&[(Different, Some(Cause::Value)), (CannotTell, Some(Cause::Behind))]), 1);
    assert_eq!(exit_code(&[failed, failed]), 4);
    assert_eq!(exit_code(&[failed, (Equal, None)]), 3);
    assert_eq!(exit_code(&[failed, (Different, Some(Cause::Value))]), 1);
}

#[test]
fn words_are_read_back() {
    for verdict in Verdict::ALL {
        assert_eq!(Verdict::parse(verdict.as_str()), Some(verdict));
    }
    for cause in Cause::ALL {
        assert_eq!(Cause::parse(cause.as_str()), Some(cause));
    }
    assert_eq!(Verdict::parse("Equal"), None);
    assert_eq!(Cause::parse(""), None);
}
