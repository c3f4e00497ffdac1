internal import CAssayInterface
internal import Gateway
internal import JWTCore
internal import Synchronization

/// A decision as C holds it, with its texts in memory that stays where it is until the next decision.
@safe
final class HostDecision: @unchecked Sendable {
    // SAFETY: only the thread that has entered uses what follows; the caller answers for readers.
    private var memory = DecisionMemory()
    private var texts = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1_024)
    private let isBusy = Atomic(false)
    private(set) var code = assay_code.noDecision
    private(set) var waived = assay_code.ok
    private(set) var status: UInt32 = 500
    private(set) var retryAfter: Int64 = -1
    private var refusal: DenialReason?

    deinit { unsafe texts.deallocate() }

    /// Decides, unless another thread is deciding with this object. Without a request the decision is empty: a mistake of the caller leaves
    /// nothing of an earlier request in it.
    func decide(_ request: CallerRequest?, _ gateway: HostedGateway?, now: NumericDate?) -> assay_code {
        guard isBusy.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged else { return .invalidArgument }
        defer { isBusy.store(false, ordering: .releasing) }
        clear()
        guard let request, let gateway else { return .invalidArgument }
        gateway.withDecider { decider in
            guard let verdict = decider.decide(request.view, now: now, waits: request.mayWait, &memory) else {
                (code, status) = (.awaitingKeys, 503)
                return
            }
            decider.describe(verdict, &memory)
            keep(verdict)
        }
        return code
    }

    private func clear() {
        memory.clear()
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
        // Members of the memory, not methods: an object lends those a copy of the whole, and counts a reference for each member.
        let count = memory.bytes.count
        if unsafe texts.count < count {
            unsafe texts.deallocate()
            unsafe texts = .allocate(capacity: 2 * count)
        }
        // SAFETY: `texts` has at least `count` bytes.
        unsafe memory.bytes.withUnsafeBufferPointer { bytes in
            if let start = unsafe texts.baseAddress, let source = bytes.baseAddress { unsafe start.update(from: source, count: count) }
        }
    }

    // Reading

    var challenge: assay_text? { unsafe text(memory.challenge) }
    var location: assay_text? { unsafe text(memory.location) }
    /// A sentence for logs.
    var reason: String {
        if let refusal { return refusal.sentence }
        switch code {
        case .ok: return memory.providerNames.isEmpty ? "ok: no token is needed" : "ok: the token is valid"
        case .awaitingKeys: return "awaiting_keys: the issuer's keys are being fetched"
        default: return "no_decision: nothing has been decided"
        }
    }

    var policy: assay_text? { unsafe text(memory.policyName) }

    func provider(_ index: Int) -> assay_text? {
        memory.providerNames.indices.contains(index) ? unsafe text(memory.providerNames[index]) : nil
    }

    func operation(_ index: Int) -> assay_operation? {
        guard code == .ok, memory.hostOperations.indices.contains(index) else { return nil }
        let operation = memory.hostOperations[index]
        return unsafe assay_operation(
            kind: UInt32(operation.kind.number), reserved: 0, name: text(operation.name), value: text(operation.value))
    }

    func metadata(_ index: Int) -> assay_metadata? {
        guard code == .ok, memory.hostMetadata.indices.contains(index) else { return nil }
        let metadata = memory.hostMetadata[index]
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
