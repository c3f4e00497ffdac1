internal import Synchronization

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// The warning of a host whose `ASSAY_ENGINE` names no tier: written to standard error once. A library cannot refuse to start.
enum EngineWarning {
    private static let isSaid = Atomic(false)

    /// Takes no lock: a write to a full pipe waits, and another thread may fork meanwhile.
    static func say(_ word: String) {
        guard !isSaid.exchange(true, ordering: .relaxed) else { return }
        let line = Array("assay: \(sentence(on: word)); the tier is openssl\n".utf8)
        // SAFETY: the bytes are read during the call. There is nowhere to report a failed write.
        _ = unsafe line.withUnsafeBytes { bytes in unsafe write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
    }

    /// At most 32 characters of the word, with controls escaped.
    static func sentence(on word: String) -> String {
        let tiers = EngineTier.allCases.map(\.name).joined(separator: ", ")
        return "ASSAY_ENGINE is \(String(reflecting: String(word.prefix(32)))), which is not one of \(tiers), auto"
    }
}

extension Engine {
    /// A sentence on an ``unknownWord``.
    package static var fault: String? { unknownWord.map(EngineWarning.sentence(on:)) }
}
