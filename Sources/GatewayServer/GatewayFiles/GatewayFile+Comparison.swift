#if Gateway
extension GatewayFile {
    /// How a file in use differs from the one for a configuration.
    public enum Difference: Hashable, Sendable {
        /// The file lacks this line.
        case missing(String)
        /// The file has this line (counted from one), which is about the service or a field of it, and not expected.
        case unexpected(line: Int, String)
    }

    /// Compares a file with the one for `configuration`, without comments, blanks at the ends of lines, the order of lines, and the lines that
    /// are the owner's: where the gateway listens, and its applications. A protecting line is expected once or more.
    ///
    /// - Throws: as ``text(for:)`` does.
    public func differences(of file: String, from configuration: ServiceConfiguration) throws(Failure) -> [Difference] {
        let lines = try lines(for: configuration).map { Line(text: plain($0.text), kind: $0.kind) }.filter { !$0.text.isEmpty }
        func texts(_ kind: Line.Kind) -> [String] { lines.filter { $0.kind == kind }.map(\.text) }
        let found = file.split(separator: "\n", omittingEmptySubsequences: false).map { plain(String($0)) }
        let fixed = texts(.fixed), each = texts(.each).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        let missing = surplus(of: fixed, over: found).map { fixed[$0] } + each.filter { !found.contains($0) }
        let free = Set(each + texts(.owners)), words = words(about: configuration)
        let unexpected = surplus(of: found, over: fixed).filter { place in
            !free.contains(found[place]) && words.contains(where: found[place].lowercased().contains)
        }
        return missing.map(Difference.missing) + unexpected.map { .unexpected(line: $0 + 1, found[$0]) }
    }

    /// The places of the `lines` that `others` does not have as often.
    private func surplus(of lines: [String], over others: [String]) -> [Int] {
        var left = Dictionary(grouping: others) { $0 }.mapValues(\.count)
        return lines.indices.filter { place in
            guard let count = left[lines[place]], count > 0 else { return true }
            left[lines[place]] = count - 1
            return false
        }
    }

    /// A line with one of these, in lower case, is about the service or a field of it.
    private func words(about configuration: ServiceConfiguration) -> [String] {
        configuration.upstreamFields + configuration.upstreamFields.map { $0.replacing("-", with: "_") } + ["assay"] + bypasses
    }

    /// A rule that ends the others: behind it a request is not judged.
    private var bypasses: [String] { self == .haproxy ? ["http-request allow"] : [] }

    /// A line without its comment, with single blanks.
    private func plain(_ line: String) -> String {
        let mark = self == .haproxyScript ? "--" : "#"
        let trimmed = line.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == "\r" }).joined(separator: " ")
        return trimmed.hasPrefix(mark) ? "" : trimmed
    }
}
#endif
