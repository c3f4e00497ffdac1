internal import COpenSSL

/// Where random bytes come from: injected, so that a test can repeat a run.
public struct Randomness: Sendable {
    private let source: @Sendable (Int) -> [UInt8]

    public init(_ source: @escaping @Sendable (Int) -> [UInt8]) { self.source = source }

    public func bytes(_ count: Int) -> [UInt8] { source(count) }
}
