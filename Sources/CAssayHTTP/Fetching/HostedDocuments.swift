internal import CAssayInterface
internal import JWKSCache

// What libassay asks of a host, in the terms of JWKSCache's transport.

extension OutgoingRequest {
    /// The request that libassay handed out.
    @unsafe
    init(_ fetch: OpaquePointer) {
        var fields: [HeaderField] = []
        var name: UnsafePointer<CChar>?, value: UnsafePointer<CChar>?
        while unsafe assay_fetch_field(&name, &value, fetch, fields.count) == .ok, let name = unsafe name, let value = unsafe value {
            fields.append(unsafe HeaderField(String(cString: name), String(cString: value)))
        }
        self.init(url: unsafe assay_fetch_url(fetch).map { unsafe String(cString: $0) } ?? "", fields: fields)
    }
}

extension ReceivedResponse {
    /// The most fields that libassay takes of a response.
    private static let mostFields = 1_024

    /// Hands the response over to libassay, which copies it.
    @unsafe
    func install(_ keys: OpaquePointer, _ fetch: OpaquePointer) {
        let texts = fields.prefix(Self.mostFields).flatMap { [Array($0.name.utf8), Array($0.value.utf8)] }
        let bytes = texts.flatMap { $0 }
        unsafe bytes.withUnsafeBytes { bytes in
            let parts = unsafe Self.parts(texts.map(\.count), of: bytes)
            let fields = unsafe stride(from: 0, to: parts.count, by: 2).map { unsafe assay_field(name: parts[$0], value: parts[$0 + 1]) }
            unsafe body.withUnsafeBytes { body in
                // SAFETY: char and UInt8 are layout-compatible; everything lives until the call returns.
                let start = unsafe body.baseAddress?.assumingMemoryBound(to: CChar.self)
                _ = unsafe assay_keys_install(keys, fetch, UInt32(clamping: status), fields, fields.count, start, body.count)
            }
        }
    }

    /// Texts of the given lengths, one after another in `bytes`.
    @unsafe
    private static func parts(_ counts: [Int], of bytes: UnsafeRawBufferPointer) -> [assay_text] {
        var parts: [assay_text] = unsafe []
        var offset = 0
        for count in counts {
            let start = unsafe bytes.baseAddress.map { unsafe ($0 + offset).assumingMemoryBound(to: CChar.self) }
            unsafe parts.append(assay_text(bytes: start, len: count))
            offset += count
        }
        return unsafe parts
    }
}

extension RequestFailure.Reason {
    /// ASSAY_FAILURE_…
    var number: UInt32 {
        let number =
            switch self {
            case .connection, .proxy: ASSAY_FAILURE_CONNECTION
            case .tls: ASSAY_FAILURE_TLS
            case .timedOut: ASSAY_FAILURE_TIMED_OUT
            case .tooLarge: ASSAY_FAILURE_TOO_LARGE
            case .redirect: ASSAY_FAILURE_REDIRECT
            case .malformed: ASSAY_FAILURE_MALFORMED
            case .forbiddenAddress: ASSAY_FAILURE_FORBIDDEN
            case .cancelled: ASSAY_FAILURE_CANCELLED
            case .unresolvedName: ASSAY_FAILURE_UNRESOLVED
            case .pinMismatch: ASSAY_FAILURE_PIN
            case .invalidURL, .invalidField, .unreadableCredential: ASSAY_FAILURE_URL
            }
        return UInt32(number)
    }
}
