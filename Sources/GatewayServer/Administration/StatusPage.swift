#if Gateway
internal import HTTPTypes
internal import JWTCore

/// The status page: one document without any request but that for its own figures. Its style and its script are in it, and the browser
/// takes no others (Content Security Policy with their hashes).
struct StatusPage: Sendable {
    let answer: AdministrationAnswer

    /// - Parameters:
    ///   - markup: has `{{style}}` and `{{script}}`, each once.
    init(markup: String, style: String, script: String) {
        let text = markup.replacing("{{style}}", with: style, maxReplacements: 1)
            .replacing("{{script}}", with: script, maxReplacements: 1)
        let policy = [
            "default-src 'none'", "style-src '\(Self.hash(style))'", "script-src '\(Self.hash(script))'", "connect-src 'self'",
            "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
        ]
        answer = AdministrationAnswer(
            fields: [.contentType: "text/html; charset=utf-8", .contentSecurityPolicy: policy.joined(separator: "; ")],
            body: Array(text.utf8))
    }

    /// The page of this package.
    init() {
        self.init(
            markup: String(decoding: PackageResources.status_html, as: UTF8.self),
            style: String(decoding: PackageResources.status_css, as: UTF8.self),
            script: String(decoding: PackageResources.status_js, as: UTF8.self))
    }

    /// CSP Level 3 section 2.3.1: base64, not base64url.
    private static func hash(_ text: String) -> String {
        let digest = Base64URL.encode(Digest.sha256.bytes(of: text.utf8.span))
        let alphabet = digest.map { $0 == UInt8(ascii: "-") ? UInt8(ascii: "+") : $0 == UInt8(ascii: "_") ? UInt8(ascii: "/") : $0 }
        return "sha256-" + String(decoding: alphabet, as: UTF8.self) + "="
    }
}
#endif
