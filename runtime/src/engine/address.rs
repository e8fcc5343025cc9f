//! What addresses of engines share. In: texts of the project file, the environment. Out: texts without variables, or why not.

use std::net::IpAddr;

/// Whether a host is this machine.
pub(super) fn is_loopback(host: &str) -> bool {
    let bare = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(host);
    host.eq_ignore_ascii_case("localhost")
        || bare.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// The text with `${NAME}` replaced; what the variables hold is in no error.
pub(super) fn expand(text: &str, variable: &impl Fn(&str) -> Option<String>) -> Result<String, String> {
    let mut expanded = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        expanded.push_str(before);
        let Some((name, behind)) = after.split_once('}') else {
            return Err("has a `${` without its `}`".to_string());
        };
        let Some(value) = variable(name) else {
            return Err(format!("needs the variable {name}, which is not set"));
        };
        expanded.push_str(&value);
        rest = behind;
    }
    expanded.push_str(rest);
    Ok(expanded)
}
