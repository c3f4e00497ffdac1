//! PROGRAM FOLDER ALGORITHM SECONDS: prints one line of JSON. ../../README.md describes the folder and the output.
//! jsonwebtoken 8: the key is read once; the library checks exp, nbf, iss and aud; claims into a struct.

use jsonwebtoken::{decode, Algorithm, DecodingKey, Validation};
use serde::Deserialize;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

const TOKENS_PER_LOOK_AT_THE_CLOCK: usize = 100;

#[derive(Deserialize)]
#[allow(dead_code)]
struct IdToken {
    iss: String,
    sub: String,
    aud: String,
    exp: i64,
    iat: i64,
    auth_time: i64,
    nonce: String,
    name: String,
}

struct Verifier {
    key: DecodingKey,
    validation: Validation,
}

impl Verifier {
    fn new(folder: &Path, algorithm: &str) -> Result<Self, Box<dyn Error>> {
        let file = |name: &str| fs::read(folder.join(algorithm).join(name));
        let key = match algorithm {
            "RS256" => DecodingKey::from_rsa_pem(&file("key.pem")?)?,
            "ES256" => DecodingKey::from_ec_pem(&file("key.pem")?)?,
            "EdDSA" => DecodingKey::from_ed_pem(&file("key.pem")?)?,
            _ => DecodingKey::from_secret(&file("secret")?),
        };
        let mut validation = Validation::new(algorithm.parse::<Algorithm>()?);
        validation.leeway = 0;
        validation.validate_nbf = true;
        validation.set_issuer(&[fs::read_to_string(folder.join("issuer"))?.trim()]);
        validation.set_audience(&[fs::read_to_string(folder.join("audience"))?.trim()]);
        validation.set_required_spec_claims(&["exp", "iss", "aud"]);
        Ok(Verifier { key, validation })
    }

    fn accepts(&self, token: &str) -> bool {
        decode::<IdToken>(token, &self.key, &self.validation).is_ok()
    }

    fn verify(&self, token: &str) -> Result<(), Box<dyn Error>> {
        if self.accepts(token) { Ok(()) } else { Err("refuses a good token".into()) }
    }

    fn tokens_per_second(&self, tokens: &[String], seconds: f64) -> Result<f64, Box<dyn Error>> {
        // The first pass is not timed: it warms caches and checks each token.
        tokens.iter().try_for_each(|token| self.verify(token))?;
        let start = Instant::now();
        let mut done = 0;
        loop {
            for _ in 0..TOKENS_PER_LOOK_AT_THE_CLOCK {
                self.verify(&tokens[done % tokens.len()])?;
                done += 1;
            }
            let elapsed = start.elapsed().as_secs_f64();
            if elapsed >= seconds {
                return Ok(done as f64 / elapsed);
            }
        }
    }
}

fn lines(path: PathBuf) -> Result<Vec<String>, Box<dyn Error>> {
    Ok(fs::read_to_string(path)?.lines().map(String::from).collect())
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let (folder, algorithm, seconds) = match &arguments[..] {
        [_, folder, algorithm, seconds] => (Path::new(folder), algorithm, seconds),
        _ => return Err("usage: PROGRAM FOLDER ALGORITHM SECONDS".into()),
    };
    let verifier = Verifier::new(folder, algorithm)?;
    let mut members = Vec::new();
    for name in ["tampered", "expired", "other-issuer", "other-audience"] {
        let accepted = lines(folder.join(algorithm).join(name))?.iter().any(|token| verifier.accepts(token));
        members.push(format!("\"{name}\": \"{}\"", if accepted { "accepted" } else { "refused" }));
        if name == "tampered" && accepted {
            println!("{{{}}}", members[0]);
            return Ok(());
        }
    }
    let tokens = lines(folder.join(algorithm).join("tokens"))?;
    members.push(format!("\"tokens_per_second\": {:.1}", verifier.tokens_per_second(&tokens, seconds.parse()?)?));
    println!("{{{}}}", members.join(", "));
    Ok(())
}
