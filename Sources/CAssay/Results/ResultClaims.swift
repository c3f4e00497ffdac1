public import CAssayInterface
internal import JWTCore

// Finding claims, and the registered ones.

@c @implementation
public func assay_result_claim(
    _ out: UnsafeMutablePointer<assay_value>?, _ result: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ nameCount: Int
) -> assay_code {
    guard let out = unsafe out, let name = unsafe CallerText(name, nameCount), let memory = unsafe ResultMemory(result) else {
        return .invalidArgument
    }
    defer { memory.leave() }
    guard memory.head.content == .claims else { return .noClaims }
    guard let found = memory.payload.member(named: name.bytes) else { return .noValue }
    unsafe out.pointee = memory.value(found)
    return .ok
}

@c @implementation
public func assay_result_claim_at(
    _ out: UnsafeMutablePointer<assay_value>?, _ result: OpaquePointer?, _ pointer: UnsafePointer<CChar>?, _ pointerCount: Int
) -> assay_code {
    guard let out = unsafe out, let text = unsafe CallerText(pointer, pointerCount)?.string, let pointer = JSONPointer(text),
        let memory = unsafe ResultMemory(result)
    else { return .invalidArgument }
    defer { memory.leave() }
    guard memory.head.content == .claims else { return .noClaims }
    guard let found = pointer.value(in: memory.payload) else { return .noValue }
    unsafe out.pointee = memory.value(found)
    return .ok
}

@c @implementation
public func assay_result_issuer(
    _ out: UnsafeMutablePointer<UnsafePointer<CChar>?>?, _ outCount: UnsafeMutablePointer<Int>?, _ result: OpaquePointer?
) -> assay_code { unsafe registeredString("iss", of: result, out, outCount) }

@c @implementation
public func assay_result_subject(
    _ out: UnsafeMutablePointer<UnsafePointer<CChar>?>?, _ outCount: UnsafeMutablePointer<Int>?, _ result: OpaquePointer?
) -> assay_code { unsafe registeredString("sub", of: result, out, outCount) }

@c @implementation
public func assay_result_token_id(
    _ out: UnsafeMutablePointer<UnsafePointer<CChar>?>?, _ outCount: UnsafeMutablePointer<Int>?, _ result: OpaquePointer?
) -> assay_code { unsafe registeredString("jti", of: result, out, outCount) }

@c @implementation
public func assay_result_key_id(
    _ out: UnsafeMutablePointer<UnsafePointer<CChar>?>?, _ outCount: UnsafeMutablePointer<Int>?, _ result: OpaquePointer?
) -> assay_code { unsafe headerString("kid", of: result, out, outCount) }

@c @implementation
public func assay_result_algorithm(
    _ out: UnsafeMutablePointer<UnsafePointer<CChar>?>?, _ outCount: UnsafeMutablePointer<Int>?, _ result: OpaquePointer?
) -> assay_code { unsafe headerString("alg", of: result, out, outCount) }

@c @implementation
public func assay_result_expiration(_ out: UnsafeMutablePointer<Int64>?, _ result: OpaquePointer?) -> assay_code {
    unsafe date("exp", of: result, out)
}

@c @implementation
public func assay_result_not_before(_ out: UnsafeMutablePointer<Int64>?, _ result: OpaquePointer?) -> assay_code {
    unsafe date("nbf", of: result, out)
}

@c @implementation
public func assay_result_issued_at(_ out: UnsafeMutablePointer<Int64>?, _ result: OpaquePointer?) -> assay_code {
    unsafe date("iat", of: result, out)
}

@c @implementation
public func assay_result_authentication_time(_ out: UnsafeMutablePointer<Int64>?, _ result: OpaquePointer?) -> assay_code {
    unsafe date("auth_time", of: result, out)
}

@c @implementation
public func assay_result_header(
    _ out: UnsafeMutablePointer<UnsafePointer<CChar>?>?, _ outCount: UnsafeMutablePointer<Int>?, _ result: OpaquePointer?
) -> assay_code {
    guard let memory = unsafe ResultMemory(result) else { return .invalidArgument }
    defer { memory.leave() }
    guard memory.head.code == .ok else { return .noClaims }
    return unsafe give(memory.text(memory.header.text), out, outCount)
}

@c @implementation
public func assay_result_payload(
    _ out: UnsafeMutablePointer<UnsafePointer<CChar>?>?, _ outCount: UnsafeMutablePointer<Int>?, _ result: OpaquePointer?
) -> assay_code {
    guard let memory = unsafe ResultMemory(result) else { return .invalidArgument }
    defer { memory.leave() }
    guard memory.head.code == .ok else { return .noClaims }
    return unsafe give(memory.text(memory.payload.text), out, outCount)
}

/// Stores a text for the caller.
@unsafe
func give(
    _ text: (start: UnsafePointer<CChar>, count: Int), _ out: UnsafeMutablePointer<UnsafePointer<CChar>?>?,
    _ outCount: UnsafeMutablePointer<Int>?
) -> assay_code {
    guard let out = unsafe out, let outCount = unsafe outCount else { return .invalidArgument }
    unsafe out.pointee = text.start
    unsafe outCount.pointee = text.count
    return .ok
}

@unsafe
private func registeredString(
    _ name: String, of result: OpaquePointer?, _ out: UnsafeMutablePointer<UnsafePointer<CChar>?>?, _ outCount: UnsafeMutablePointer<Int>?
) -> assay_code {
    guard let memory = unsafe ResultMemory(result) else { return .invalidArgument }
    defer { memory.leave() }
    guard memory.head.content == .claims else { return .noClaims }
    guard let value = memory.payload[name] else { return .noValue }
    guard let string = value.string else { return .wrongType }
    return unsafe give(memory.text(string), out, outCount)
}

@unsafe
private func headerString(
    _ name: String, of result: OpaquePointer?, _ out: UnsafeMutablePointer<UnsafePointer<CChar>?>?, _ outCount: UnsafeMutablePointer<Int>?
) -> assay_code {
    guard let memory = unsafe ResultMemory(result) else { return .invalidArgument }
    defer { memory.leave() }
    guard memory.head.code == .ok else { return .noClaims }
    guard let string = memory.header[name]?.string else { return .noValue }
    return unsafe give(memory.text(string), out, outCount)
}

@unsafe
private func date(_ name: String, of result: OpaquePointer?, _ out: UnsafeMutablePointer<Int64>?) -> assay_code {
    guard let out = unsafe out, let memory = unsafe ResultMemory(result) else { return .invalidArgument }
    defer { memory.leave() }
    guard memory.head.content == .claims else { return .noClaims }
    guard let value = memory.payload[name] else { return .noValue }
    guard let date = value.date else { return .wrongType }
    unsafe out.pointee = date.seconds
    return .ok
}
