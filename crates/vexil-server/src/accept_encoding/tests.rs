use actix_web::http::header::HeaderMap;

use super::*;

fn headers(values: &[&str]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for value in values {
        headers.append(ACCEPT_ENCODING, value.parse().unwrap());
    }
    headers
}

fn accepted(values: &[&str]) -> Accepted {
    Accepted::of(&headers(values))
}

#[test]
fn brotli_and_zstd_are_sent_to_whoever_names_them_where_the_answer_is_kept() {
    for (values, expected) in [
        (&[][..], Coding::Plain),
        (&["*"], Coding::Gzip),
        (&["gzip, deflate"], Coding::Gzip),
        (&["gzip, deflate, br"], Coding::Brotli),
        (&["BR;q=0.1", "gzip"], Coding::Brotli),
        (&["br;q=0, gzip"], Coding::Gzip),
        (&["br;q=0, gzip;q=0"], Coding::Plain),
        (&["gzip, deflate, br, zstd"], Coding::Brotli),
        (&["gzip, ZSTD;q=0.5"], Coding::Zstd),
        (&["zstd"], Coding::Zstd),
        (&["zstd;q=0"], Coding::Plain),
        (&["br;q=0, zstd;q=0, gzip"], Coding::Gzip),
    ] {
        assert_eq!(best_coding(&headers(values)), expected, "{values:?}");
    }
}

#[test]
fn gzip_is_sent_to_whoever_takes_it_and_plain_text_to_all_others() {
    for (values, expected) in [
        (&[][..], Accepted::Plain),
        (&[""], Accepted::Plain),
        (&["gzip"], Accepted::Gzip),
        (&["br, GZIP;q=0.5"], Accepted::Gzip),
        (&["deflate", "x-gzip"], Accepted::Gzip),
        (&["*"], Accepted::Gzip),
        (&["br, zstd"], Accepted::Plain),
        (&["gzip;q=0"], Accepted::Plain),
        (&["gzip; q=0.000, *;q=1"], Accepted::Plain),
        (&["identity;q=0, gzip"], Accepted::Gzip),
        (&["identity;q=0"], Accepted::Neither),
        (&["br, identity;q=0"], Accepted::Neither),
        (&["*;q=0"], Accepted::Neither),
        (&["*;q=0, identity"], Accepted::Plain),
        (&["nonsense;;q=x,"], Accepted::Plain),
    ] {
        assert_eq!(accepted(values), expected, "{values:?}");
    }
}
