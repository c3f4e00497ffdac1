internal import CAssay
public import CAssayInterface
internal import HTTPGuard
internal import JWKSCache

@c @implementation
public func assay_http_client_new(
    _ out: UnsafeMutablePointer<OpaquePointer?>?, _ options: UnsafePointer<assay_http_options>?,
    _ wake: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?, _ context: UnsafeMutableRawPointer?
) -> assay_code {
    guard let out = unsafe out, let client = unsafe GuardedClient(options) else { return .invalidArgument }
    unsafe out.pointee = OpaquePointer(owning: HostedClient(client, HostWake(wake, context)))
    return .ok
}

@c @implementation
public func assay_http_client_send(
    _ client: OpaquePointer?, _ url: UnsafePointer<CChar>?, _ count: Int, _ fields: UnsafePointer<assay_field>?, _ fieldCount: Int
) -> assay_code {
    guard let client = unsafe client, let url = unsafe assay_text(bytes: url, len: count).string, !url.isEmpty,
        let fields = unsafe headerFields(fields, fieldCount)
    else { return .invalidArgument }
    return unsafe client.object(as: HostedClient.self).send(OutgoingRequest(url: url, fields: fields)) ? .ok : .notDue
}

@c @implementation
public func assay_http_client_take(_ out: UnsafeMutablePointer<assay_http_answer>?, _ client: OpaquePointer?) -> assay_code {
    guard let out = unsafe out, let client = unsafe client, unsafe out.pointee.size >= MemoryLayout<assay_http_answer>.size else {
        return .invalidArgument
    }
    guard let answer = unsafe client.object(as: HostedClient.self).take() else { return .noValue }
    unsafe out.pointee = answer.value
    return .ok
}

@c @implementation
public func assay_http_client_free(_ client: OpaquePointer?) {
    guard let client = unsafe client else { return }
    unsafe client.object(as: HostedClient.self).stop()
    unsafe client.release(as: HostedClient.self)
}

@c @implementation
public func assay_http_permits(_ url: UnsafePointer<CChar>?, _ count: Int, _ addresses: UInt32) -> CInt {
    guard let url = unsafe assay_text(bytes: url, len: count).string, let configuration = GuardedClient.Configuration(addresses: addresses)
    else { return 0 }
    return configuration.permits(url) ? 1 : 0
}

/// Copies fields of a request; nil for what cannot be read.
@unsafe
private func headerFields(_ fields: UnsafePointer<assay_field>?, _ count: Int) -> [HeaderField]? {
    guard (0...64).contains(count), unsafe count == 0 || fields != nil else { return nil }
    var copies: [HeaderField] = []
    for place in 0..<count {
        guard let name = unsafe fields?[place].name.string, let value = unsafe fields?[place].value.string else { return nil }
        copies.append(HeaderField(name, value))
    }
    return copies
}
