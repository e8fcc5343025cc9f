//! Lists of what came of each case, kept in tests/cases: what was right once may not be lost.
//! In: verdicts by the name of their case. Out: nothing, or the cases that are lost, or that the list is not what came.

use std::collections::BTreeMap;
use std::fs;

use unisono_tests::project;

/// Set to any value to write the lists anew instead of comparing with them.
const UPDATE: &str = "UNISONO_UPDATE";

/// Compares verdicts with `tests/cases/<name>`, where `right` are the verdicts that no update takes away.
pub(crate) fn compare(name: &str, right: &[&str], now: &BTreeMap<String, String>) {
    let path = project("tests/cases").join(name);
    let listed = fs::read_to_string(&path).unwrap_or_default();
    let before: BTreeMap<String, String> = serde_json::from_str(&listed).unwrap_or_default();
    let lost: Vec<String> = before
        .iter()
        .filter(|(_, verdict)| right.contains(&verdict.as_str()))
        .filter_map(|(case, verdict)| Some((case, verdict, now.get(case)?)))
        .filter(|(_, before, now)| before != now)
        .map(|(case, before, now)| format!("{case}: {before} before, {now} now"))
        .collect();
    assert!(lost.is_empty(), "{name}: right before, and no more:\n{}", lost.join("\n"));
    let text = serde_json::to_string_pretty(now).unwrap() + "\n";
    if std::env::var_os(UPDATE).is_some() {
        fs::write(&path, text).unwrap();
        return;
    }
    assert!(
        listed == text,
        "{} differs from what came; run the test with {UPDATE}=1 and look at the difference",
        path.display()
    );
}
