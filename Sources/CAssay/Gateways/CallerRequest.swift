internal import CAssayInterface
internal import Gateway
internal import ReplayMemory

/// A request in the caller's memory, valid during the call.
@safe
struct CallerRequest {
    private let request: assay_request

    /// Nil for a structure of no size that a caller has, and for a text or a number of fields that is impossible.
    @unsafe
    init?(_ pointer: UnsafePointer<assay_request>?) {
        // Before other members are read, the first one says which are there.
        guard let pointer = unsafe pointer, let known = unsafe Self.knownBytes(pointer.pointee.size) else { return nil }
        var request = unsafe assay_request()
        // SAFETY: the caller has `known` bytes, which are at most those of the structure.
        unsafe withUnsafeMutableBytes(of: &request) { unsafe $0.copyMemory(from: UnsafeRawBufferPointer(start: pointer, count: known)) }
        unsafe self.request = request
        guard unsafe request.may_wait <= 1, unsafe request.reserved == 0, unsafe Self.isText(request.method),
            unsafe Self.isText(request.authority), unsafe Self.isText(request.target), unsafe Self.isText(request.policy),
            unsafe Self.isText(request.scheme), unsafe Self.isText(request.certificate),
            unsafe Self.isText(request.certificate_digest), unsafe request.certificate.len == 0 || request.certificate_digest.len == 0,
            unsafe Self.areFields(request.fields, request.field_count),
            unsafe Self.areFields(request.context, request.context_count), unsafe Self.areUses(request.used, request.used_count)
        else { return nil }
    }

    var mayWait: Bool { unsafe request.may_wait == 1 }

    /// Whether the host says what earlier decisions about this request have used.
    var isKnown: Bool { unsafe request.used_count > 0 }

    /// Hands that over.
    func admitUses(to memory: inout DecisionMemory) {
        guard isKnown, let start = unsafe request.used else { return }
        for place in 0..<(unsafe request.used_count) { memory.admit(unsafe ReplayIdentifier(start[place])) }
    }

    var view: RequestView {
        @_lifetime(borrow self) get {
            let view = unsafe RequestView(
                method: Self.text(request.method), authority: Self.text(request.authority), target: Self.text(request.target),
                fields: Self.fields(request.fields, request.field_count), context: Self.fields(request.context, request.context_count),
                policy: Self.text(request.policy), scheme: Self.text(request.scheme), certificate: certificate,
                certificateForm: certificateForm)
            return unsafe _overrideLifetime(view, borrowing: self)
        }
    }

    private var certificate: HostText {
        unsafe Self.text(request.certificate.len == 0 ? request.certificate_digest : request.certificate)
    }

    private var certificateForm: CertificateForm { unsafe request.certificate.len == 0 ? .digest : .der }

    private static let mostFields = 1_024
    private static let mostUses = 64

    /// The bytes that may be read of a structure of this size. `scheme` came later than the others, then `used` with its count, and then what
    /// tells the certificate.
    private static func knownBytes(_ size: Int) -> Int? {
        let whole = unsafe MemoryLayout<assay_request>.size, text = unsafe MemoryLayout<assay_text>.size
        let withoutCertificate = whole - 2 * text, withoutUses = withoutCertificate - 2 * MemoryLayout<Int>.size
        return size >= whole ? whole : [withoutCertificate, withoutUses, withoutUses - text].contains(size) ? size : nil
    }

    @unsafe
    private static func isText(_ text: assay_text) -> Bool { unsafe text.len >= 0 && (text.len == 0 || text.bytes != nil) }

    @unsafe
    private static func areFields(_ fields: UnsafePointer<assay_field>?, _ count: Int) -> Bool {
        guard count > 0 else { return count == 0 }
        guard let fields = unsafe fields, count <= mostFields else { return false }
        for place in 0..<count {
            guard unsafe isText(fields[place].name), unsafe isText(fields[place].value) else { return false }
        }
        return true
    }

    @unsafe
    private static func areUses(_ uses: UnsafePointer<assay_use>?, _ count: Int) -> Bool {
        unsafe count == 0 || (uses != nil && (1...mostUses).contains(count))
    }

    @unsafe
    private static func text(_ text: assay_text) -> HostText {
        // SAFETY: char and UInt8 are layout-compatible.
        unsafe HostText(text.bytes.map { unsafe UnsafeRawPointer($0).assumingMemoryBound(to: UInt8.self) }, count: text.len)
    }

    @unsafe
    @_lifetime(immortal)
    private static func fields(_ fields: UnsafePointer<assay_field>?, _ count: Int) -> Span<HostField> {
        // SAFETY: both are a pointer and a length for the name, then the same for the value. `areFields` has looked at each.
        let start = unsafe fields.map { unsafe UnsafeRawPointer($0).assumingMemoryBound(to: HostField.self) }
        let span = unsafe Span(_unsafeElements: UnsafeBufferPointer(start: start, count: count))
        return unsafe _overrideLifetime(span, borrowing: ())
    }
}

extension ReplayIdentifier {
    @unsafe
    fileprivate init(_ use: assay_use) { self.init(digest: unsafe withUnsafeBytes(of: use.digest) { unsafe Array($0) }) }
}
