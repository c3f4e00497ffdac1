public import CAssayInterface
internal import JWTCore

@c @implementation
public func assay_policy_new(_ out: UnsafeMutablePointer<OpaquePointer?>?) -> assay_code {
    unsafe assign(out) { Policy() }
}

@c @implementation
public func assay_policy_new_id_token(
    _ out: UnsafeMutablePointer<OpaquePointer?>?, _ issuer: UnsafePointer<CChar>?, _ issuerCount: Int, _ clientID: UnsafePointer<CChar>?,
    _ clientIDCount: Int
) -> assay_code {
    guard let issuer = unsafe CallerText(issuer, issuerCount)?.string, let clientID = unsafe CallerText(clientID, clientIDCount)?.string,
        !issuer.isEmpty, !clientID.isEmpty
    else { return .invalidArgument }
    return unsafe assign(out) { Policy(.idToken(issuer: issuer, clientID: clientID)) }
}

@c @implementation
public func assay_policy_new_access_token(
    _ out: UnsafeMutablePointer<OpaquePointer?>?, _ issuer: UnsafePointer<CChar>?, _ issuerCount: Int, _ audience: UnsafePointer<CChar>?,
    _ audienceCount: Int
) -> assay_code {
    guard let issuer = unsafe CallerText(issuer, issuerCount)?.string, let audience = unsafe CallerText(audience, audienceCount)?.string,
        !issuer.isEmpty, !audience.isEmpty
    else { return .invalidArgument }
    return unsafe assign(out) { Policy(.accessToken(issuer: issuer, audience: audience)) }
}

@c @implementation
public func assay_policy_add(_ policy: OpaquePointer?, _ rule: UInt32, _ text: UnsafePointer<CChar>?, _ count: Int) -> assay_code {
    guard let policy = unsafe policy, let text = unsafe CallerText(text, count)?.string else { return .invalidArgument }
    do throws(InterfaceFailure) {
        try unsafe policy.object(as: Policy.self).add(rule, text)
        return .ok
    } catch {
        return error.code
    }
}

@c @implementation
public func assay_policy_set(_ policy: OpaquePointer?, _ rule: UInt32, _ value: Int64) -> assay_code {
    guard let policy = unsafe policy else { return .invalidArgument }
    do throws(InterfaceFailure) {
        try unsafe policy.object(as: Policy.self).set(rule, value)
        return .ok
    } catch {
        return error.code
    }
}

@c @implementation
public func assay_policy_free(_ policy: OpaquePointer?) { unsafe policy?.release(as: Policy.self) }
