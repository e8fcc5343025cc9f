//! How a target quotes identifiers and escapes string literals: the one home of both.
//! In: names and texts as the model and the data hold them. Out: SQL tokens that mean exactly those.

/// A target's rules, all stated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Quoting {
    /// The character around a quoted identifier; inside it is doubled.
    pub(crate) identifier: char,
    /// Which identifiers need it.
    pub(crate) when: When,
    /// Words that are always quoted, upper case, sorted.
    pub(crate) keywords: &'static [&'static str],
    /// Whether `\` starts an escape inside a string literal and so is doubled.
    pub(crate) backslash: Backslash,
}

/// Which identifiers are quoted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum When {
    /// All but lower-case words: the target folds unquoted names, or may one day.
    UnlessLowerCase,
    /// All but words of ASCII letters, digits and `_`: the target keeps the case of unquoted names.
    UnlessPlain,
    /// Every identifier.
    Always,
}

/// What a backslash is in a string literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Backslash {
    /// A character like any other.
    Plain,
    /// The start of an escape.
    Escape,
}

/// An identifier, quoted if the target needs it.
pub(crate) fn identifier(name: &str, quoting: &Quoting) -> String {
    if is_bare(name, quoting) {
        return name.to_string();
    }
    let mut quoted = String::with_capacity(name.len() + 2);
    quoted.push(quoting.identifier);
    for character in name.chars() {
        if character == quoting.identifier {
            quoted.push(character);
        }
        quoted.push(character);
    }
    quoted.push(quoting.identifier);
    quoted
}

/// A string literal.
pub(crate) fn string(text: &str, quoting: &Quoting) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('\'');
    for character in text.chars() {
        let doubled = match (character, quoting.backslash) {
            ('\'', _) | ('\\', Backslash::Escape) => true,
            (_, Backslash::Plain | Backslash::Escape) => false,
        };
        if doubled {
            quoted.push(character);
        }
        quoted.push(character);
    }
    quoted.push('\'');
    quoted
}

/// One line for a `--` comment: line breaks and other control characters become blanks.
pub(crate) fn comment(text: &str) -> String {
    text.chars().map(|character| if is_break(character) { ' ' } else { character }).collect()
}

fn is_break(character: char) -> bool {
    character.is_control() || character == '\u{2028}' || character == '\u{2029}'
}

fn is_bare(name: &str, quoting: &Quoting) -> bool {
    let allowed = |character: char| match quoting.when {
        When::UnlessLowerCase => character == '_' || character.is_ascii_lowercase(),
        When::UnlessPlain => character == '_' || character.is_ascii_alphabetic(),
        When::Always => false,
    };
    let mut characters = name.chars();
    characters.next().is_some_and(allowed)
        && characters.all(|character| allowed(character) || character.is_ascii_digit())
        && quoting.keywords.binary_search(&name.to_ascii_uppercase().as_str()).is_err()
}
