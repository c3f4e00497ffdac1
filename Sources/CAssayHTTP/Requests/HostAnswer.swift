internal import CAssay
internal import CAssayInterface
internal import JWKSCache

/// What came of a single request, as C reads it.
@safe
final class HostAnswer: @unchecked Sendable {
    // SAFETY: allocated here, written before `init` returns, freed in deinit.
    private let texts: UnsafeMutablePointer<CChar>
    private let fields: UnsafeMutablePointer<assay_field>
    /// Its texts live as long as this object.
    let value: assay_http_answer

    init(to url: String, _ answer: Result<ReceivedResponse, RequestFailure>) {
        let response = try? answer.get()
        var failure: RequestFailure?
        if case .failure(let found) = answer { failure = found }
        let received = response?.fields ?? [], body = response?.body ?? [], reason = failure?.detail ?? ""
        let fieldBytes = received.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        var writer = unsafe TextWriter(url.utf8.count + reason.utf8.count + body.count + fieldBytes)
        unsafe texts = writer.start
        unsafe fields = .allocate(capacity: max(1, received.count))
        for (place, field) in received.enumerated() {
            unsafe (fields + place).initialize(to: assay_field(name: writer.write(field.name.utf8), value: writer.write(field.value.utf8)))
        }
        unsafe value = assay_http_answer(
            size: MemoryLayout<assay_http_answer>.size, url: writer.write(url.utf8), failure: failure?.reason.number ?? 0,
            status: UInt32(response?.status ?? 0), fields: UnsafePointer(fields), field_count: received.count, body: writer.write(body),
            reason: writer.write(reason.utf8))
    }

    deinit {
        unsafe texts.deallocate()
        unsafe fields.deallocate()
    }
}

/// Writes texts one after the other.
@unsafe
private struct TextWriter {
    let start: UnsafeMutablePointer<CChar>
    private var end: UnsafeMutablePointer<CChar>

    /// - Parameter count: the bytes of all texts.
    init(_ count: Int) {
        unsafe start = .allocate(capacity: max(1, count))
        unsafe end = start
    }

    mutating func write(_ text: some Collection<UInt8>) -> assay_text {
        let first = unsafe end
        for byte in text {
            unsafe end.initialize(to: CChar(bitPattern: byte))
            unsafe end += 1
        }
        return unsafe assay_text(bytes: first, len: text.count)
    }
}
