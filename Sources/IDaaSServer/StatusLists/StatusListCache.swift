/// The documents that a server has signed, up to a number of bytes.
struct StatusListCache {
    struct Entry {
        let document: StatusListDocument
        /// What it was made from.
        let digest: [UInt8]
        /// The published keys when it was signed.
        let keys: String
        let signed: Timestamp
        /// When it was last found to be right.
        var checked: Timestamp
    }

    private let limit: Int
    private var entries: [String: Entry] = [:]
    private(set) var byteCount = 0

    init(limit: Int) { self.limit = limit }

    /// Setting an entry removes those that were checked the longest time ago, if there are too many bytes.
    subscript(id: String) -> Entry? {
        get { entries[id] }
        set {
            byteCount += (newValue?.document.token.count ?? 0) - (entries[id]?.document.token.count ?? 0)
            entries[id] = newValue
            while byteCount > limit, let oldest = entries.min(by: { $0.value.checked < $1.value.checked }) {
                entries[oldest.key] = nil
                byteCount -= oldest.value.document.token.count
            }
        }
    }
}
