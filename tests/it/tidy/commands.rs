//! What README.md tells a reader to run is what CI runs last.

use super::tree::text;

/// The one command that runs all tests.
const TESTS: &str = "cargo test --workspace";

#[test]
fn ci_ends_with_the_test_command_of_the_readme() {
    assert!(text("README.md").lines().any(|line| line.trim() == TESTS), "README.md does not say `{TESTS}`");
    let last = text(".ci/run").lines().rfind(|line| line.contains("cargo "));
    assert!(last.is_some_and(|line| line.starts_with(TESTS)), ".ci/run ends with {last:?}");
}
