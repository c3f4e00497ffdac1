internal import Foundation

/// Lines about what flows do, or silence. Whatever writes one masks numbers and tokens first.
public struct FlowLog: Sendable {
    private let sink: (@Sendable (String) -> Void)?

    public static let off = Self(nil)
    /// To standard error, a line at a time.
    public static let standardError = Self { FileHandle.standardError.write(Data("assay: \($0)\n".utf8)) }

    /// - Parameter sink: is given each line, on no particular thread.
    public init(_ sink: (@Sendable (String) -> Void)?) { self.sink = sink }

    public var isOn: Bool { sink != nil }

    func write(_ line: @autoclosure () -> String) { sink?(line()) }
}
