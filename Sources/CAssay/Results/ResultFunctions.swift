public import CAssayInterface
internal import JWTCore

@c @implementation
public func assay_result_size(_ tokenCount: Int) -> Int {
    let longest = 1 << 20
    let count = tokenCount < 0 ? longest : min(tokenCount, longest)
    let limits = TokenLimits.standard
    // The tapes have a record for each value and each name. The shortest value with its comma takes two bytes.
    let decoded = 3 * (count / 4 + 1)
    let records = min(decoded / 2 + 4, 2 * (limits.values + limits.headerValues))
    return ResultHead.size + MemoryLayout<JSONNode>.stride * records + 2 * decoded
}

@c @implementation
public func assay_result_init(_ memory: UnsafeMutableRawPointer?, _ size: Int) -> OpaquePointer? {
    unsafe ResultMemory(in: memory, capacity: size)?.pointer
}

@c @implementation
public func assay_result_reset(_ result: OpaquePointer?) {
    guard let memory = unsafe ResultMemory(result, isWriting: true) else { return }
    memory.reset()
    memory.leave()
}

@c @implementation
public func assay_result_needed(_ result: OpaquePointer?) -> Int { unsafe ResultMemory.head(of: result)?.needed ?? 0 }

@c @implementation
public func assay_result_code(_ result: OpaquePointer?) -> assay_code { unsafe ResultMemory.head(of: result)?.code ?? .invalidArgument }

@c @implementation
public func assay_result_offset(_ result: OpaquePointer?) -> Int64 { unsafe ResultMemory.head(of: result)?.offset ?? -1 }

@c @implementation
public func assay_result_claim_name(_ result: OpaquePointer?) -> UnsafePointer<CChar>? {
    guard let number = unsafe ResultMemory.head(of: result)?.claim,
        let claim = UInt8(exactly: number).flatMap(RegisteredClaim.init(rawValue:))
    else { return nil }
    return unsafe claim.literal.cString
}

@c @implementation
public func assay_result_http_status(_ result: OpaquePointer?) -> UInt32 {
    guard let head = unsafe ResultMemory.head(of: result) else { return 500 }
    return head.code == .noClaims ? 401 : assay_code_http_status(head.code)
}

@c @implementation
public func assay_result_challenge(
    _ out: UnsafeMutablePointer<CChar>?, _ capacity: Int, _ result: OpaquePointer?, _ realm: UnsafePointer<CChar>?, _ realmCount: Int,
    _ scope: UnsafePointer<CChar>?, _ scopeCount: Int
) -> Int {
    let buffer = unsafe CallerBuffer(out, capacity)
    guard let head = unsafe ResultMemory.head(of: result), let realm = unsafe CallerText(realm, realmCount),
        let scope = unsafe CallerText(scope, scopeCount), let challenge = challenge(head, realm: realm.parameter, scope: scope.parameter)
    else { return buffer.write("") }
    return buffer.write(challenge.fieldValue)
}

@c @implementation
public func assay_result_description(_ out: UnsafeMutablePointer<CChar>?, _ capacity: Int, _ result: OpaquePointer?) -> Int {
    let buffer = unsafe CallerBuffer(out, capacity)
    guard let head = unsafe ResultMemory.head(of: result) else { return buffer.write("not a result") }
    if let error = head.error { return buffer.write(error.description) }
    switch head.code {
    case .ok: return buffer.write("ok: the token is valid")
    case .resultTooSmall: return buffer.write("result_too_small: the claims need \(head.needed) bytes, and the result has \(head.capacity)")
    default: return buffer.write("no_claims: no token has been verified")
    }
}

/// The challenge of a reply; nil for a valid token, and where the token is not the cause.
private func challenge(_ head: ResultHead, realm: String?, scope: String?) -> BearerChallenge? {
    if let error = head.error { return BearerChallenge(refusing: error, realm: realm, scope: scope) }
    return head.code == .noClaims ? BearerChallenge(realm: realm, scope: scope) : nil
}

extension CallerText {
    /// Nil for an empty text. What is not UTF-8 becomes question marks in the challenge.
    fileprivate var parameter: String? { isEmpty ? nil : String(decoding: array, as: UTF8.self) }
}
