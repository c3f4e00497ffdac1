internal import JWKSCache

extension OutgoingRequest {
    /// Whether it may be repeated for a redirect: it changes nothing (RFC 9110 section 9.2.1).
    var isRepeatable: Bool { method == "GET" || method == "HEAD" }

    /// The request for the target of a redirect. The validators are of the caller's copy from the first URL, and another URL may have the
    /// same entity tag for another document (RFC 9110 section 8.8.3).
    var redirected: OutgoingRequest {
        var request = self
        request.fields.removeAll { ["if-none-match", "if-modified-since"].contains($0.name.lowercased()) }
        return request
    }
}
