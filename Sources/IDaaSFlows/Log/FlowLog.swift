internal import JWTCore

/// An optional log of the flows. Numbers and tokens in its lines are masked.
public struct FlowLog: Sendable {
    private let sink: (@Sendable (String) -> Void)?

    public static let off = Self(nil)
    /// Writes each line to standard error.
    public static let standardError = Self { _ = DescriptorBytes.write("assay: \($0)\n".utf8, to: 2) }

    /// - Parameter sink: gets each line, on any thread; nil disables logging.
    public init(_ sink: (@Sendable (String) -> Void)?) { self.sink = sink }

    func write(_ line: @autoclosure () -> String) { sink?(line()) }
}
