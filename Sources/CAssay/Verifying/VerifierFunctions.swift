public import CAssayInterface
internal import JWTCore

@c @implementation
public func assay_verifier_new(
    _ out: UnsafeMutablePointer<OpaquePointer?>?, _ issuers: UnsafePointer<assay_issuer>?, _ count: Int,
    _ options: UnsafePointer<assay_verifier_options>?
) -> assay_code {
    guard let issuers = unsafe issuers, (1...1_024).contains(count) else { return .invalidArgument }
    var rules: [(policy: ClaimsPolicy, keys: Keys)] = []
    for index in 0..<count {
        guard let policy = unsafe issuers[index].policy, let keys = unsafe issuers[index].keys else { return .invalidArgument }
        unsafe rules.append((policy.object(as: Policy.self).claimsPolicy, keys.object(as: Keys.self)))
    }
    guard let options = unsafe options.map({ unsafe VerifierOptions($0) }) ?? VerifierOptions() else { return .invalidArgument }
    return unsafe assign(out) { () throws(InterfaceFailure) in try Verifier(rules, options) }
}

@c @implementation
public func assay_verifier_new_jwks(
    _ out: UnsafeMutablePointer<OpaquePointer?>?, _ jwks: UnsafePointer<CChar>?, _ jwksCount: Int, _ issuer: UnsafePointer<CChar>?,
    _ issuerCount: Int, _ audience: UnsafePointer<CChar>?, _ audienceCount: Int
) -> assay_code {
    guard let jwks = unsafe CallerText(jwks, jwksCount), let issuer = unsafe CallerText(issuer, issuerCount)?.string, !issuer.isEmpty,
        let audience = unsafe CallerText(audience, audienceCount)?.string, !audience.isEmpty
    else { return .invalidArgument }
    return unsafe assign(out) { () throws(InterfaceFailure) in
        let keys: KeySet
        do throws(VerificationError) { keys = try KeySet(document: jwks.array) } catch { throw InterfaceFailure(error) }
        return try Verifier([(ClaimsPolicy(issuer: issuer, audience: audience), Keys(.fixed(keys)))], VerifierOptions())
    }
}

@c @implementation
public func assay_verifier_free(_ verifier: OpaquePointer?) { unsafe verifier?.release(as: Verifier.self) }

@c @implementation
public func assay_verify(
    _ result: OpaquePointer?, _ verifier: OpaquePointer?, _ token: UnsafePointer<CChar>?, _ count: Int, _ now: Double
) -> assay_code {
    guard let verifier = unsafe verifier, let token = unsafe CallerText(token, count), let place = unsafe ResultPlace(result) else {
        return .invalidArgument
    }
    defer { place.memory?.leave() }
    return unsafe verifier.lend(as: Verifier.self) { $0.verify(token.bytes, now: NumericDate(host: now), place.memory) }
}

@c @implementation
public func assay_verify_login(
    _ result: OpaquePointer?, _ verifier: OpaquePointer?, _ token: UnsafePointer<CChar>?, _ count: Int, _ now: Double,
    _ login: UnsafePointer<assay_login>?
) -> assay_code {
    guard let verifier = unsafe verifier, let token = unsafe CallerText(token, count), let place = unsafe ResultPlace(result) else {
        return .invalidArgument
    }
    defer { place.memory?.leave() }
    guard let login = unsafe login.flatMap({ unsafe Login($0) }) else { return .invalidArgument }
    return unsafe verifier.lend(as: Verifier.self) { $0.verify(token.bytes, now: NumericDate(host: now), login, place.memory) }
}

@c @implementation
public func assay_verify_payload(
    _ result: OpaquePointer?, _ verifier: OpaquePointer?, _ token: UnsafePointer<CChar>?, _ count: Int
) -> assay_code {
    guard let verifier = unsafe verifier, let token = unsafe CallerText(token, count), let place = unsafe ResultPlace(result) else {
        return .invalidArgument
    }
    defer { place.memory?.leave() }
    return unsafe verifier.lend(as: Verifier.self) { $0.verifyPayload(token.bytes, place.memory) }
}

@c @implementation
public func assay_verify_batch(
    _ codes: UnsafeMutablePointer<assay_code>?, _ results: UnsafePointer<OpaquePointer?>?, _ verifier: OpaquePointer?,
    _ tokens: UnsafePointer<assay_text>?, _ count: Int, _ now: Double
) -> assay_code {
    guard let verifier = unsafe verifier, count >= 0 else { return .invalidArgument }
    guard count > 0 else { return .ok }
    guard let codes = unsafe codes, let tokens = unsafe tokens else { return .invalidArgument }
    var texts: [CallerText] = []
    var places: [ResultMemory?] = []
    defer { for place in places { place?.leave() } }
    for index in 0..<count {
        guard let text = unsafe CallerText(tokens[index]), let place = unsafe ResultPlace(results.flatMap { unsafe $0[index] }) else {
            return .invalidArgument
        }
        texts.append(text)
        places.append(place.memory)
    }
    let verdicts = unsafe BatchVerdicts(codes, places)
    unsafe verifier.lend(as: Verifier.self) { $0.verify(texts, now: NumericDate(host: now), verdicts) }
    return .ok
}

/// Where a verdict goes: to a result, or nowhere for NULL.
private struct ResultPlace {
    let memory: ResultMemory?

    /// Nil for memory that is no result, and for a result that another thread is using. Empties a result, so that a mistake of the caller
    /// leaves no claims of an earlier token in it. The caller leaves the result in the end.
    @unsafe
    init?(_ result: OpaquePointer?) {
        guard let result = unsafe result else {
            memory = nil
            return
        }
        guard let memory = unsafe ResultMemory(result, isWriting: true) else { return nil }
        memory.reset()
        self.memory = memory
    }
}

extension NumericDate {
    /// A time of the host: nil, for the system's clock, if it is negative or not a number.
    init?(host seconds: Double) {
        guard seconds >= 0 else { return nil }
        guard seconds < 9e15 else {
            self.init(seconds: .max)
            return
        }
        let whole = seconds.rounded(.down)
        self.init(seconds: Int64(whole), nanoseconds: UInt32((seconds - whole) * 1e9))
    }
}
