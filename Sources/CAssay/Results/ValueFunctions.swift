public import CAssayInterface
internal import JWTCore

@c @implementation
public func assay_value_string(
    _ out: UnsafeMutablePointer<UnsafePointer<CChar>?>?, _ outCount: UnsafeMutablePointer<Int>?, _ value: UnsafePointer<assay_value>?
) -> assay_code {
    unsafe read(value) { memory, found in
        guard let string = found.string else { return .wrongType }
        return unsafe give(memory.text(string), out, outCount)
    }
}

@c @implementation
public func assay_value_integer(_ out: UnsafeMutablePointer<Int64>?, _ value: UnsafePointer<assay_value>?) -> assay_code {
    unsafe read(value) { _, found in unsafe store(found.number?.int64, out) }
}

@c @implementation
public func assay_value_number(_ out: UnsafeMutablePointer<Double>?, _ value: UnsafePointer<assay_value>?) -> assay_code {
    unsafe read(value) { _, found in unsafe store(found.number?.double, out) }
}

@c @implementation
public func assay_value_bool(_ out: UnsafeMutablePointer<Int32>?, _ value: UnsafePointer<assay_value>?) -> assay_code {
    unsafe read(value) { _, found in unsafe store(found.bool.map { $0 ? 1 : 0 }, out) }
}

@c @implementation
public func assay_value_json(
    _ out: UnsafeMutablePointer<UnsafePointer<CChar>?>?, _ outCount: UnsafeMutablePointer<Int>?, _ value: UnsafePointer<assay_value>?
) -> assay_code {
    unsafe read(value) { memory, found in unsafe give(memory.text(found.raw, widenedBy: found.kind == .string ? 1 : 0), out, outCount) }
}

@c @implementation
public func assay_value_count(_ out: UnsafeMutablePointer<Int>?, _ value: UnsafePointer<assay_value>?) -> assay_code {
    unsafe read(value) { _, found in unsafe store(found.isArray || found.isObject ? found.count : nil, out) }
}

@c @implementation
public func assay_value_element(
    _ out: UnsafeMutablePointer<assay_value>?, _ array: UnsafePointer<assay_value>?, _ index: Int
) -> assay_code {
    unsafe read(array) { memory, found in
        guard let out = unsafe out else { return .invalidArgument }
        guard found.isArray else { return .wrongType }
        guard let element = found[index] else { return .noValue }
        unsafe out.pointee = memory.value(element)
        return .ok
    }
}

@c @implementation
public func assay_value_member(
    _ out: UnsafeMutablePointer<assay_value>?, _ outName: UnsafeMutablePointer<UnsafePointer<CChar>?>?,
    _ outNameCount: UnsafeMutablePointer<Int>?, _ object: UnsafePointer<assay_value>?, _ index: Int
) -> assay_code {
    unsafe read(object) { memory, found in
        guard let out = unsafe out else { return .invalidArgument }
        guard found.isObject else { return .wrongType }
        var position = 0
        var code = assay_code.noValue
        found.forEachMember { name, value in
            if position == index {
                code = unsafe give(memory.text(name), outName, outNameCount)
                if code == .ok { unsafe out.pointee = memory.value(value) }
            }
            position += 1
        }
        return code
    }
}

/// Lends the value to `body`, unless its result has been reset.
@unsafe
private func read(_ value: UnsafePointer<assay_value>?, _ body: (ResultMemory, borrowing JSONValue) -> assay_code) -> assay_code {
    guard let value = unsafe value?.pointee, let memory = unsafe ResultMemory(value.result) else { return .invalidArgument }
    defer { memory.leave() }
    let head = memory.head
    guard head.content == .claims, unsafe head.serial == value.serial else { return .noClaims }
    let place = unsafe Int(value.place)
    guard place < head.payloadRecords else { return .invalidArgument }
    let payload = memory.payload
    return body(memory, JSONValue(text: payload.text, tape: payload.tape, index: place))
}

@unsafe
private func store<Value>(_ value: Value?, _ out: UnsafeMutablePointer<Value>?) -> assay_code {
    guard let out = unsafe out else { return .invalidArgument }
    guard let value else { return .wrongType }
    unsafe out.pointee = value
    return .ok
}

extension ResultMemory {
    /// A value of the payload for the caller.
    @unsafe
    func value(_ value: borrowing JSONValue) -> assay_value {
        let type =
            switch value.kind {
            case .null: ASSAY_TYPE_NULL
            case .true, .false: ASSAY_TYPE_BOOLEAN
            case .number: ASSAY_TYPE_NUMBER
            case .string: ASSAY_TYPE_STRING
            case .array: ASSAY_TYPE_ARRAY
            case .object: ASSAY_TYPE_OBJECT
            }
        return unsafe assay_value(result: pointer, serial: head.serial, place: UInt32(value.index), type: UInt32(type))
    }
}
