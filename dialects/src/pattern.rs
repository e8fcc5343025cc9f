//! Patterns in words that mean the same on engines whose regular expressions read ends of lines in their own way.
//! In: a constant pattern of the common subset, or one of LIKE. Out: a regular expression that says which characters it means.

/// A character of a pattern by where it stands.
enum Part {
    /// With a backslash before it; `None` at the end.
    Escaped(Option<char>),
    /// Within a class, its brackets included.
    OfClass(char),
    /// Anywhere else.
    Bare(char),
}

fn parts(pattern: &str) -> impl Iterator<Item = Part> {
    let mut in_class = false;
    let mut characters = pattern.chars();
    std::iter::from_fn(move || {
        Some(match characters.next()? {
            '\\' => Part::Escaped(characters.next()),
            ']' => {
                in_class = false;
                Part::OfClass(']')
            }
            '[' => {
                in_class = true;
                Part::OfClass('[')
            }
            character if in_class => Part::OfClass(character),
            character => Part::Bare(character),
        })
    })
}

/// The pattern in which `.` is every character but `\n`, and `$` the end of the text and not also what stands before a last `\n`. Java's `.`
/// passes over `\r` and others too, StarRocks' over none, and the `$` of both stops before a last end of a line.
pub(crate) fn of_lines(pattern: &str) -> String {
    let mut said = String::with_capacity(pattern.len());
    for part in parts(pattern) {
        match part {
            Part::Escaped(character) => {
                said.push('\\');
                said.extend(character);
            }
            Part::Bare('.') => said.push_str(r"[^\n]"),
            Part::Bare('$') => said.push_str(r"\z"),
            Part::OfClass(character) | Part::Bare(character) => said.push(character),
        }
    }
    said
}

/// Whether a pattern may be found in several lengths at one place, of which engines take the first or the longest.
pub(crate) fn has_choice(pattern: &str) -> bool {
    let mut after_repeat = false;
    parts(pattern).any(|part| {
        let is_choice = match part {
            Part::Bare('|') => true,
            Part::Bare('?') => after_repeat,
            Part::Bare(_) | Part::OfClass(_) | Part::Escaped(_) => false,
        };
        after_repeat = matches!(part, Part::Bare('*' | '+' | '?' | '}'));
        is_choice
    })
}

/// What LIKE says, where `_` and `%` pass over ends of lines too, for Java.
pub(crate) fn of_like(pattern: &str) -> String {
    let mut said = String::from(r"(?s)\A");
    for character in pattern.chars() {
        match character {
            '_' => said.push('.'),
            '%' => said.push_str(".*"),
            _ if character.is_ascii_punctuation() => said.extend(['\\', character]),
            _ => said.push(character),
        }
    }
    said.push_str(r"\z");
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_and_ends_say_what_they_mean_outside_of_classes() {
        for (pattern, said) in [
            ("a.b$", r"a[^\n]b\z"),
            (r"\.[.$]\$|^x$", r"\.[.$]\$|^x\z"),
            (r"[a\].].", r"[a\].][^\n]"),
            ("(?:.a){2}", r"(?:[^\n]a){2}"),
        ] {
            assert_eq!(of_lines(pattern), said);
        }
    }

    #[test]
    fn a_choice_is_an_alternative_or_a_lazy_repeat() {
        for pattern in ["a|ab", "a+?", "(?:a){1,2}?", "a??", "x(?:a|b)"] {
            assert!(has_choice(pattern), "{pattern}");
        }
        for pattern in ["[a|b]+", r"a\|b", "a?", "(?:ab)+", r"\+?", "[+]?", "a{2}"] {
            assert!(!has_choice(pattern), "{pattern}");
        }
    }

    #[test]
    fn like_takes_its_wildcards_only() {
        assert_eq!(of_like("a_b%"), r"(?s)\Aa.b.*\z");
        assert_eq!(of_like("_.[é\n"), "(?s)\\A.\\.\\[é\n\\z");
    }
}
