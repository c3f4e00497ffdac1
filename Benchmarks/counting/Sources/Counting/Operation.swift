import Fixtures
import JWTCore

/// Something that is counted. A class, so that the C functions that count can be handed it as a context.
open class Operation {
    public let name: String
    /// What `run` should come to: "valid", or the code of the refusal.
    public let expected: String
    /// Whether its instructions are counted too: each takes microseconds then.
    let isStepped: Bool
    var refusal: VerificationError.Code?

    init(_ name: String, expected: String, isStepped: Bool = true) {
        self.isStepped = isStepped
        self.name = name
        self.expected = expected
    }

    open func run() {}

    /// Whether the last run came to what it should.
    public final var isAsExpected: Bool { outcome == expected }

    /// What the last run came to.
    public final var outcome: String { refusal?.name ?? "valid" }
}

/// One token, its claims lent.
final class Lent: Operation {
    private let subject: Subject

    init(_ name: String, _ subject: Subject, expected: String = "valid") {
        self.subject = subject
        super.init(name, expected: expected)
    }

    override func run() { refusal = subject.lent }
}

/// One token, its claims copied.
final class Copied: Operation {
    private let subject: Subject

    init(_ name: String, _ subject: Subject) {
        self.subject = subject
        super.init(name, expected: "valid")
    }

    override func run() { refusal = subject.copied }
}

/// Many tokens, their claims lent.
final class Batched: Operation {
    private let batch: BatchSubject

    init(_ name: String, _ batch: BatchSubject, isStepped: Bool) {
        self.batch = batch
        super.init(name, expected: "valid", isStepped: isStepped)
    }

    override func run() { refusal = batch.lent }
}

/// One token that nobody has verified, its claims looked into.
final class Unverified: Operation {
    private let text: UnverifiedText

    init(_ name: String, _ token: [UInt8]) {
        text = UnverifiedText(token: token)
        super.init(name, expected: "valid")
    }

    override func run() { refusal = text.read }
}

private let moment = NumericDate(seconds: Fixtures.now)

/// A verifier and a token for it.
struct Subject {
    let verifier: TokenVerifier<KeySet>
    let token: [UInt8]

    var lent: VerificationError.Code? {
        do throws(VerificationError) {
            return try verifier.withVerified(token.span, now: moment) { _ in nil }
        } catch {
            return error.code
        }
    }

    var copied: VerificationError.Code? {
        do throws(VerificationError) {
            _ = try verifier.verify(token.span, now: moment)
            return nil
        } catch {
            return error.code
        }
    }
}

/// A token without a verifier.
struct UnverifiedText {
    let token: [UInt8]

    var read: VerificationError.Code? {
        do throws(VerificationError) {
            _ = try UnverifiedClaims(reading: token.span)
            return nil
        } catch {
            return error.code
        }
    }
}

/// A verifier and tokens for it.
struct BatchSubject {
    let verifier: TokenVerifier<KeySet>
    let batch: TokenBatch

    /// Why the last was refused that was.
    var lent: VerificationError.Code? {
        var outcome: VerificationError.Code?
        verifier.withVerified(batch, now: moment, accepted: { _, _ in }, refused: { outcome = $1.code })
        return outcome
    }
}
