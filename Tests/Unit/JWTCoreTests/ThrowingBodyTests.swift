import JWTCore
import JWTTestSupport
import Testing

struct ThrowingBodyTests {
    private enum Denied: Error, Equatable {
        case noScope
    }

    @Test func theErrorOfABodyComesThroughAsItIs() {
        let forge = Forges.ed25519, token = forge.token()
        #expect(throws: Denied.noScope) {
            try forge.verifier().withVerified(token.utf8.span, now: TokenForge.now) { claims throws(Denied) in
                guard claims.string("scope") == "admin" else { throw Denied.noScope }
            }
        }
        #expect(throws: Denied.noScope) {
            try forge.verifier().withVerified(token.utf8.span, now: TokenForge.now) { claims in
                guard claims.string("scope") == "admin" else { throw Denied.noScope }
            }
        }
    }

    @Test func aRefusalComesBeforeTheBody() {
        var isAsked = false
        let forge = Forges.ed25519, token = forge.token()
        #expect(throws: VerificationError.self) {
            try forge.verifier().withVerified(token.utf8.span.extracting(first: token.utf8.count - 4), now: TokenForge.now) { _ in
                isAsked = true
                throw Denied.noScope
            }
        }
        #expect(!isAsked)
    }

    private func subject(of claims: borrowing Claims) throws(Denied) -> String {
        guard let subject = claims.string(.subject) else { throw .noScope }
        return subject
    }

    @Test func whatABodyGivesIsHandedOn() throws {
        let forge = Forges.ed25519, token = forge.token()
        let name = try forge.verifier().withVerified(token.utf8.span, now: TokenForge.now) { claims throws(Denied) in
            guard let name = claims.string("name") else { throw Denied.noScope }
            return name
        }
        #expect(name == "Jane Doe")
        let subjects = [
            try forge.verifier().withVerified(token, now: TokenForge.now) { try subject(of: $0) },
            try forge.verifier().withVerified(Array(token.utf8), now: TokenForge.now) { try subject(of: $0) },
        ]
        #expect(subjects == ["248289761001", "248289761001"])
    }
}
