//! A provider of single sign-on in this process, which says what a test tells it to.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use openidconnect::core::{CoreJwsSigningAlgorithm, CoreRsaPrivateSigningKey};
use openidconnect::{JsonWebKeyId, PrivateSigningKey};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

const KEY: &str = include_str!("issuer.pem");
pub const CLIENT: &str = "vexil";

/// A provider that listens until the process ends.
#[derive(Clone)]
pub struct Issuer {
    pub address: String,
    plan: Arc<Mutex<Plan>>,
}

/// What the next ID token says.
#[derive(Clone)]
pub struct Plan {
    pub claims: Value,
    /// What is told to who asks with the access token.
    pub told: Value,
    pub algorithm: &'static str,
    pub breaks_signature: bool,
    /// What the verifier of the code must come to.
    pub challenge: String,
}

impl Issuer {
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let plan = Arc::new(Mutex::new(Plan {
            claims: Value::Null,
            told: Value::Null,
            algorithm: "RS256",
            breaks_signature: false,
            challenge: String::new(),
        }));
        let issuer = Self { address, plan };
        let answering = issuer.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                answering.answer(stream.unwrap());
            }
        });
        issuer
    }

    pub fn plan(&self, plan: Plan) {
        *self.plan.lock().unwrap() = plan;
    }

    fn answer(&self, stream: TcpStream) {
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let mut first = String::new();
        reader.read_line(&mut first).unwrap();
        let mut length = 0;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
            if let Some(text) = line.to_lowercase().strip_prefix("content-length:") {
                length = text.trim().parse().unwrap();
            }
            if line.trim().is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
        let answer = match path.as_str() {
            "/.well-known/openid-configuration" => self.description(),
            "/keys" => json!({ "keys": [key().as_verification_key()] }),
            "/told" => self.plan.lock().unwrap().told.clone(),
            "/token" => self.token(&String::from_utf8(body).unwrap()),
            other => panic!("{other}"),
        };
        let text = answer.to_string();
        let status = if answer.get("error").is_some() {
            "400 Bad Request"
        } else {
            "200 OK"
        };
        let mut stream = stream;
        write!(
            stream,
            "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{text}",
            text.len()
        )
        .unwrap();
    }

    fn description(&self) -> Value {
        let at = &self.address;
        json!({
            "issuer": at,
            "authorization_endpoint": format!("{at}/authorize"),
            "token_endpoint": format!("{at}/token"),
            "userinfo_endpoint": format!("{at}/told"),
            "jwks_uri": format!("{at}/keys"),
            "end_session_endpoint": format!("{at}/end"),
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
        })
    }

    fn token(&self, form: &str) -> Value {
        let plan = self.plan.lock().unwrap().clone();
        let verifier = form
            .split('&')
            .find_map(|field| field.strip_prefix("code_verifier="))
            .unwrap();
        if base64(&Sha256::digest(verifier.as_bytes())) != plan.challenge {
            return json!({ "error": "invalid_grant" });
        }
        let header = json!({ "alg": plan.algorithm, "kid": "test", "typ": "JWT" });
        let signed = format!(
            "{}.{}",
            base64(header.to_string().as_bytes()),
            base64(plan.claims.to_string().as_bytes())
        );
        let mut signature = key()
            .sign(&CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256, signed.as_bytes())
            .unwrap();
        if plan.breaks_signature {
            signature[9] ^= 1;
        }
        let signature = if plan.algorithm == "none" {
            String::new()
        } else {
            base64(&signature)
        };
        json!({ "access_token": "a", "token_type": "Bearer", "id_token": format!("{signed}.{signature}") })
    }
}

fn key() -> CoreRsaPrivateSigningKey {
    CoreRsaPrivateSigningKey::from_pem(KEY, Some(JsonWebKeyId::new("test".to_owned()))).unwrap()
}

/// Base64 for addresses, without padding.
pub fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let word = three
            .iter()
            .fold(0_u32, |word, byte| word << 8 | u32::from(*byte))
            << (8 * (3 - three.len()));
        for place in 0..=three.len() {
            let letter = (word >> (18 - 6 * place)) & 63;
            text.push(char::from(LETTERS[letter as usize]));
        }
    }
    text
}
