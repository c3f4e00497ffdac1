internal import CAssayInterface
internal import JWTCore

// Objects of this library that C holds by an opaque pointer. The pointer owns a reference, which the type's `_free` function gives back.
//
// Every function of this module takes pointers that its caller answers for: alive, of the right type, and with their length. Only NULL and
// impossible lengths can be seen here, and are refused.

extension OpaquePointer {
    /// A pointer that owns `object`.
    @unsafe
    package init(owning object: some AnyObject) { unsafe self.init(Unmanaged.passRetained(object).toOpaque()) }

    /// The object of a pointer, retained.
    @unsafe
    package func object<Object: AnyObject>(as type: Object.Type) -> Object {
        unsafe Unmanaged<Object>.fromOpaque(UnsafeRawPointer(self)).takeUnretainedValue()
    }

    /// Lends the object without changing its reference count, which every core would write to.
    @unsafe
    func lend<Object: AnyObject, Result>(as type: Object.Type, _ body: (Object) -> Result) -> Result {
        unsafe unmanaged(as: type).lend(body)
    }

    @unsafe
    func unmanaged<Object: AnyObject>(as type: Object.Type) -> Unmanaged<Object> { unsafe .fromOpaque(UnsafeRawPointer(self)) }

    /// Gives back the reference that the pointer owns.
    @unsafe
    package func release<Object: AnyObject>(as type: Object.Type) {
        unsafe Unmanaged<Object>.fromOpaque(UnsafeRawPointer(self)).release()
    }
}

/// Stores a pointer that owns what `make` returns.
@unsafe
func assign(
    _ out: UnsafeMutablePointer<OpaquePointer?>?, _ make: () throws(InterfaceFailure) -> some AnyObject
) -> assay_code {
    guard let out = unsafe out else { return .invalidArgument }
    do throws(InterfaceFailure) {
        unsafe out.pointee = OpaquePointer(owning: try make())
        return .ok
    } catch {
        return error.code
    }
}
