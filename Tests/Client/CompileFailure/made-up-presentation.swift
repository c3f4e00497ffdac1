// Only a verification creates a VerifiedPresentation.
// Expected: 'VerifiedPresentation' initializer is inaccessible due to 'internal' protection level
import JWTCore
import SelectiveDisclosure

func presentation(
    _ text: String, _ token: VerifiedToken, _ verifier: PresentationVerifier<KeySet>
) throws -> VerifiedPresentation {
    #if VIOLATE
    VerifiedPresentation(token, disclosures: 0, keyBinding: nil)
    #else
    try verifier.verify(text)
    #endif
}
