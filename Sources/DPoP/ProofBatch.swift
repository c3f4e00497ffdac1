internal import JWTCore

/// Requests to verify together, each with an access token and the proof that came with it; their bytes are concatenated. A reused batch
/// allocates nothing.
///
/// ```swift
/// var batch = ProofBatch()
/// for request in requests {
///     batch.append(accessToken: request.token, proof: request.proof, method: request.method, url: request.url)
/// }
/// let verdicts = proofs.verify(batch, tokens: verifier)
/// ```
public struct ProofBatch: Sendable {
    var tokens = TokenBatch()
    var proofs = TokenBatch()
    var methods = TokenBatch()
    var urls = TokenBatch()

    public init() {}

    /// Adds a request at the end.
    ///
    /// - Parameters:
    ///   - accessToken: the token as it was sent.
    ///   - proof: the value of the only field `DPoP`.
    ///   - method: of the request, with its case.
    ///   - url: of the request, as the server knows it. Query and fragment are not looked at.
    public mutating func append(accessToken: String, proof: String, method: String, url: String) {
        tokens.append(accessToken)
        proofs.append(proof)
        methods.append(method)
        urls.append(url)
    }

    /// Adds a request, in arrays of bytes, at the end.
    ///
    /// - Parameters:
    ///   - accessToken: the token as it was sent.
    ///   - proof: the value of the only field `DPoP`.
    ///   - method: of the request, with its case.
    ///   - url: of the request, as the server knows it. Query and fragment are not looked at.
    public mutating func append(accessToken: [UInt8], proof: [UInt8], method: [UInt8], url: [UInt8]) {
        tokens.append(accessToken)
        proofs.append(proof)
        methods.append(method)
        urls.append(url)
    }

    /// Removes the requests and keeps the memory.
    public mutating func removeAll() {
        tokens.removeAll()
        proofs.removeAll()
        methods.removeAll()
        urls.removeAll()
    }

    /// The number of requests.
    public var count: Int { tokens.count }
}

extension ProofBatch: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The number of requests. No token and no proof is in it.
    public var description: String { "ProofBatch(\(count))" }

    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(redacted: self) }
}
