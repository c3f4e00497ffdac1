public import CAssayInterface
internal import JWKSCache
internal import JWTCore

@c @implementation
public func assay_keys_next_due(_ keys: OpaquePointer?) -> Int64 {
    guard let due = unsafe keys?.lend(as: Keys.self, { $0.hosted?.nextDue }) else { return -1 }
    return due.untilDue
}

extension Duration {
    /// In milliseconds, rounded up, so that a host that waits this long finds the request.
    var untilDue: Int64 { self == .zero ? 0 : min(milliseconds, .max - 1) + 1 }
}

@c @implementation
public func assay_keys_refresh(_ keys: OpaquePointer?) -> assay_code {
    guard let keys = unsafe keys else { return .invalidArgument }
    guard let hosted = unsafe keys.object(as: Keys.self).hosted else { return .notDue }
    hosted.refresh()
    return .ok
}

@c @implementation
public func assay_keys_request(_ out: UnsafeMutablePointer<OpaquePointer?>?, _ keys: OpaquePointer?) -> assay_code {
    guard let keys = unsafe keys, let out = unsafe out else { return .invalidArgument }
    guard let hosted = unsafe keys.object(as: Keys.self).hosted, let request = hosted.nextRequest() else { return .notDue }
    return unsafe assign(out) { HostedFetch(hosted, request) }
}

@c @implementation
public func assay_fetch_url(_ fetch: OpaquePointer?) -> UnsafePointer<CChar>? {
    guard let fetch = unsafe fetch else { return unsafe ("" as StaticString).cString }
    return unsafe fetch.lend(as: HostedFetch.self) { unsafe $0.url }
}

@c @implementation
public func assay_fetch_issuer(_ fetch: OpaquePointer?) -> UnsafePointer<CChar>? {
    guard let fetch = unsafe fetch else { return unsafe ("" as StaticString).cString }
    return unsafe fetch.lend(as: HostedFetch.self) { unsafe $0.issuer }
}

@c @implementation
public func assay_fetch_field(
    _ outName: UnsafeMutablePointer<UnsafePointer<CChar>?>?, _ outValue: UnsafeMutablePointer<UnsafePointer<CChar>?>?,
    _ fetch: OpaquePointer?,
    _ index: Int
) -> assay_code {
    guard let outName = unsafe outName, let outValue = unsafe outValue, let fetch = unsafe fetch else { return .invalidArgument }
    guard let field = unsafe fetch.lend(as: HostedFetch.self, { unsafe $0.field(index) }) else { return .noValue }
    unsafe outName.pointee = field.name
    unsafe outValue.pointee = field.value
    return .ok
}

@c @implementation
public func assay_fetch_free(_ fetch: OpaquePointer?) { unsafe fetch?.release(as: HostedFetch.self) }

@c @implementation
public func assay_keys_install(
    _ keys: OpaquePointer?, _ fetch: OpaquePointer?, _ status: UInt32, _ fields: UnsafePointer<assay_field>?, _ fieldCount: Int,
    _ body: UnsafePointer<CChar>?, _ bodyCount: Int
) -> assay_code {
    unsafe HostedFetch.install(fetch, of: keys?.object(as: Keys.self).hosted, status, fields, fieldCount, CallerText(body, bodyCount))
}

@c @implementation
public func assay_keys_fail(_ keys: OpaquePointer?, _ fetch: OpaquePointer?, _ failure: UInt32) -> assay_code {
    unsafe HostedFetch.fail(fetch, of: keys?.object(as: Keys.self).hosted, failure)
}

extension HostedFetch {
    /// Hands over the response to a fetch, if it is one of `owner`.
    @unsafe
    static func install(
        _ fetch: OpaquePointer?, of owner: AnyObject?, _ status: UInt32, _ fields: UnsafePointer<assay_field>?, _ count: Int,
        _ body: CallerText?
    ) -> assay_code {
        guard let fetch = unsafe owned(fetch, by: owner), let body, status <= 999, let fields = unsafe responseFields(fields, count) else {
            return .invalidArgument
        }
        guard body.count <= fetch.bodyLimit else { return assay_code(fetch.answer(.failure(RequestFailure(.tooLarge)))) }
        return assay_code(fetch.answer(.success(ReceivedResponse(status: Int(status), fields: fields, body: body.array))))
    }

    /// Reports that a fetch got no response, if it is one of `owner`.
    @unsafe
    static func fail(_ fetch: OpaquePointer?, of owner: AnyObject?, _ failure: UInt32) -> assay_code {
        guard let fetch = unsafe owned(fetch, by: owner), let reason = RequestFailure.Reason(number: failure) else {
            return .invalidArgument
        }
        return assay_code(fetch.answer(.failure(RequestFailure(reason))))
    }

    @unsafe
    private static func owned(_ fetch: OpaquePointer?, by owner: AnyObject?) -> HostedFetch? {
        guard let fetch = unsafe fetch?.object(as: HostedFetch.self), let owner, fetch.owner === owner else { return nil }
        return fetch
    }
}

/// Copies the fields of a response; nil for a text or a number of them that is impossible.
@unsafe
private func responseFields(_ fields: UnsafePointer<assay_field>?, _ count: Int) -> [HeaderField]? {
    guard (0...1_024).contains(count) else { return nil }
    guard count > 0 else { return [] }
    guard let fields = unsafe fields else { return nil }
    var copies: [HeaderField] = []
    for index in 0..<count {
        guard let name = unsafe CallerText(fields[index].name), let value = unsafe CallerText(fields[index].value) else { return nil }
        copies.append(HeaderField(String(decoding: name.array, as: UTF8.self), String(decoding: value.array, as: UTF8.self)))
    }
    return copies
}

extension assay_code {
    fileprivate init(_ outcome: HostedRequest.Outcome) {
        switch outcome {
        case .installed: self = .ok
        case .continues: self = .fetchContinues
        case .failed: self = .fetchFailed
        case .ended: self = .fetchEnded
        }
    }
}
