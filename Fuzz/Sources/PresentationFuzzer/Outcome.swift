import FuzzInput
import JWTCore
import SelectiveDisclosure

/// What a verifier said of a presentation.
enum Outcome: Equatable {
    case accepted(claims: JSONTree, disclosures: Int)
    case refused(PresentationError)

    init(_ verifier: PresentationVerifier<KeySet>, _ text: [UInt8]) {
        do throws(PresentationError) {
            let presentation = try verifier.verify(text, now: now)
            guard let claims = try? JSONTree(parsing: presentation.payload) else { preconditionFailure("accepted claims that are no JSON") }
            ReachedCodes.note(presentation.keyBinding == nil ? "presented" : "presented by the holder")
            self = .accepted(claims: claims, disclosures: presentation.disclosures)
        } catch {
            ReachedCodes.note("presentation.\(error.code.name)")
            if let cause = error.cause { ReachedCodes.note(cause) }
            precondition(
                !error.description.isEmpty && error.description.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f }, "an unprintable error")
            self = .refused(error)
        }
    }

    var isAccepted: Bool { if case .accepted = self { true } else { false } }
}
