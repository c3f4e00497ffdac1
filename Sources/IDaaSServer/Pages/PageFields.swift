internal import HTTPTypes

/// The answers of the login page, with the fields that confine it.
enum PageFields {
    /// A document whose script, style and connections are this server's own, and which no other site can frame. A form that submits itself
    /// goes nowhere: without the script, a password would end up in the address.
    static func page(_ text: String, nonce: String, status: Int = 200) -> Reply {
        let policy = [
            "default-src 'none'", "script-src 'nonce-\(nonce)'", "style-src 'nonce-\(nonce)'", "img-src data:", "connect-src 'self'",
            "form-action 'none'", "base-uri 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'",
        ]
        var reply = Reply.text(text, status: status, type: "text/html; charset=utf-8")
        reply.fields[.contentSecurityPolicy] = policy.joined(separator: "; ")
        reply.fields[.frameOptions] = "DENY"
        // The address has the name of the authorization request.
        reply.fields[.referrerPolicy] = "no-referrer"
        reply.fields[.openerPolicy] = "same-origin"
        reply.fields[.resourcePolicy] = "same-origin"
        reply.fields[.permissionsPolicy] = "camera=(), geolocation=(), microphone=(), payment=()"
        reply.fields[.vary] = "Accept-Language, Cookie"
        return reply
    }

    /// A part of the page. It is not stored, so that it always fits the page.
    static func asset(_ bytes: [UInt8], _ type: String) -> Reply {
        Reply(fields: [.contentType: type, .resourcePolicy: "same-origin"], body: bytes)
    }
}

extension HTTPField.Name {
    static let frameOptions = Self("X-Frame-Options")!
    static let referrerPolicy = Self("Referrer-Policy")!
    static let openerPolicy = Self("Cross-Origin-Opener-Policy")!
    static let resourcePolicy = Self("Cross-Origin-Resource-Policy")!
    static let permissionsPolicy = Self("Permissions-Policy")!
    static let fetchSite = Self("Sec-Fetch-Site")!
}
