public import CAssayInterface
internal import JWTCore

@c @implementation
public func assay_decision_new(_ out: UnsafeMutablePointer<OpaquePointer?>?) -> assay_code { unsafe assign(out) { HostDecision() } }

@c @implementation
public func assay_decision_free(_ decision: OpaquePointer?) { unsafe decision?.release(as: HostDecision.self) }

@c @implementation
public func assay_gateway_decide(
    _ decision: OpaquePointer?, _ gateway: OpaquePointer?, _ request: UnsafePointer<assay_request>?, _ now: Double
) -> assay_code {
    guard let decision = unsafe decision else { return .invalidArgument }
    return unsafe decision.lend(as: HostDecision.self) { decision in
        let request = unsafe CallerRequest(request)
        return unsafe decision.decide(request, gateway?.unmanaged(as: HostedGateway.self), now: NumericDate(host: now))
    }
}

@c @implementation
public func assay_decision_code(_ decision: OpaquePointer?) -> assay_code {
    unsafe decision?.lend(as: HostDecision.self) { $0.code } ?? .invalidArgument
}

@c @implementation
public func assay_decision_waived(_ decision: OpaquePointer?) -> assay_code {
    unsafe decision?.lend(as: HostDecision.self) { $0.waived } ?? .invalidArgument
}

@c @implementation
public func assay_decision_status(_ decision: OpaquePointer?) -> UInt32 {
    unsafe decision?.lend(as: HostDecision.self) { $0.status } ?? 500
}

@c @implementation
public func assay_decision_retry_after(_ decision: OpaquePointer?) -> Int64 {
    unsafe decision?.lend(as: HostDecision.self) { $0.retryAfter } ?? -1
}

@c @implementation
public func assay_decision_challenge(
    _ out: UnsafeMutablePointer<UnsafePointer<CChar>?>?, _ outCount: UnsafeMutablePointer<Int>?, _ decision: OpaquePointer?
) -> assay_code { unsafe text(out, outCount, decision) { unsafe $0.challenge } }

@c @implementation
public func assay_decision_location(
    _ out: UnsafeMutablePointer<UnsafePointer<CChar>?>?, _ outCount: UnsafeMutablePointer<Int>?, _ decision: OpaquePointer?
) -> assay_code { unsafe text(out, outCount, decision) { unsafe $0.location } }

@c @implementation
public func assay_decision_proof_nonce(
    _ out: UnsafeMutablePointer<UnsafePointer<CChar>?>?, _ outCount: UnsafeMutablePointer<Int>?, _ decision: OpaquePointer?
) -> assay_code { unsafe text(out, outCount, decision) { unsafe $0.proofNonce } }

@c @implementation
public func assay_decision_policy(
    _ out: UnsafeMutablePointer<UnsafePointer<CChar>?>?, _ outCount: UnsafeMutablePointer<Int>?, _ decision: OpaquePointer?
) -> assay_code { unsafe text(out, outCount, decision) { unsafe $0.policy } }

@c @implementation
public func assay_decision_reason(_ out: UnsafeMutablePointer<CChar>?, _ capacity: Int, _ decision: OpaquePointer?) -> Int {
    let buffer = unsafe CallerBuffer(out, capacity)
    return buffer.write(unsafe decision?.lend(as: HostDecision.self) { $0.reason } ?? "no_decision: there is no decision")
}

@c @implementation
public func assay_decision_provider(
    _ out: UnsafeMutablePointer<UnsafePointer<CChar>?>?, _ outCount: UnsafeMutablePointer<Int>?, _ decision: OpaquePointer?, _ index: Int
) -> assay_code { unsafe text(out, outCount, decision) { unsafe $0.provider(index) } }

@unsafe
private func text(
    _ out: UnsafeMutablePointer<UnsafePointer<CChar>?>?, _ outCount: UnsafeMutablePointer<Int>?, _ decision: OpaquePointer?,
    _ read: (HostDecision) -> assay_text?
) -> assay_code {
    guard let out = unsafe out, let outCount = unsafe outCount, let decision = unsafe decision else { return .invalidArgument }
    guard let text = unsafe decision.lend(as: HostDecision.self, read) else { return .noValue }
    unsafe out.pointee = text.bytes
    unsafe outCount.pointee = text.len
    return .ok
}

@c @implementation
public func assay_decision_operation(
    _ out: UnsafeMutablePointer<assay_operation>?, _ decision: OpaquePointer?, _ index: Int
) -> assay_code { unsafe element(out, decision) { unsafe $0.operation(index) } }

@c @implementation
public func assay_decision_metadata(
    _ out: UnsafeMutablePointer<assay_metadata>?, _ decision: OpaquePointer?, _ index: Int
) -> assay_code { unsafe element(out, decision) { unsafe $0.metadata(index) } }

@c @implementation
public func assay_decision_use(
    _ out: UnsafeMutablePointer<assay_use>?, _ decision: OpaquePointer?, _ index: Int
) -> assay_code { unsafe element(out, decision) { $0.use(index) } }

@unsafe
private func element<Element>(
    _ out: UnsafeMutablePointer<Element>?, _ decision: OpaquePointer?, _ read: (HostDecision) -> Element?
) -> assay_code {
    guard let out = unsafe out, let decision = unsafe decision else { return .invalidArgument }
    guard let element = unsafe decision.lend(as: HostDecision.self, read) else { return .noValue }
    unsafe out.pointee = element
    return .ok
}
