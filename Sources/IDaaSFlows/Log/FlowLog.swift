internal import Foundation

/// An optional log of the flows. Numbers and tokens in its lines are masked.
public struct FlowLog: Sendable {
    private let sink: (@Sendable (String) -> Void)?

    public static let off = Self(nil)
    /// Writes each line to standard error.
    public static let standardError = Self { FileHandle.standardError.write(Data("assay: \($0)\n".utf8)) }

    /// - Parameter sink: gets each line, on any thread; nil disables logging.
    public init(_ sink: (@Sendable (String) -> Void)?) { self.sink = sink }

    func write(_ line: @autoclosure () -> String) { sink?(line()) }
}
