internal import COpenSSL

/// A key in libcrypto, private or public.
@safe
class LibcryptoKey: @unchecked Sendable {
    // SAFETY: the key never changes after initialisation and is freed only here.
    let handle: OpaquePointer

    init?(_ make: (UnsafeMutablePointer<OpaquePointer?>) -> Int32) {
        var handle: OpaquePointer?
        guard unsafe make(&handle) == 1, let handle = unsafe handle else { return nil }
        unsafe self.handle = handle
    }

    deinit { unsafe cossl_pkey_free(handle) }

    final var privateDocument: [UInt8]? {
        var document: UnsafeMutablePointer<UInt8>?
        var length = 0
        guard unsafe cossl_pkey_private_document(&document, &length, handle) == 1 else { return nil }
        defer { unsafe cossl_document_free(document, length) }
        return unsafe Array(UnsafeBufferPointer(start: document, count: length))
    }
}
