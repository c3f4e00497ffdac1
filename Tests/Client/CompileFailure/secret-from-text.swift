// A secret is bytes that the caller explicitly names a secret: the text of a PEM document is not accepted as one.
// Expected: cannot convert value of type 'String' to expected argument type '[UInt8]'
import JWTCore

func key(_ pem: String) throws -> VerificationKey {
    #if VIOLATE
    try VerificationKey(secret: pem)
    #else
    try VerificationKey(pem: pem)
    #endif
}
