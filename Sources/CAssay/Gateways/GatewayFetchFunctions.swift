public import CAssayInterface
internal import JWKSCache

@c @implementation
public func assay_gateway_next_due(_ gateway: OpaquePointer?) -> Int64 {
    guard let due = unsafe gateway?.lend(as: HostedGateway.self, { $0.nextDue }) else { return -1 }
    return due.untilDue
}

@c @implementation
public func assay_gateway_request(_ out: UnsafeMutablePointer<OpaquePointer?>?, _ gateway: OpaquePointer?) -> assay_code {
    guard let gateway = unsafe gateway, let out = unsafe out else { return .invalidArgument }
    guard let fetch = unsafe gateway.object(as: HostedGateway.self).nextFetch() else { return .notDue }
    return unsafe assign(out) { fetch }
}

@c @implementation
public func assay_gateway_install(
    _ gateway: OpaquePointer?, _ fetch: OpaquePointer?, _ status: UInt32, _ fields: UnsafePointer<assay_field>?, _ fieldCount: Int,
    _ body: UnsafePointer<CChar>?, _ bodyCount: Int
) -> assay_code {
    guard let fetch = unsafe hostedFetch(fetch, of: gateway),
        let answer = unsafe HostedFetch.answer(status, fields, fieldCount, CallerText(body, bodyCount))
    else { return .invalidArgument }
    return assay_code(fetch.answer(answer))
}

@c @implementation
public func assay_gateway_fail(_ gateway: OpaquePointer?, _ fetch: OpaquePointer?, _ failure: UInt32) -> assay_code {
    guard let fetch = unsafe hostedFetch(fetch, of: gateway), let reason = RequestFailure.Reason(failure) else { return .invalidArgument }
    return assay_code(fetch.answer(.failure(RequestFailure(reason))))
}

@c @implementation
public func assay_gateway_refresh(_ gateway: OpaquePointer?) -> assay_code {
    guard let gateway = unsafe gateway else { return .invalidArgument }
    for keys in unsafe gateway.object(as: HostedGateway.self).keySets { keys.refresh() }
    return .ok
}

/// The fetch, if it is one of this gateway.
@unsafe
private func hostedFetch(_ fetch: OpaquePointer?, of gateway: OpaquePointer?) -> HostedFetch? {
    guard let fetch = unsafe fetch?.object(as: HostedFetch.self), let gateway = unsafe gateway?.object(as: HostedGateway.self),
        fetch.owner === gateway
    else { return nil }
    return fetch
}
