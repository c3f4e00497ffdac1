internal import CAssayInterface
internal import Gateway
internal import JWTCore
internal import ReplayMemory
internal import Synchronization

/// A decision as C holds it, with its texts in memory that stays where it is until the next decision.
@safe
final class HostDecision: @unchecked Sendable {
    // SAFETY: only the thread that has entered uses what follows; the caller answers for readers.
    // By a pointer: Swift checks each use of an object's own member at run time, for exclusive access.
    private let memory = UnsafeMutablePointer<DecisionMemory>.allocate(capacity: 1)
    private var texts = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1_024)
    private let isBusy = Atomic(false)
    private(set) var code = assay_code.noDecision
    private(set) var waived = assay_code.ok
    private(set) var status: UInt32 = 500
    private(set) var retryAfter: Int64 = -1
    private var refusal: DenialReason?

    init() { unsafe memory.initialize(to: DecisionMemory()) }

    deinit {
        unsafe memory.deinitialize(count: 1)
        unsafe memory.deallocate()
        unsafe texts.deallocate()
    }

    /// Decides, unless another thread is deciding with this object. Without a request the decision is empty: a mistake of the caller leaves
    /// nothing of an earlier request in it.
    ///
    /// - Parameter gateway: alive during the call. It is unmanaged because an optional object is retained when it is unwrapped.
    @unsafe
    func decide(_ request: CallerRequest?, _ gateway: Unmanaged<HostedGateway>?, now: NumericDate?) -> assay_code {
        guard isBusy.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged else { return .invalidArgument }
        defer { isBusy.store(false, ordering: .releasing) }
        clear()
        guard let request, let gateway = unsafe gateway else { return .invalidArgument }
        if request.isKnown { unsafe request.admitUses(to: &memory.pointee) }
        unsafe gateway.lend { gateway in
            gateway.withDecider { decider in
                let verdict = unsafe decider.decide(
                    request.view, now: now, waits: request.mayWait, isKnown: request.isKnown, &memory.pointee)
                guard let verdict else {
                    (code, status) = (.awaitingKeys, 503)
                    return
                }
                unsafe decider.describe(verdict, &memory.pointee)
                keep(verdict)
            }
        }
        return code
    }

    private func clear() {
        unsafe memory.pointee.clear()
        (code, waived, status, retryAfter, refusal) = (.noDecision, .ok, 500, -1, nil)
    }

    private func keep(_ verdict: Verdict) {
        copyTexts()
        let reason = verdict.reason.map { assay_code($0) } ?? .ok
        code = verdict.isAllowed ? .ok : reason
        waived = verdict.isAllowed ? reason : .ok
        status = verdict.isAllowed ? 200 : UInt32(verdict.reason?.status ?? 500)
        retryAfter = verdict.retryAfter.map { Int64($0) } ?? -1
        refusal = verdict.reason
    }

    private func copyTexts() {
        let bytes = unsafe memory.pointee.bytes.span, count = bytes.count
        if unsafe texts.count < count {
            unsafe texts.deallocate()
            unsafe texts = .allocate(capacity: 2 * count)
        }
        // SAFETY: `texts` has at least `count` bytes.
        unsafe bytes.withUnsafeBufferPointer { bytes in
            if let start = unsafe texts.baseAddress, let source = bytes.baseAddress { unsafe start.update(from: source, count: count) }
        }
    }

    // Reading

    var challenge: assay_text? { unsafe text(memory.pointee.challenge) }
    var location: assay_text? { unsafe text(memory.pointee.location) }
    var proofNonce: assay_text? { unsafe text(memory.pointee.proofNonce) }

    /// What the request has used, the same for further decisions about it.
    func use(_ index: Int) -> assay_use? {
        guard unsafe memory.pointee.used.indices.contains(index) else { return nil }
        var use = assay_use()
        let bytes = unsafe memory.pointee.used[index].bytes
        unsafe withUnsafeMutableBytes(of: &use.digest) { unsafe $0.copyBytes(from: bytes) }
        return use
    }

    /// A sentence for logs.
    var reason: String {
        if let refusal { return refusal.sentence }
        switch code {
        case .ok: return unsafe memory.pointee.providerNames.isEmpty ? "ok: no token is needed" : "ok: the token is valid"
        case .awaitingKeys: return "awaiting_keys: the issuer's keys, or the token's status list, are being fetched"
        default: return "no_decision: nothing has been decided"
        }
    }

    var policy: assay_text? { unsafe text(memory.pointee.policyName) }

    func provider(_ index: Int) -> assay_text? {
        unsafe memory.pointee.providerNames.indices.contains(index) ? text(memory.pointee.providerNames[index]) : nil
    }

    func operation(_ index: Int) -> assay_operation? {
        guard code == .ok, unsafe memory.pointee.hostOperations.indices.contains(index) else { return nil }
        let operation = unsafe memory.pointee.hostOperations[index]
        return unsafe assay_operation(
            kind: UInt32(operation.kind.number), reserved: 0, name: text(operation.name), value: text(operation.value))
    }

    func metadata(_ index: Int) -> assay_metadata? {
        guard code == .ok, unsafe memory.pointee.hostMetadata.indices.contains(index) else { return nil }
        let metadata = unsafe memory.pointee.hostMetadata[index]
        return unsafe assay_metadata(provider: text(metadata.provider), key: text(metadata.key), json: text(metadata.json))
    }

    @unsafe
    private func text(_ range: Range<Int>?) -> assay_text? { unsafe range.map { unsafe text($0) } }

    @unsafe
    private func text(_ range: Range<Int>) -> assay_text {
        // SAFETY: char and UInt8 are layout-compatible; ranges of a decision lie within its texts.
        let start = unsafe texts.baseAddress.map { unsafe UnsafeRawPointer($0 + range.lowerBound).assumingMemoryBound(to: CChar.self) }
        return unsafe assay_text(bytes: start, len: range.count)
    }
}

extension HostOperation.Kind {
    fileprivate var number: Int {
        switch self {
        case .set: ASSAY_SET_FIELD
        case .remove: ASSAY_REMOVE_FIELD
        case .setTarget: ASSAY_SET_TARGET
        }
    }
}
