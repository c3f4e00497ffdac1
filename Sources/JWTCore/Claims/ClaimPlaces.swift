internal import CJWTKernels

/// The positions of a payload's registered claims on its tape.
package struct ClaimPlaces: BitwiseCopyable, Equatable {
    // Laid out like cjwt_claims.
    private var records = InlineArray<16, Int32>(repeating: 0)
    private var present: UInt32 = 0
    private var isUsual: Int32 = 0

    package init() {}

    /// Whether the kernel read the payload and every registered claim has its usual type. Otherwise the claims must be found on the tape.
    package var areFound: Bool { isUsual == 1 }

    /// The record of the value of a claim; 0 where the payload has none.
    @inline(__always)
    subscript(claim: RegisteredClaim) -> Int {
        get { Int(records[Int(claim.rawValue)]) }
        set {
            records[Int(claim.rawValue)] = Int32(truncatingIfNeeded: newValue)
            present |= 1 << UInt32(claim.rawValue)
        }
    }

    /// Whether both give the same positions: for comparing two readers.
    package static func == (a: Self, b: Self) -> Bool {
        guard a.present == b.present else { return false }
        for place in a.records.indices where a.records[place] != b.records[place] { return false }
        return true
    }

    /// Whether the payload has all of these claims: one bit each, by number.
    @inline(__always)
    func has(_ claims: UInt32) -> Bool { present & claims == claims }

    /// Lends this in the kernel's layout.
    @inline(__always)
    mutating func withKernelClaims<Result>(_ body: (UnsafeMutablePointer<cjwt_claims>?) -> Result) -> Result {
        unsafe withUnsafeMutableBytes(of: &self) { bytes in
            // SAFETY: both have the same members in the same order and of the same types.
            unsafe body(bytes.baseAddress?.assumingMemoryBound(to: cjwt_claims.self))
        }
    }
}
