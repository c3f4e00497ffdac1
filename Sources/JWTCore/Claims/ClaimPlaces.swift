internal import CJWTKernels

/// Where the registered claims of a payload are on its tape.
package struct ClaimPlaces: BitwiseCopyable, Equatable {
    // As cjwt_claims has them.
    private var records = InlineArray<16, Int32>(repeating: 0)
    private var present: UInt32 = 0
    private var isUsual: Int32 = 0

    package init() {}

    /// Whether all of them are here, and of their types: what has been read by the kernel and is as usual. Otherwise they are to be found
    /// in the tape.
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

    /// Whether they say the same of the claims: what holds two readers together.
    package static func == (a: Self, b: Self) -> Bool {
        guard a.present == b.present else { return false }
        for place in a.records.indices where a.records[place] != b.records[place] { return false }
        return true
    }

    /// Whether the payload has all of these claims, a bit for each by its number.
    @inline(__always)
    func has(_ claims: UInt32) -> Bool { present & claims == claims }

    /// Lends this as the kernel knows it.
    @inline(__always)
    mutating func withKernelClaims<Result>(_ body: (UnsafeMutablePointer<cjwt_claims>?) -> Result) -> Result {
        unsafe withUnsafeMutableBytes(of: &self) { bytes in
            // SAFETY: the same members in the same order, of the same types.
            unsafe body(bytes.baseAddress?.assumingMemoryBound(to: cjwt_claims.self))
        }
    }
}
