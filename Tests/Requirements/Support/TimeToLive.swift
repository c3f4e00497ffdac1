import Foundation
import IDaaSServer
import IDaaSTestSupport
import Testing

/// Something that is valid for a number of seconds.
struct TimeToLive: Sendable, CustomTestStringConvertible {
    let name: String
    /// The first second at which it is invalid.
    let seconds: Int
    var configure: @Sendable (inout ServerConfiguration) -> Void = { _ in }
    /// Starts it, lets the time pass, and returns whether it is still valid.
    let holds: @Sendable (Trial) async throws -> Bool

    init(
        _ name: String, _ seconds: Int, limits: LimitSettings = LimitSettings(), _ holds: @Sendable @escaping (Trial) async throws -> Bool
    ) {
        self.name = name
        self.seconds = seconds
        self.holds = holds
        configure = {
            $0.limits = limits
            $0.signing.algorithm = "ES256"
        }
    }

    var testDescription: String { "\(name): \(seconds) s" }
}

/// One wait for the end of a lifetime, by a new user.
struct Trial: Sendable {
    let person: Person
    /// The total waiting time.
    let seconds: Int

    var server: LiveServer { person.server }

    /// Lets the time pass, minus the time since the start.
    func pass(after passed: Int = 0) { server.clock.advance(by: seconds - passed) }

    /// Two wrong codes with five tries each, which lock the number.
    func lock() async throws -> WireReply {
        try await person.typeWrong(5, for: try await person.code())
        return try #require(try await person.typeWrong(5, for: try await person.code()).last)
    }
}
