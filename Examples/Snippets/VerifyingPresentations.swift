// The snippets of the documentation of SelectiveDisclosure, which quotes them line by line.

import JWTCore
import SelectiveDisclosure

func age(in text: String, nonce: String, keys: KeySet) throws -> Int64? {
    var credential = ClaimsPolicy()
    credential.issuers = ["https://idp.example"]
    credential.types = ["dc+sd-jwt"]
    credential.requiredClaims = ["age_in_years"]
    let binding = KeyBindingPolicy(audience: "https://verifier.example")
    let policy = PresentationPolicy(claims: credential, keyBinding: .required(binding))
    let verifier = PresentationVerifier(keys: keys, policy: policy)
    let presentation = try verifier.expecting(nonce: nonce).verify(text)
    return presentation.claims["age_in_years"]?.number?.int64
}

func holder(of text: String, _ credential: ClaimsPolicy, nonce: String, keys: KeySet) throws -> String? {
    let binding = KeyBindingPolicy(audience: "https://verifier.example")
    let policy = PresentationPolicy(claims: credential, keyBinding: .required(binding))
    let verifier = PresentationVerifier(keys: keys, policy: policy)
    let presentation = try verifier.expecting(nonce: nonce).verify(text)
    return presentation.keyBinding?.thumbprint
}
