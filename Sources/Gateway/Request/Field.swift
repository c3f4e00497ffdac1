/// A header field of a request or of an answer.
public struct Field: Hashable, Sendable {
    /// In lower case. Only ASCII letters have cases here: a Kelvin sign is no `k`.
    public let name: String
    public let value: String

    public init(_ name: String, _ value: String) {
        self.name = name.utf8.contains(where: \.isUpperCaseLetter) ? String(decoding: name.utf8.map(\.lowercased), as: UTF8.self) : name
        self.value = value
    }

    /// - Parameter name: in lower case already.
    init(lowercased name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
