import Fixtures
import JWTCore

/// An operation whose work is counted. It is a class, so that the counting C functions can receive it as a context.
open class Operation {
    public let name: String
    /// The expected outcome of `run`: "valid", or the code of the refusal.
    public let expected: String
    /// Whether instructions are also counted; each instruction then takes microseconds.
    let isStepped: Bool
    var refusal: VerificationError.Code?

    init(_ name: String, expected: String, isStepped: Bool = true) {
        self.isStepped = isStepped
        self.name = name
        self.expected = expected
    }

    open func run() {}

    /// Whether the last run had the expected outcome.
    public final var isAsExpected: Bool { outcome == expected }

    /// The outcome of the last run.
    public final var outcome: String { refusal?.name ?? "valid" }
}

/// Verifies one token and lends its claims.
final class Lent: Operation {
    private let subject: Subject

    init(_ name: String, _ subject: Subject, expected: String = "valid") {
        self.subject = subject
        super.init(name, expected: expected)
    }

    override func run() { refusal = subject.lent }
}

/// Verifies one token and copies its claims.
final class Copied: Operation {
    private let subject: Subject

    init(_ name: String, _ subject: Subject) {
        self.subject = subject
        super.init(name, expected: "valid")
    }

    override func run() { refusal = subject.copied }
}

/// Verifies many tokens and lends their claims.
final class Batched: Operation {
    private let batch: BatchSubject

    init(_ name: String, _ batch: BatchSubject, isStepped: Bool) {
        self.batch = batch
        super.init(name, expected: "valid", isStepped: isStepped)
    }

    override func run() { refusal = batch.lent }
}

/// Reads the claims of one unverified token.
final class Unverified: Operation {
    private let text: UnverifiedText

    init(_ name: String, _ token: [UInt8], expected: String = "valid", isStepped: Bool = true) {
        text = UnverifiedText(token: token)
        super.init(name, expected: expected, isStepped: isStepped)
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

    /// The code of the last refusal.
    var lent: VerificationError.Code? {
        var outcome: VerificationError.Code?
        verifier.withVerified(batch, now: moment, accepted: { _, _ in }, refused: { outcome = $1.code })
        return outcome
    }
}
