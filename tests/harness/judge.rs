//! The verdict on one answer to a case.
//! In: a case and what `unisono sql` and an engine made of it. Out: passed, refused with a code, or failed with the reason.

use crate::case::{Case, Expected};
use crate::compare::{Rules, Tolerance, compare, same_row};
use crate::value::{Kind, Table};

/// What came of a request.
#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    /// Rows of an engine.
    Rows(Table),
    /// A refusal.
    Refused {
        /// Its code.
        code: String,
        /// All that was said.
        message: String,
    },
}

impl Answer {
    /// The refusal in a text whose line begins with `E_CODE: `; `None` if there is none.
    pub fn refused(stderr: &str) -> Option<Answer> {
        let code = stderr.lines().find_map(|line| {
            let (code, _) = line.split_once(": ")?;
            let is_code = code.starts_with('E')
                && code.contains('_')
                && code
                    .bytes()
                    .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
            is_code.then_some(code)
        })?;
        Some(Answer::Refused { code: code.to_owned(), message: stderr.to_owned() })
    }
}

/// How an answer is judged.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verdict {
    /// Right.
    Passed,
    /// Rows were asked for and a code came.
    Refused(String),
    /// Wrong, and why.
    Failed(String),
    /// Not a question for `unisono sql`.
    NotAsked(String),
}

/// Judges an answer.
pub fn judge(case: &Case, answer: &Answer) -> Verdict {
    match (&case.expected, answer) {
        (Expected::Rows { answers, rules, .. }, Answer::Rows(rows)) => judge_rows(answers, rows, *rules),
        (Expected::Among { count, rows }, Answer::Rows(got)) => judge_among(*count, rows, got),
        (Expected::Rows { also_accept, .. }, Answer::Refused { code, .. }) if also_accept.contains(code) => {
            Verdict::Passed
        }
        (Expected::Rows { .. } | Expected::Among { .. }, Answer::Refused { code, .. }) => {
            Verdict::Refused(code.clone())
        }
        (Expected::Error { codes, words }, Answer::Refused { code, message }) => {
            judge_refusal(codes, words, code, message)
        }
        (Expected::Error { codes, .. }, Answer::Rows(rows)) => {
            Verdict::Failed(format!("{} rows, expected {}", rows.rows.len(), codes_text(codes)))
        }
        (Expected::Other(kind), _) => Verdict::NotAsked(kind.clone()),
    }
}

fn judge_rows(answers: &[Table], rows: &Table, rules: Rules) -> Verdict {
    let mut first = None;
    for expected in answers {
        match compare(expected, rows, rules) {
            Ok(()) => return Verdict::Passed,
            Err(reason) => first = first.or(Some(reason)),
        }
    }
    Verdict::Failed(first.unwrap_or_else(|| "the case has no rows".to_owned()))
}

fn judge_among(count: usize, among: &Table, got: &Table) -> Verdict {
    if got.rows.len() != count {
        return Verdict::Failed(format!("{} rows, expected {count}", got.rows.len()));
    }
    let kinds: Vec<Kind> = among.columns.iter().map(|column| column.kind).collect();
    let mut left: Vec<_> = among.rows.iter().collect();
    for row in &got.rows {
        let Some(at) = left.iter().position(|wanted| same_row(wanted, row, &kinds, Tolerance::Absolute(0.0)))
        else {
            return Verdict::Failed(format!("{row:?} is none of the rows, or comes twice"));
        };
        left.remove(at);
    }
    Verdict::Passed
}

fn judge_refusal(codes: &[String], words: &[String], code: &str, message: &str) -> Verdict {
    if !codes.is_empty() && !codes.iter().any(|wanted| wanted == code) {
        return Verdict::Failed(format!("{code}, expected {}", codes_text(codes)));
    }
    let said = message.to_lowercase();
    let missing: Vec<&String> = words.iter().filter(|word| !said.contains(&word.to_lowercase())).collect();
    if missing.is_empty() {
        Verdict::Passed
    } else {
        Verdict::Failed(format!("{code} does not say {missing:?}: {}", message.trim_end()))
    }
}

fn codes_text(codes: &[String]) -> String {
    if codes.is_empty() { "a code".to_owned() } else { codes.join(" or ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::shop;
    use crate::helper::{self, skip};
    use crate::value::{Column, Value};

    fn table(rows: &[&str]) -> Table {
        Table {
            columns: vec![Column { name: "region".to_owned(), kind: Kind::Text }],
            rows: rows.iter().map(|text| vec![Value::Text((*text).to_owned())]).collect(),
        }
    }

    fn case(expected: Expected) -> Case {
        Case {
            id: "shop/x".to_owned(),
            tier: String::new(),
            schema: String::new(),
            variants: Vec::new(),
            home: None,
            time_zone: None,
            check_sql: None,
            expected,
        }
    }

    fn rows(answers: Vec<Table>) -> Case {
        let rules = Rules { ordered: false, tolerance: Tolerance::Absolute(0.0) };
        case(Expected::Rows { answers, rules, also_accept: vec!["E_NO_PATH".to_owned()], refusal_ok: false })
    }

    fn refusal(stderr: &str) -> Answer {
        Answer::refused(stderr).unwrap()
    }

    #[test]
    fn a_refusal_is_found_in_what_was_said() {
        let said = "warning: x\nE3012_MN_NO_SAFE_REWRITE: no bridge\n  help: E_OTHER: no\n";
        let Answer::Refused { code, message } = refusal(said) else { panic!("not refused") };
        assert_eq!((code.as_str(), message.as_str()), ("E3012_MN_NO_SAFE_REWRITE", said));
        assert_eq!(Answer::refused("error: E_NO_PATH: not at the start\nEnd: x\n"), None);
    }

    #[test]
    fn any_of_the_answers_is_right() {
        let case = rows(vec![table(&["EAST"]), table(&["EAST", "WEST"])]);
        assert_eq!(judge(&case, &Answer::Rows(table(&["WEST", "EAST"]))), Verdict::Passed);
        assert!(matches!(judge(&case, &Answer::Rows(table(&["WEST"]))), Verdict::Failed(_)));
        assert_eq!(judge(&case, &refusal("E_NO_PATH: ..")), Verdict::Passed);
        assert_eq!(judge(&case, &refusal("E_PARSE: ..")), Verdict::Refused("E_PARSE".to_owned()));
    }

    #[test]
    fn rows_among_others_are_counted_once() {
        let case = case(Expected::Among { count: 2, rows: table(&["EAST", "WEST", "NORTH"]) });
        assert_eq!(judge(&case, &Answer::Rows(table(&["NORTH", "EAST"]))), Verdict::Passed);
        assert!(matches!(judge(&case, &Answer::Rows(table(&["EAST", "EAST"]))), Verdict::Failed(_)));
        assert!(matches!(judge(&case, &Answer::Rows(table(&["EAST"]))), Verdict::Failed(_)));
    }

    #[test]
    fn a_code_must_be_the_right_one_and_say_its_words() {
        let wanted = case(Expected::Error {
            codes: vec!["E_NO_PATH".to_owned()],
            words: vec!["Customers".to_owned(), "relationship".to_owned()],
        });
        let good = "E_NO_PATH: no relationship leads from customers to weather\n";
        assert_eq!(judge(&wanted, &refusal(good)), Verdict::Passed);
        assert!(matches!(judge(&wanted, &refusal("E_NO_PATH: customers\n")), Verdict::Failed(_)));
        assert!(matches!(judge(&wanted, &refusal("E_PARSE: customers, relationship\n")), Verdict::Failed(_)));
        assert!(matches!(judge(&wanted, &Answer::Rows(table(&[]))), Verdict::Failed(_)));
        let any = case(Expected::Error { codes: Vec::new(), words: Vec::new() });
        assert_eq!(judge(&any, &refusal("E_WHATEVER: ..")), Verdict::Passed);
        let other = case(Expected::Other("lint".to_owned()));
        assert_eq!(judge(&other, &refusal("E_PARSE: ..")), Verdict::NotAsked("lint".to_owned()));
    }

    #[test]
    fn the_hand_written_query_of_every_shop_case_passes() {
        let helper = match helper::shared() {
            Ok(helper) => helper,
            Err(reason) => return skip("judge::the_hand_written_query_of_every_shop_case_passes", reason),
        };
        let mut passed = 0;
        for case in shop().unwrap() {
            let (Some(check), Expected::Rows { .. }) = (&case.check_sql, &case.expected) else { continue };
            let rows = helper.duckdb(std::slice::from_ref(&case.schema), check).unwrap();
            assert_eq!(judge(&case, &Answer::Rows(rows)), Verdict::Passed, "{}", case.id);
            passed += 1;
        }
        assert_eq!(passed, 82);
    }
}
