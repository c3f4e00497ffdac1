//! jsonwebtoken 8: a key of a JwkSet, an allow-list, issuer, audience, leeway, required claims.

use jsonwebtoken::jwk::{Jwk, PublicKeyUse};
use jsonwebtoken::{decode, decode_header, Algorithm, DecodingKey, Header, Validation};
use serde_json::{json, Value};
use std::collections::HashSet;
use std::io::{self, BufRead, Write};
use std::str::FromStr;

const ASYMMETRIC: [&str; 9] = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "EdDSA"];
const LACKS: [&str; 25] = [
    "ES512", "ES256K", "Ed25519", "Ed448", "P-521", "secp256k1", "ML-DSA-44", "ML-DSA-65", "ML-DSA-87", "nonce", "access_token", "code",
    "max_age", "maximum_age", "acr", "amr", "azp", "revoked_jti", "types", "iat", "required", "payload", "b64", "keys", "fraction",
];

fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(items) => items.iter().filter_map(|item| item.as_str().map(String::from)).collect(),
        _ => vec![],
    }
}

fn is_of_type(algorithm: &str, key: &Value) -> bool {
    match key["kty"].as_str() {
        Some("RSA") => algorithm.starts_with("RS") || algorithm.starts_with("PS"),
        Some("EC") => algorithm.starts_with("ES"),
        Some("OKP") => algorithm.starts_with("Ed"),
        Some("oct") => algorithm.starts_with("HS"),
        _ => false,
    }
}

/// The library takes algorithms of one type of key alone.
fn validation(policy: &Value, key: &Value) -> Option<Validation> {
    let allowed = if policy["algorithms"].is_null() { ASYMMETRIC.map(String::from).to_vec() } else { texts(&policy["algorithms"]) };
    let algorithms: Vec<Algorithm> =
        allowed.iter().filter(|name| is_of_type(name, key)).filter_map(|name| Algorithm::from_str(name).ok()).collect();
    let mut validation = Validation::new(*algorithms.first()?);
    validation.algorithms = algorithms;
    validation.leeway = policy["leeway"].as_u64().unwrap_or(60);
    validation.validate_nbf = true;
    let mut required: Vec<&str> = if policy["require_expiration"] == json!(false) { vec![] } else { vec!["exp"] };
    let (issuers, audiences) = (texts(&policy["issuer"]), texts(&policy["audience"]));
    if !issuers.is_empty() {
        validation.set_issuer(&issuers);
        required.push("iss");
    }
    if !audiences.is_empty() {
        validation.set_audience(&audiences);
        required.push("aud");
    }
    validation.required_spec_claims = required.into_iter().map(String::from).collect::<HashSet<_>>();
    Some(validation)
}

/// Whether a key is for signatures, for the algorithm of the token, and has its kid, if it has one.
fn is_meant(key: &Jwk, header: &Header) -> bool {
    (header.kid.is_none() || key.common.key_id == header.kid)
        && matches!(key.common.public_key_use, None | Some(PublicKeyUse::Signature))
        && key.common.algorithm.map_or(true, |name| name == header.alg)
}

fn verdict(question: &Value) -> (&'static str, String) {
    let (token, policy) = (question["token"].as_str().unwrap_or(""), &question["policy"]);
    if policy["claims"] == json!(false) {
        return ("unsupported", "verifies claims only".into());
    }
    let header = match decode_header(token) {
        Ok(header) => header,
        Err(error) => return ("invalid", error.to_string()),
    };
    let mut reason = "no key has this kid".to_string();
    // Key by key: one that is broken does not stand in the way of the others (RFC 7517 section 5).
    for value in question["keys"]["keys"].as_array().unwrap_or(&vec![]) {
        let key = match serde_json::from_value::<Jwk>(value.clone()) {
            Ok(key) if is_meant(&key, &header) => key,
            _ => continue,
        };
        if let (Some(rules), Ok(decoding)) = (validation(policy, value), DecodingKey::from_jwk(&key)) {
            match decode::<Value>(token, &decoding, &rules) {
                Ok(_) => return ("valid", String::new()),
                Err(error) => reason = error.to_string(),
            }
        }
    }
    ("invalid", reason)
}

fn main() -> io::Result<()> {
    for line in io::stdin().lock().lines() {
        let line = line?;
        // A lone surrogate cannot be in a text of Rust, and so in no token that a program could hand over.
        let (id, said, reason) = match serde_json::from_str::<Value>(&line) {
            Ok(question) => {
                let (said, reason) = verdict(&question);
                (question["id"].clone(), said, reason)
            }
            Err(error) => (json!(identifier(&line)), "unsupported", error.to_string()),
        };
        println!("{}", json!({"id": id, "verdict": said, "lacks": LACKS, "reason": reason}));
        io::stdout().flush()?;
    }
    Ok(())
}

/// The id of a question that is no JSON for this library.
fn identifier(line: &str) -> &str {
    line.split_once("\"id\": \"").and_then(|(_, rest)| rest.split_once('"')).map_or("", |(id, _)| id)
}
