internal import JWTCore

extension ProofRequest {
    /// Whether `url` is the request's, without query and fragment, in the normal form of both.
    func isFor(_ url: borrowing JSONString) -> Bool {
        guard !url.isEscaped else {
            let text = url.utf8
            return isFor(text.span)
        }
        return isFor(url.raw)
    }

    private func isFor(_ url: Span<UInt8>) -> Bool {
        if isWritten(as: url) { return true }
        guard let own = NormalizedURL(scheme: scheme, authority: authority, target: target) else { return false }
        return NormalizedURL(url) == own
    }

    /// Whether `url` is written as the request has it, and is a URL by its bytes alone: without port, address and percent-encoding. One text
    /// has one normal form, so none is made. This is how most clients send it; false says nothing.
    private func isWritten(as url: Span<UInt8>) -> Bool {
        let host = scheme.count + 3, path = host + authority.count
        guard scheme.equals("https" as StaticString) || scheme.equals("http" as StaticString) else { return false }
        guard path < url.count, url.extracting(0..<scheme.count).equals(scheme),
            url.extracting(scheme.count..<host).equals("://" as StaticString), url.extracting(host..<path).equals(authority),
            !authority.isEmpty, NormalizedURL.isName(authority)
        else { return false }
        let length = url.count - path
        guard length <= target.count, target[0] == UInt8(ascii: "/"),
            url.extracting(path..<url.count).equals(target.extracting(0..<length)),
            NormalizedURL.isPlainPath(target.extracting(0..<length))
        else { return false }
        return NormalizedURL.endsPath(target.extracting(length..<target.count))
    }
}
