import FuzzInput
import JWSDocuments
import JWTCore

/// What a verifier said of a document.
struct Outcome: Equatable {
    var payload: [UInt8]?
    /// The places and the algorithms of the signatures that hold, and the places of the others.
    var held: [Int: SignatureAlgorithm] = [:]
    var refused: Set<Int> = []
    var error: DocumentError?

    init(_ verifier: DocumentVerifier<KeySet>, _ text: [UInt8], detached: [UInt8]? = nil) {
        do throws(DocumentError) {
            let document: VerifiedDocument
            if let detached { document = try verifier.verify(text, detached: detached) } else { document = try verifier.verify(text) }
            payload = document.payload
            for signature in document.signatures { held[signature.position] = signature.algorithm }
            ReachedCodes.note("verified")
            refused = Set(document.refusals.keys)
            precondition(!held.isEmpty, "accepted without a signature")
        } catch {
            ReachedCodes.note("document.\(error.code.name)")
            if let cause = error.cause { ReachedCodes.note(cause) }
            precondition(
                !error.description.isEmpty && error.description.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f }, "an unprintable error")
            self.error = error
        }
    }

    var isAccepted: Bool { error == nil }
}
