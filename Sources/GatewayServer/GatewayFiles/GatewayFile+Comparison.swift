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
    /// are the owner's: where the gateway listens, and its application.
    ///
    /// - Throws: as ``text(for:)`` does.
    public func differences(of file: String, from configuration: ServiceConfiguration) throws(Failure) -> [Difference] {
        let lines = try lines(for: configuration)
        var expected: [String: Int] = [:]
        for line in lines where !line.isOwners { expected[plain(line.text), default: 0] += 1 }
        expected[""] = nil
        let owners = Set(lines.filter(\.isOwners).map { plain($0.text) })
        let words = configuration.upstreamFields + configuration.upstreamFields.map { $0.replacing("-", with: "_") } + ["assay"]
        var unexpected: [Difference] = []
        for (place, text) in file.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = plain(String(text))
            if let left = expected[line] {
                expected[line] = left > 1 ? left - 1 : nil
            } else if !owners.contains(line), words.contains(where: line.lowercased().contains) {
                unexpected.append(.unexpected(line: place + 1, line))
            }
        }
        let missing = lines.filter { !$0.isOwners }.map { plain($0.text) }.filter { line in
            guard let left = expected[line] else { return false }
            expected[line] = left > 1 ? left - 1 : nil
            return true
        }
        return missing.map(Difference.missing) + unexpected
    }

    /// A line without its comment, with single blanks.
    private func plain(_ line: String) -> String {
        let mark = self == .haproxyScript ? "--" : "#"
        let trimmed = line.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == "\r" }).joined(separator: " ")
        return trimmed.hasPrefix(mark) ? "" : trimmed
    }
}
#endif
