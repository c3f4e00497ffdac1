import JWTCore

/// What a verification said of a token, for comparing two ways to it.
public enum Verdict: Equatable {
    case accepted(header: [UInt8], payload: [UInt8], keyPosition: Int)
    case refused(VerificationError)

    /// The verdict of `verify`, which copies the claims. Notes the code that was reached.
    public init(_ verify: () throws(VerificationError) -> VerifiedToken) {
        do throws(VerificationError) {
            self.init(try verify())
        } catch {
            self.init(error)
        }
    }

    public init(_ result: Result<VerifiedToken, VerificationError>) {
        switch result {
        case .success(let token): self.init(token)
        case .failure(let error): self.init(error)
        }
    }

    private init(_ token: VerifiedToken) {
        self = .accepted(
            header: Array(copying: token.header.value.raw), payload: token.payload, keyPosition: token.keyPosition)
    }

    private init(_ error: VerificationError) {
        ReachedCodes.note(error)
        precondition(!error.description.isEmpty && error.description.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f }, "an unprintable error")
        self = .refused(error)
    }

    public var isAccepted: Bool { if case .accepted = self { true } else { false } }
}
