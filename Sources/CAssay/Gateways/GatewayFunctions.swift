public import CAssayInterface
internal import Gateway
internal import JWTCore

@c @implementation
public func assay_gateway_check(
    _ out: UnsafeMutablePointer<CChar>?, _ capacity: Int, _ settings: UnsafePointer<CChar>?, _ count: Int
) -> Int {
    let buffer = unsafe CallerBuffer(out, capacity)
    guard let settings = unsafe CallerText(settings, count) else { return buffer.write("error: no settings") }
    return buffer.write(SettingsReport.text(settings.bytes))
}

/// What is to be said about settings.
private enum SettingsReport {
    static func text(_ settings: Span<UInt8>) -> String {
        do throws(SettingsFailure) {
            let settings = try GatewaySettings(json: settings)
            try settings.checkFiles(knowsFolder: false)
            try settings.checkLog()
            return lines("warning", settings.warnings)
        } catch {
            return lines("error", error.faults)
        }
    }

    private static func lines(_ kind: String, _ faults: [SettingsFault]) -> String {
        faults.map { "\(kind): \($0)" }.joined(separator: "\n")
    }
}

@c @implementation
public func assay_gateway_new(
    _ out: UnsafeMutablePointer<OpaquePointer?>?, _ settings: UnsafePointer<CChar>?, _ count: Int,
    _ options: UnsafePointer<assay_gateway_options>?
) -> assay_code {
    guard let settings = unsafe CallerText(settings, count),
        let options = unsafe options.map({ unsafe GatewayOptions($0) }) ?? GatewayOptions()
    else { return .invalidArgument }
    return unsafe assign(out) { () throws(InterfaceFailure) in try HostedGateway(settings.bytes, options) }
}

@c @implementation
public func assay_gateway_replace(_ gateway: OpaquePointer?, _ settings: UnsafePointer<CChar>?, _ count: Int) -> assay_code {
    guard let gateway = unsafe gateway, let settings = unsafe CallerText(settings, count) else { return .invalidArgument }
    return unsafe outcome(of: gateway) { gateway throws(InterfaceFailure) in try gateway.replace(settings.bytes) }
}

@c @implementation
public func assay_gateway_revoke(_ gateway: OpaquePointer?, _ list: UnsafePointer<CChar>?, _ count: Int) -> assay_code {
    guard let gateway = unsafe gateway, let list = unsafe CallerText(list, count) else { return .invalidArgument }
    return unsafe outcome(of: gateway) { gateway throws(InterfaceFailure) in try gateway.revoke(list.bytes) }
}

@unsafe
private func outcome(of gateway: OpaquePointer, _ change: (HostedGateway) throws(InterfaceFailure) -> Void) -> assay_code {
    do throws(InterfaceFailure) {
        try change(unsafe gateway.object(as: HostedGateway.self))
        return .ok
    } catch {
        return error.code
    }
}

@c @implementation
public func assay_gateway_free(_ gateway: OpaquePointer?) { unsafe gateway?.release(as: HostedGateway.self) }

@c @implementation
public func assay_gateway_is_ready(_ gateway: OpaquePointer?) -> Int32 {
    unsafe gateway?.lend(as: HostedGateway.self) { $0.isReady } ?? false ? 1 : 0
}

@c @implementation
public func assay_gateway_protects(_ gateway: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ count: Int) -> Int32 {
    guard let gateway = unsafe gateway, let name = unsafe CallerText(name, count) else { return 1 }
    var isProtected = true
    unsafe gateway.lend(as: HostedGateway.self) { $0.withDecider { isProtected = $0.protects(name.bytes) } }
    return isProtected ? 1 : 0
}

@c @implementation
public func assay_gateway_resource_metadata(
    _ out: UnsafeMutablePointer<CChar>?, _ capacity: Int, _ gateway: OpaquePointer?, _ authority: UnsafePointer<CChar>?,
    _ authorityCount: Int, _ target: UnsafePointer<CChar>?, _ targetCount: Int
) -> Int {
    let buffer = unsafe CallerBuffer(out, capacity)
    guard let gateway = unsafe gateway, let authority = unsafe CallerText(authority, authorityCount),
        let target = unsafe CallerText(target, targetCount),
        let document = unsafe gateway.object(as: HostedGateway.self).decider.resources.document(
            authority: authority.bytes, target: target.bytes)
    else { return buffer.write("") }
    return buffer.write(String(decoding: document, as: UTF8.self))
}

@c @implementation
public func assay_gateway_explain(
    _ out: UnsafeMutablePointer<CChar>?, _ capacity: Int, _ gateway: OpaquePointer?, _ request: UnsafePointer<assay_request>?,
    _ now: Double
) -> Int {
    let buffer = unsafe CallerBuffer(out, capacity)
    guard let gateway = unsafe gateway, let request = unsafe CallerRequest(request) else { return buffer.write("") }
    return buffer.write(
        unsafe gateway.object(as: HostedGateway.self).decider.explain(request.view, now: NumericDate(host: now)).description)
}

@c @implementation
public func assay_gateway_status(_ out: UnsafeMutablePointer<CChar>?, _ capacity: Int, _ gateway: OpaquePointer?) -> Int {
    let buffer = unsafe CallerBuffer(out, capacity)
    guard let gateway = unsafe gateway else { return buffer.write("") }
    return buffer.write(GatewayReport(unsafe gateway.object(as: HostedGateway.self)).json)
}

@c @implementation
public func assay_gateway_metrics(_ out: UnsafeMutablePointer<CChar>?, _ capacity: Int, _ gateway: OpaquePointer?) -> Int {
    let buffer = unsafe CallerBuffer(out, capacity)
    guard let gateway = unsafe gateway else { return buffer.write("") }
    return buffer.write(GatewayReport(unsafe gateway.object(as: HostedGateway.self)).samples)
}
