// Only a verification creates a VerifiedDocument.
// Expected: 'VerifiedDocument' initializer is inaccessible due to 'internal' protection level
import JWSDocuments
import JWTCore

func document(_ text: String, _ verifier: DocumentVerifier<KeySet>) throws -> VerifiedDocument {
    #if VIOLATE
    VerifiedDocument(payload: Array(text.utf8), signatures: [], refusals: [:])
    #else
    try verifier.verify(text)
    #endif
}
