//! The query of an address, as names and values.

/// The parameters of a query in their order, with `application/x-www-form-urlencoded` undone. A
/// broken percent code stands for itself, and what is no UTF-8 is replaced.
pub fn pairs(query: &str) -> impl Iterator<Item = (String, String)> {
    query.split('&').filter(|pair| !pair.is_empty()).map(|pair| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        (decoded(name), decoded(value))
    })
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, behind)) = rest.split_first() {
        rest = behind;
        match (byte, behind) {
            (b'+', _) => bytes.push(b' '),
            (b'%', [high, low, behind @ ..]) => match hexadecimal(*high).zip(hexadecimal(*low)) {
                Some((high, low)) => {
                    bytes.push(high * 16 + low);
                    rest = behind;
                }
                None => bytes.push(byte),
            },
            _ => bytes.push(byte),
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

fn hexadecimal(digit: u8) -> Option<u8> {
    char::from(digit)
        .to_digit(16)
        .and_then(|value| u8::try_from(value).ok())
}
