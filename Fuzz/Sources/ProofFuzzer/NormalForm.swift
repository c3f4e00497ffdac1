import DPoP

/// The form in which URLs are compared.
enum NormalForm {
    /// Traps unless the form of a form is itself, and query, fragment, default port and the case of scheme and host make no difference.
    static func check(_ url: [UInt8]) {
        guard let form = NormalizedURL(url.span) else { return }
        precondition(NormalizedURL(form.bytes.span) == form, "a form has another form")
        precondition(form.bytes.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "#") && $0 != UInt8(ascii: "?") }, "a wrong byte")
        let parts = Parts(form.bytes)
        precondition(!parts.path.isEmpty && parts.segments.allSatisfy { $0 != Array(".".utf8) && $0 != Array("..".utf8) }, "a dot segment")
        let path = url.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        precondition(Self.form(path + Array("?a=b#c".utf8)) == form, "a query makes a difference")
        precondition(Self.form(parts.upperCased + parts.path) == form, "the case of the host makes a difference")
    }

    private static func form(_ url: [UInt8]) -> NormalizedURL? { NormalizedURL(url.span) }

    /// Of a form: its scheme with the host and the port, and its path.
    private struct Parts {
        let origin: [UInt8]
        let path: [UInt8]

        init(_ form: [UInt8]) {
            let slashes = form.indices.filter { form[$0] == UInt8(ascii: "/") }
            precondition(slashes.count >= 3, "a form without a path")
            origin = Array(form[..<slashes[2]])
            path = Array(form[slashes[2]...])
        }

        var segments: [[UInt8]] { path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { Array($0) } }

        var upperCased: [UInt8] { origin.map { $0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "z") ? $0 & 0xdf : $0 } }
    }
}
