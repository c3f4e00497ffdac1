public import CAssayInterface
internal import JWTCore

@c @implementation
public func assay_replay_memory_new(_ out: UnsafeMutablePointer<OpaquePointer?>?, _ entries: UInt64) -> assay_code {
    unsafe assign(out) { () throws(InterfaceFailure) in entries == 0 ? HostedReplays() : try HostedReplays(entries: entries) }
}

@c @implementation
public func assay_replay_memory_free(_ memory: OpaquePointer?) { unsafe memory?.release(as: HostedReplays.self) }

@c @implementation
public func assay_replay_memory_size(_ entries: UInt64) -> Int { HostedBlock.bytes(entries: entries) ?? 0 }

@c @implementation
public func assay_replay_memory_place(
    _ memory: OpaquePointer?, _ block: UnsafeMutableRawPointer?, _ count: Int, _ isNew: UInt32
) -> assay_code {
    guard let memory = unsafe memory, let start = unsafe block, isNew <= 1,
        let block = unsafe HostedBlock(start, bytes: count, isNew: isNew == 1, now: SystemClock().now)
    else { return .invalidArgument }
    return unsafe memory.lend(as: HostedReplays.self) { $0.place(block) } ? .ok : .invalidArgument
}
