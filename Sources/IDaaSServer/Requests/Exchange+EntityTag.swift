internal import HTTPTypes

extension Exchange {
    /// Whether the sender has the copy of a strong tag (RFC 9110 section 13.1.2): with weak comparison; `*` matches any tag.
    func hasCopy(tagged tag: String) -> Bool {
        let offered = fields[values: .ifNoneMatch].flatMap { $0.split(separator: ",") }.map { String($0).trimmed }
        return offered.contains("*") || offered.contains(tag) || offered.contains("W/" + tag)
    }
}
