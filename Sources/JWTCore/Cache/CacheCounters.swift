internal import Synchronization

/// Counts hits and misses without two cores writing to one cache line: each thread uses one of sixteen counters. Threads that share a
/// counter may lose a count, so the sums are approximate. An atomic read-modify-write would make them exact and every hit slower.
@safe
struct CacheCounters: @unchecked Sendable {
    // SAFETY: allocated and initialised here; the cache that owns it frees it through `release`.
    private let counts: UnsafeMutablePointer<Atomic<UInt64>>

    private static let places = 16
    /// Two cache lines, because the hardware fetches lines in pairs.
    private static let stride = 16
    static let byteCount = places * stride * MemoryLayout<Atomic<UInt64>>.stride

    init() {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: Self.byteCount, alignment: 128)
        unsafe counts = memory.bindMemory(to: Atomic<UInt64>.self, capacity: Self.places * Self.stride)
        for index in 0..<(Self.places * Self.stride) { unsafe (counts + index).initialize(to: Atomic(0)) }
    }

    /// Frees the memory.
    @unsafe
    func release() { unsafe UnsafeMutableRawPointer(counts).deallocate() }

    /// Counts for the thread whose read-side record is at the address `record`. Such a record also takes two cache lines.
    @inline(__always)
    func count(isHit: Bool, record: UInt) {
        let index = Int(record / 128 % UInt(Self.places)) * Self.stride + (isHit ? 0 : 1)
        unsafe counts[index].store(counts[index].load(ordering: .relaxed) &+ 1, ordering: .relaxed)
    }

    var hits: UInt64 { sum(0) }
    var misses: UInt64 { sum(1) }

    private func sum(_ offset: Int) -> UInt64 {
        var sum: UInt64 = 0
        for place in 0..<Self.places { unsafe sum &+= counts[place * Self.stride + offset].load(ordering: .relaxed) }
        return sum
    }
}
