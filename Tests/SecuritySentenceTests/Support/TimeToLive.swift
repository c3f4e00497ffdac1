#if IDaaS
import Foundation
import IDaaSServer
import IDaaSTestSupport
import Testing

/// Something that holds for so many seconds and then no more.
struct TimeToLive: Sendable, CustomTestStringConvertible {
    let name: String
    /// The first second at which it does not hold.
    let seconds: Int
    var configure: @Sendable (inout ServerConfiguration) -> Void = { _ in }
    /// Has it begin, lets the time pass, and says whether it still holds.
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

/// One wait for the end of something, by a person who has not been there before.
struct Trial: Sendable {
    let person: Person
    /// How long is waited altogether.
    let seconds: Int

    var server: LiveServer { person.server }

    /// Lets the time pass, less what has passed since the beginning.
    func pass(after passed: Int = 0) { server.clock.advance(by: seconds - passed) }

    /// Two wrong codes with five tries each, which lock the number.
    func lock() async throws -> WireReply {
        try await person.typeWrong(5, for: try await person.code())
        return try #require(try await person.typeWrong(5, for: try await person.code()).last)
    }
}
#endif
