internal import CJWTKernels

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// Prepared data of one key for the kernels: a table of its multiples, or a modulus in digits. It has its own memory, which is never
/// written after the build and which its last owner frees:
///
///     [ header, padded to 64 bytes ][ what the kernels made, 64-byte aligned ]
@safe
struct KeyTable: BitwiseCopyable, @unchecked Sendable {
    enum Size: UInt8, Sendable {
        case small, full

        var kernels: cjwt_table_size { self == .small ? CJWT_TABLE_SMALL : CJWT_TABLE_FULL }
    }

    struct Header: BitwiseCopyable {
        let family: UInt8
        let size: UInt8
        let byteCount: Int
        /// RSA: bytes of the modulus.
        let modulusLength: Int
    }

    // SAFETY: a caller with a table owns it, or is in the read-side critical section that loaded the table.
    let start: UnsafeMutableRawPointer

    /// Takes ownership of a pointer that was the ``start`` of a table.
    init(_ start: UnsafeMutableRawPointer) { unsafe self.start = start }

    enum Failure: Error {
        case outOfMemory
        /// The kernels refuse the key.
        case refused
    }

    /// Builds the table of `material`.
    init(_ material: KernelMaterial, _ family: KernelFamily, _ size: Size) throws(Failure) {
        let byteCount = Self.byteCount(material, family, size)
        guard byteCount > Self.headerBytes else { throw .refused }
        guard let memory = unsafe aligned_alloc(64, byteCount) else { throw .outOfMemory }
        guard unsafe material.build(family, size, at: memory + Self.headerBytes) else {
            unsafe releaseMemory(memory)
            throw .refused
        }
        let header = Header(family: family.rawValue, size: size.rawValue, byteCount: byteCount, modulusLength: material.bytes.count)
        unsafe memory.storeBytes(of: header, as: Header.self)
        if material.kind == .ed25519 { unsafe (memory + Self.keyOffset).copyMemory(from: material.bytes, byteCount: material.bytes.count) }
        unsafe start = memory
    }

    /// Frees the memory.
    @unsafe
    func free() { unsafe releaseMemory(start) }

    var header: Header { unsafe start.load(as: Header.self) }
    var family: KernelFamily? { KernelFamily(rawValue: header.family) }
    var isFull: Bool { header.size == Size.full.rawValue }
    var kernelTable: UnsafeRawPointer { unsafe UnsafeRawPointer(start + Self.headerBytes) }
    /// Ed25519: the 32 bytes of the public key, which are hashed with every message.
    var publicKey: UnsafeRawPointer { unsafe UnsafeRawPointer(start + Self.keyOffset) }

    /// RSA: the key of ``KernelFamily/rsaScalar``. A table for lanes has it behind its own.
    @unsafe
    func scalarKey(_ family: KernelFamily) -> UnsafeRawPointer {
        unsafe kernelTable + family.laneKeyBytes(header.modulusLength)
    }

    /// Whether a signature of this key can have `count` bytes.
    func takes(signatureOf count: Int, _ family: KernelFamily) -> Bool {
        switch family {
        case .rsaIFMA, .rsaScalar, .rsaAVX2, .rsaAVX512F, .rsaIFMA256: count == header.modulusLength
        case .ed25519IFMA, .ed25519Tables: count == 64
        default: true
        }
    }

    /// Bytes of a table, including its header.
    static func byteCount(_ material: KernelMaterial, _ family: KernelFamily, _ size: Size) -> Int {
        let bytes = material.tableBytes(family, size)
        return bytes == 0 ? 0 : (headerBytes + bytes + 63) / 64 * 64
    }

    private static let headerBytes = 64
    private static let keyOffset = 32
}

@unsafe
private func releaseMemory(_ start: UnsafeMutableRawPointer) { unsafe free(start) }
