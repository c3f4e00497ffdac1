/// Lets in at its second sight what was seen before: tokens that come once, however many, put nothing out of a cache.
///
/// A place for each of a number of hashes, which the next one that falls there overwrites: so it forgets by itself what did not come back
/// within about as many others as it has places. For whoever holds the shard's lock.
struct Doorkeeper {
    private var seen: [UInt32]

    /// - Parameter places: a power of two.
    init(places: Int) { seen = Array(repeating: 0, count: places) }

    static let bytesPerPlace = MemoryLayout<UInt32>.stride

    /// Whether `hash` was here, and is remembered no more; otherwise remembers it.
    mutating func admits(_ hash: UInt64) -> Bool {
        // Other bits of the hash than choose the shard and the bucket.
        let place = Int(truncatingIfNeeded: hash >> 8) & (seen.count - 1)
        let trace = UInt32(truncatingIfNeeded: hash >> 32) | 1
        let isKnown = seen[place] == trace
        seen[place] = isKnown ? 0 : trace
        return isKnown
    }
}
