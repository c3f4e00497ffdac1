/// Why a memory cannot say whether something was used before. It is a refusal for the caller.
public struct ReplayMemoryError: Error, Hashable, Sendable, CustomStringConvertible {
    public let code: Code
    /// For logs: the store's own words; empty if the code is enough. It has no identifier and no password.
    public let detail: String

    /// Stable: logs and metrics use it.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// There is no room for another use. Nothing that may still be used again was forgotten to make room.
        case full = "replay_memory_full"
        /// The store did not answer in time, or refused. The use may have been counted.
        case unavailable = "replay_memory_unavailable"
        /// The end has come, or the memory has forgotten uses that ended when this one ends: it cannot tell any more.
        case ended = "replay_memory_ended"
    }

    public init(_ code: Code, _ detail: String = "") {
        self.code = code
        self.detail = detail
    }

    public var description: String { "\(sentence) (\(code.rawValue))\(detail.isEmpty ? "" : ": \(detail)")" }

    private var sentence: String {
        switch code {
        case .full: "the memory of uses is full"
        case .unavailable: "the memory of uses is not available"
        case .ended: "the time for this use is over"
        }
    }
}
