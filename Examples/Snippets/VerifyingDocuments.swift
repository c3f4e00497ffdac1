// The snippets of the documentation of JWSDocuments, which quotes them line by line.

import JWSDocuments
import JWTCore

func manifest(in text: String, keys: KeySet) throws -> [UInt8] {
    let policy = DocumentPolicy(requirement: .all, signers: ["release", "security"], types: ["manifest+jws"])
    let verifier = DocumentVerifier(keys: keys, policy: policy)
    let document = try verifier.verify(text)
    return document.payload
}

func isSigned(_ archive: [UInt8], by text: String, keys: KeySet) throws -> Bool {
    let verifier = DocumentVerifier(keys: keys, policy: DocumentPolicy(requirement: .one, types: ["archive+jws"]))
    let document = try verifier.verify(text, detached: archive)
    return document.signatures.count == 1
}
