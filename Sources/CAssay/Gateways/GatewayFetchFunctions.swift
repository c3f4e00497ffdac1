public import CAssayInterface
internal import Gateway
internal import JWKSCache

@c @implementation
public func assay_gateway_next_due(_ gateway: OpaquePointer?) -> Int64 {
    guard let due = unsafe gateway?.lend(as: HostedGateway.self, { $0.nextDue }) else { return -1 }
    return due.untilDue
}

@c @implementation
public func assay_gateway_request(_ out: UnsafeMutablePointer<OpaquePointer?>?, _ gateway: OpaquePointer?) -> assay_code {
    guard let gateway = unsafe gateway, let out = unsafe out else { return .invalidArgument }
    guard let fetch = unsafe gateway.object(as: HostedGateway.self).dueFetches(atMost: 1).first else { return .notDue }
    return unsafe assign(out) { fetch }
}

@c @implementation
public func assay_gateway_install(
    _ gateway: OpaquePointer?, _ fetch: OpaquePointer?, _ status: UInt32, _ fields: UnsafePointer<assay_field>?, _ fieldCount: Int,
    _ body: UnsafePointer<CChar>?, _ bodyCount: Int
) -> assay_code {
    unsafe HostedFetch.install(fetch, of: gateway?.object(as: HostedGateway.self), status, fields, fieldCount, CallerText(body, bodyCount))
}

@c @implementation
public func assay_gateway_fail(_ gateway: OpaquePointer?, _ fetch: OpaquePointer?, _ failure: UInt32) -> assay_code {
    unsafe HostedFetch.fail(fetch, of: gateway?.object(as: HostedGateway.self), failure)
}

@c @implementation
public func assay_gateway_refresh(_ gateway: OpaquePointer?) -> assay_code {
    guard let gateway = unsafe gateway else { return .invalidArgument }
    unsafe gateway.object(as: HostedGateway.self).refresh()
    return .ok
}

@c @implementation
public func assay_gateway_refresh_issuer(_ gateway: OpaquePointer?, _ issuer: UnsafePointer<CChar>?, _ count: Int) -> assay_code {
    guard let gateway = unsafe gateway, let issuer = unsafe CallerText(issuer, count) else { return .invalidArgument }
    guard let keys = unsafe gateway.object(as: HostedGateway.self).keys(of: issuer.array) else { return .noValue }
    guard let hosted = keys.hosted else { return .notDue }
    hosted.refresh()
    return .ok
}
