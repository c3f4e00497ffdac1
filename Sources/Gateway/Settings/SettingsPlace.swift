/// Where a setting stands.
public struct SettingsPlace: Hashable, Sendable, Comparable {
    /// The path of a file that the configuration includes; nil for the configuration's own file.
    public let file: String?
    /// From one; zero for a whole file, and where the language has no lines.
    public let line: Int

    package init(file: String? = nil, line: Int) {
        self.file = file
        self.line = line
    }

    package static let unknown = SettingsPlace(line: 0)

    /// As compilers write it, for example `conf.d/shop.yaml:12`.
    ///
    /// - Parameter own: the path of the configuration's own file.
    public func text(own: String) -> String { line > 0 ? "\(file ?? own):\(line)" : file ?? own }

    public static func < (one: Self, other: Self) -> Bool { (one.file ?? "", one.line) < (other.file ?? "", other.line) }
}
