internal import CAssayInterface
internal import JWTCore

/// Verifies the tokens of one policy. A class for each kind of keys, so that a verification copies nothing and reaches its keys directly.
class IssuerVerifier: @unchecked Sendable {
    let issuers: [String]

    init(issuers: [String]) { self.issuers = issuers }

    func verify(_ token: Span<UInt8>, now: NumericDate?, _ result: ResultMemory?) throws(VerificationError) -> assay_code {
        .invalidArgument
    }

    func verify(_ token: Span<UInt8>, now: NumericDate?, _ login: Login, _ result: ResultMemory?) throws(VerificationError) -> assay_code {
        .invalidArgument
    }

    func verifyPayload(_ token: Span<UInt8>, _ result: ResultMemory?) throws(VerificationError) -> assay_code { .invalidArgument }

    func verify(_ batch: borrowing TokenBatch, now: NumericDate?, _ verdicts: BatchVerdicts) {}
}

/// A verifier with keys of one kind.
final class KeyedVerifier<Source: KeySource>: IssuerVerifier, @unchecked Sendable {
    private let verifier: TokenVerifier<Source>

    init(_ verifier: TokenVerifier<Source>) {
        self.verifier = verifier
        super.init(issuers: verifier.policy.issuers)
    }

    override func verify(_ token: Span<UInt8>, now: NumericDate?, _ result: ResultMemory?) throws(VerificationError) -> assay_code {
        try verifier.withVerified(token, now: now) { claims in result?.keep(claims) ?? .ok }
    }

    override func verify(
        _ token: Span<UInt8>, now: NumericDate?, _ login: Login, _ result: ResultMemory?
    ) throws(VerificationError) -> assay_code {
        var verifier = verifier.expecting(nonce: login.nonce)
        if let accessToken = login.accessToken { verifier = verifier.expecting(accessToken: accessToken) }
        if let code = login.code { verifier = verifier.expecting(code: code) }
        return try verifier.withVerified(token, now: now) { claims in result?.keep(claims) ?? .ok }
    }

    override func verifyPayload(_ token: Span<UInt8>, _ result: ResultMemory?) throws(VerificationError) -> assay_code {
        try verifier.withVerifiedPayload(token) { payload, header in result?.keep(payload, header) ?? .ok }
    }

    override func verify(_ batch: borrowing TokenBatch, now: NumericDate?, _ verdicts: BatchVerdicts) {
        verifier.withVerified(batch, now: now) { index, claims in
            verdicts.accept(index, claims)
        } refused: { index, error in
            verdicts.refuse(index, error)
        }
    }
}

/// What one login sent or received beside its id_token.
struct Login {
    let nonce: String
    let accessToken: String?
    let code: String?

    /// Nil for a structure that is too short, for a text that is not UTF-8, and without a nonce.
    @unsafe
    init?(_ pointer: UnsafePointer<assay_login>) {
        // Before all members are read, the first one says whether they are there.
        guard unsafe pointer.pointee.size >= MemoryLayout<assay_login>.size else { return nil }
        let login = unsafe pointer.pointee
        guard let nonce = unsafe CallerText(login.nonce)?.string, !nonce.isEmpty,
            let accessToken = unsafe CallerText(login.access_token)?.string, let code = unsafe CallerText(login.code)?.string
        else { return nil }
        self.nonce = nonce
        self.accessToken = accessToken.isEmpty ? nil : accessToken
        self.code = code.isEmpty ? nil : code
    }
}

/// Where the verdicts of a batch go.
@safe
struct BatchVerdicts {
    // SAFETY: the caller answers for as many codes as the batch has tokens.
    private let codes: UnsafeMutablePointer<assay_code>
    private let results: [ResultMemory?]

    /// - Parameter results: as many as tokens.
    @unsafe
    init(_ codes: UnsafeMutablePointer<assay_code>, _ results: [ResultMemory?]) {
        unsafe self.codes = codes
        self.results = results
    }

    func accept(_ index: Int, _ claims: borrowing Claims) { unsafe codes[index] = result(index)?.keep(claims) ?? .ok }

    func refuse(_ index: Int, _ error: VerificationError) {
        result(index)?.refuse(error)
        unsafe codes[index] = assay_code(error.code.number)
    }

    func note(_ index: Int, _ code: assay_code) { unsafe codes[index] = code }

    func result(_ index: Int) -> ResultMemory? { results[index] }
}
