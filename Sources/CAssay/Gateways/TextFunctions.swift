internal import CAssayInterface
internal import Gateway

@c @implementation
public func assay_claim_text(
    _ out: UnsafeMutablePointer<CChar>?, _ capacity: Int, _ payload: UnsafePointer<CChar>?, _ payloadCount: Int,
    _ claim: UnsafePointer<CChar>?, _ claimCount: Int, _ isJSON: UInt32
) -> Int {
    let buffer = unsafe CallerBuffer(out, capacity)
    guard let payload = unsafe CallerText(payload, payloadCount), let claim = unsafe CallerText(claim, claimCount)?.string else {
        return buffer.write("")
    }
    return buffer.write(ClaimText.text(of: claim, in: payload.array, isJSON: isJSON == 1))
}

@c @implementation
public func assay_target_is_plain(_ target: UnsafePointer<CChar>?, _ count: Int) -> Int32 {
    guard let target = unsafe CallerText(target, count) else { return 0 }
    return TargetReading.isPlain(target.bytes) ? 1 : 0
}
