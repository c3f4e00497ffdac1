internal import JWKSCache

/// A file with a bearer token (RFC 6750), which is sent only to one origin, with every request. The file is read before each request: a
/// token that is replaced counts from the next one on. Without a token nothing is sent to the origin.
public struct BearerTokenFile: Hashable, Sendable {
    /// Of https (RFC 6750 section 5.2).
    public let origin: Origin
    /// The file has at most 16 KiB. White space at its ends is no part of the token.
    public let path: String

    private static let mostBytes = 16_384

    public init(origin: Origin, path: String) {
        self.origin = origin
        self.path = path
    }

    /// Why the file at `path` has no token now; nil if it has one. No byte of the file is in it.
    public static func fault(of path: String) -> String? {
        do throws(RequestFailure) {
            _ = try token(in: path)
            return nil
        } catch {
            return error.detail
        }
    }

    fileprivate static func token(in path: String) throws(RequestFailure) -> String {
        let bytes: [UInt8]
        do throws(RegularFile.Refusal) {
            bytes = try RegularFile.read(path, limit: mostBytes)
        } catch {
            throw RequestFailure(.unreadableCredential, "\(path) \(sentence(error))")
        }
        let token = bytes.drop(while: isSpace).reversed().drop(while: isSpace).reversed()
        guard isToken(token) else {
            throw RequestFailure(.unreadableCredential, "\(path) has no bearer token (RFC 6750 section 2.1)")
        }
        return String(decoding: token, as: UTF8.self)
    }

    private static func sentence(_ refusal: RegularFile.Refusal) -> String {
        switch refusal {
        case .missing: "is not there"
        case .notRegular: "is not a regular file"
        case .tooLarge: "has more than \(mostBytes) bytes"
        case .notPrivate, .unreadable: "cannot be read"
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0a, 0x0d].contains(byte) }

    /// b64token = 1*( ALPHA / DIGIT / "-" / "." / "_" / "~" / "+" / "/" ) *"="
    private static func isToken(_ bytes: some BidirectionalCollection<UInt8>) -> Bool {
        let text = bytes.reversed().drop { $0 == UInt8(ascii: "=") }
        return !text.isEmpty && text.allSatisfy(isTokenByte)
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
        default: "-._~+/".utf8.contains(byte)
        }
    }
}

extension OutgoingRequest {
    /// The request with the token, if `target` is of the token's origin.
    ///
    /// - Throws: `unreadable_credential` without a token.
    func bearing(_ file: BearerTokenFile?, to target: TargetURL) throws(RequestFailure) -> OutgoingRequest {
        guard let file, file.origin == target.origin else { return self }
        var request = self
        request.fields.removeAll { $0.name.lowercased() == "authorization" }
        request.fields.append(HeaderField("Authorization", "Bearer \(try BearerTokenFile.token(in: file.path))"))
        return request
    }
}
