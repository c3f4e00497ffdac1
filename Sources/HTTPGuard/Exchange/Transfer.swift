internal import CCurl
internal import JWKSCache
internal import JWTCore
internal import Synchronization

/// One request over a connection of its own to one address, and its answer.
///
/// All but ``cancel()`` and ``isEstablished`` belongs to the thread of the ``TransferLoop``.
@safe
final class Transfer: @unchecked Sendable {
    private let request: OutgoingRequest
    private let target: TargetURL
    private let address: IPAddress
    private let proxy: Proxy?
    private let limits: RequestLimits
    private let client: GuardedClient
    private let completion: @Sendable (Result<ReceivedResponse, RequestFailure>) -> Void
    private let established = Atomic(false)
    private let cancelled = Atomic(false)

    // SAFETY: made and freed on the loop's thread, but for a transfer that never began.
    private(set) var pointer: OpaquePointer?
    /// What the transfer reads while it runs.
    private var prepared: PreparedRequest?
    private var head = AnswerHead()
    private var chunks = ChunkFraming()
    private var body: [UInt8] = []
    private var fault: RequestFailure?

    /// - Parameters:
    ///   - address: the proxy's if there is one, else the target's.
    ///   - completion: called once.
    init(
        _ request: OutgoingRequest, to address: IPAddress, for target: TargetURL, proxy: Proxy?, _ limits: RequestLimits,
        _ client: GuardedClient, completion: @escaping @Sendable (Result<ReceivedResponse, RequestFailure>) -> Void
    ) {
        self.request = request
        self.address = address
        self.target = target
        self.proxy = proxy
        self.limits = limits
        self.client = client
        self.completion = completion
    }

    deinit { free() }

    private func free() { Forks.hold { unsafe ccurl_transfer_free(pointer) } }

    /// Whether a connection was made and accepted. The request may then have been sent over it.
    var isEstablished: Bool { established.load(ordering: .acquiring) }

    var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

    func cancel() { cancelled.store(true, ordering: .releasing) }

    /// Prepares the transfer.
    ///
    /// - Returns: false without memory.
    func prepare() -> Bool {
        var functions = unsafe ccurl_functions()
        unsafe functions.context = Unmanaged.passUnretained(self).toOpaque()
        unsafe functions.key = { context, bytes, count in
            unsafe Transfer.of(context).accepts(key: UnsafeBufferPointer(start: bytes, count: count))
        }
        unsafe functions.connected = { context in
            unsafe Transfer.of(context).established.store(true, ordering: .releasing)
            return true
        }
        unsafe functions.line = { context, bytes, count in
            unsafe Transfer.of(context).takes(line: UnsafeBufferPointer(start: bytes, count: count))
        }
        unsafe functions.received = { context, bytes, count in
            unsafe Transfer.of(context).takes(received: UnsafeBufferPointer(start: bytes, count: count))
        }
        unsafe functions.body = { context, bytes, count in
            unsafe Transfer.of(context).takes(body: UnsafeBufferPointer(start: bytes, count: count))
        }
        let prepared = PreparedRequest(request, to: address, for: target, proxy: proxy, limits, client.trust)
        self.prepared = prepared
        unsafe pointer = ccurl_transfer_new(&prepared.value, &functions)
        guard let pointer = unsafe pointer else { return false }
        return fields.allSatisfy { unsafe ccurl_transfer_add_field(pointer, $0.name, $0.value) == 1 }
    }

    private var fields: [HeaderField] {
        var fields = request.fields
        for field in client.configuration.originFields.filter({ $0.origin == target.origin }).flatMap(\.fields) {
            fields.removeAll { $0.name.lowercased() == field.name.lowercased() }
            fields.append(field)
        }
        if !fields.contains(where: { $0.name.lowercased() == "user-agent" }) {
            fields.append(HeaderField("User-Agent", client.configuration.userAgent))
        }
        return fields + [HeaderField("Accept-Encoding", "identity")]
    }

    // The thread of the loop

    @unsafe
    private static func of(_ context: UnsafeMutableRawPointer?) -> Transfer {
        // SAFETY: the loop holds a transfer until it has ended.
        unsafe Unmanaged<Transfer>.fromOpaque(context!).takeUnretainedValue()
    }

    private func accepts(key bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let key = unsafe Array(bytes)
        guard VerificationKey.isAcceptable(key.span) else {
            return refuse(RequestFailure(.tls, "the certificate of \(target.origin) has a weak key"))
        }
        let pins = client.configuration.pins
        guard pins.isEmpty || pins.contains(PublicKeyPin(key: key)) else {
            return refuse(RequestFailure(.pinMismatch, "the key of \(target.origin) is none of those pinned"))
        }
        return true
    }

    private func takes(line: UnsafeBufferPointer<UInt8>) -> Bool {
        let wasComplete = head.isComplete
        do throws(AnswerHead.Fault) { try unsafe head.take(line) } catch {
            switch error {
            case .tooLarge: return refuse(RequestFailure(.tooLarge, "\(target) has a header larger than the limit"))
            case .malformed: return refuse(RequestFailure(.malformed, "\(target) answers with something else than HTTP"))
            }
        }
        return wasComplete || !head.isComplete || beginsBody()
    }

    /// Refuses a body before its first byte: by its length, or for a content coding that is not decoded.
    private func beginsBody() -> Bool {
        if case .length(let count) = head.framing, count > limits.bodyBytes, hasBody { return refuseSize() }
        guard coding != nil else {
            return refuse(RequestFailure(.malformed, "\(target) comes in a content coding that was not asked for"))
        }
        return true
    }

    private func takes(received bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard head.isComplete, head.framing == .chunks else { return true }
        do throws(ChunkFraming.Fault) { try unsafe chunks.take(bytes) } catch {
            switch error {
            case .tooLarge: return refuseSize()
            case .malformed: return refuse(RequestFailure(.malformed, "\(target) has chunks that are none"))
            }
        }
        return true
    }

    private func takes(body bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard bytes.count <= limits.bodyBytes - body.count else { return refuseSize() }
        unsafe body.append(contentsOf: bytes)
        return true
    }

    private func refuseSize() -> Bool { refuse(RequestFailure(.tooLarge, "\(target) has more than \(limits.bodyBytes) bytes")) }

    private func refuse(_ failure: RequestFailure) -> Bool {
        fault = fault ?? failure
        return false
    }

    /// Ends the transfer, which its loop no longer has.
    func finish(_ failure: RequestFailure? = nil) {
        let result = failure.map(Result.failure) ?? result
        free()
        unsafe pointer = nil
        prepared = nil
        completion(result)
    }

    private var result: Result<ReceivedResponse, RequestFailure> {
        var number = 0
        let end = unsafe ccurl_transfer_end(pointer, &number)
        if let fault { return .failure(fault) }
        guard end == CCURL_DONE else { return .failure(RequestFailure(end, number, target, isEstablished: isEstablished, address)) }
        guard isWhole else { return .failure(RequestFailure(CCURL_CUT_OFF, 0, target, isEstablished: true, address)) }
        return decoded.map { ReceivedResponse(status: head.status, fields: head.fields, body: $0) }
    }

    private var hasBody: Bool { request.method != "HEAD" && head.status != 204 && head.status != 304 }

    /// Whether the head, and all that it promises, has come.
    private var isWhole: Bool {
        guard head.isComplete else { return false }
        switch head.framing {
        case .length(let count): return !hasBody || body.count == count
        case .chunks: return !hasBody || chunks.isComplete
        case .untilClose: return true
        }
    }

    /// `identity`, `gzip` or `deflate`; nil for another coding, or several.
    private var coding: String? {
        let codings = head.values("content-encoding")
        guard let coding = codings.first?.lowercased() else { return "identity" }
        return codings.count == 1 && ["identity", "gzip", "deflate"].contains(coding) ? coding : nil
    }

    private var decoded: Result<[UInt8], RequestFailure> {
        guard let coding, coding != "identity", !body.isEmpty else { return .success(body) }
        var out = [UInt8](repeating: 0, count: limits.bodyBytes)
        let count = unsafe ccurl_inflate(&out, out.count, body, body.count, coding == "gzip")
        switch count {
        case 0...: return .success(Array(out.prefix(Int(count))))
        case -1: return .failure(RequestFailure(.tooLarge, "\(target) decodes to more than the limit"))
        default: return .failure(RequestFailure(.malformed, "\(target) does not decode"))
        }
    }
}
