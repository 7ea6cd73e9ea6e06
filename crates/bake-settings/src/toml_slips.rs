//! Explains common mistakes in TOML to people who do not know TOML.

/// Says what is wrong with the line and what to write instead. `None` if the line has none of the known mistakes.
pub(crate) fn explain(line: &str) -> Option<String> {
    let line = without_comment(line).trim();
    if line.starts_with('[') && !line.contains('=') {
        return section(line);
    }
    let Some((key, value)) = line.split_once('=') else {
        let (key, value) = line.split_once(':')?;
        let is_key = !key.is_empty() && key.chars().all(is_bare);
        return is_key.then(|| format!("{line} has a colon; write {key} = {}", value.trim()));
    };
    let (key, value) = (key.trim(), value.trim());
    let bare_key = key.split('.').all(|part| !part.is_empty() && part.chars().all(is_bare));
    if !bare_key && !key.contains(['"', '\'']) {
        return Some(format!("the name {key} needs quotes; write {key:?} = {value}"));
    }
    mistaken_value(value).map(|(problem, cure)| format!("{problem}; write {key} = {cure}"))
}

/// Returns the mistake in a value, and the corrected value.
fn mistaken_value(value: &str) -> Option<(String, String)> {
    let first = value.chars().next()?;
    let number = |text: &str| text.parse::<f64>().is_ok_and(f64::is_finite);
    let with_point = value.replace(',', ".");
    if value.matches(',').count() == 1 && !value.contains(' ') && number(&with_point) {
        return Some((format!("{value} is not a number; a decimal number has a point, not a comma"), with_point));
    }
    if let Some(percent) = value.strip_suffix('%').map(|text| text.trim().replace(',', ".")) {
        // Rounded, so that the division by 100 adds no digits.
        let share = (percent.parse::<f64>().ok()? * 1e4).round() / 1e6;
        return Some((
            format!("{value} is not a number; shares are numbers from 0 to 1, not percent"),
            share.to_string(),
        ));
    }
    if number(value) && (value.starts_with('.') || value.ends_with('.')) {
        let zero = |at: bool| if at { "0" } else { "" };
        let fixed = format!("{}{value}{}", zero(value.starts_with('.')), zero(value.ends_with('.')));
        return Some((format!("{value} is not a number; a decimal point needs digits on both sides"), fixed));
    }
    if matches!(first, '“' | '”' | '„' | '‘' | '’') {
        let text = value.trim_matches(|letter| matches!(letter, '“' | '”' | '„' | '‘' | '’'));
        return Some((format!("{value} has typographic quotes"), format!("{text:?}")));
    }
    if matches!(value, "True" | "False" | "TRUE" | "FALSE") {
        return Some((format!("{value} must be in lower case"), value.to_lowercase()));
    }
    if first == '"' && value.matches('"').count() == 1 {
        return Some((format!("the text {value} has no closing quote"), format!("{value}\"")));
    }
    if first == '"' && value.contains(',') {
        return Some(("several texts need the brackets of a list".to_owned(), format!("[{value}]")));
    }
    let is_text = |text: &str| text.chars().all(|letter| is_bare(letter) || matches!(letter, '*' | '?' | '.' | ':'));
    if value.contains(',') && value.split(',').all(|part| !part.trim().is_empty() && is_text(part.trim())) {
        let list: Vec<String> = value.split(',').map(|part| format!("{:?}", part.trim())).collect();
        return Some((format!("the texts {value} need quotes"), format!("[{}]", list.join(", "))));
    }
    let is_word = is_text(value) && !matches!(value, "true" | "false") && !number(value);
    is_word.then(|| (format!("the text {value} needs quotes"), format!("{value:?}")))
}

fn section(line: &str) -> Option<String> {
    let open = line.chars().take_while(|letter| *letter == '[').count();
    let close = line.chars().rev().take_while(|letter| *letter == ']').count();
    let name = line.trim_matches(['[', ']']);
    let brackets = if open > 1 { ["[[", "]]"] } else { ["[", "]"] };
    if close < open {
        return Some(format!("the section has no closing bracket; write {}{name}{}", brackets[0], brackets[1]));
    }
    if name.contains(['"', '\'']) {
        return None;
    }
    let quoted = |part: &str| {
        if !part.is_empty() && part.chars().all(is_bare) { part.to_owned() } else { format!("{:?}", part.trim()) }
    };
    let fixed: Vec<String> = name.split('.').map(quoted).collect();
    let [open, close] = brackets;
    Some(format!(
        "a name with other characters than letters, digits, _ and - needs quotes; write {open}{}{close}",
        fixed.join(".")
    ))
}

/// Returns true if a name may contain the character without quotes.
fn is_bare(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-')
}

/// The line up to a `#` outside of quotes.
fn without_comment(line: &str) -> &str {
    let mut quoted = false;
    for (at, letter) in line.char_indices() {
        match letter {
            '"' => quoted = !quoted,
            '#' if !quoted => return &line[..at],
            _ => {}
        }
    }
    line
}
