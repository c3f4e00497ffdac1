/// Random numbers from a seed (SplitMix64): libFuzzer gives a mutator a seed, so that a run can be repeated.
public struct Chance {
    private var state: UInt64

    public init(seed: UInt32) { state = UInt64(seed) }

    public mutating func number(below bound: Int) -> Int {
        state &+= 0x9e37_79b9_7f4a_7c15
        var word = state
        word = (word ^ word >> 30) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ word >> 27) &* 0x94d0_49bb_1331_11eb
        return Int((word ^ word >> 31) % UInt64(max(1, bound)))
    }

    public mutating func one<Element>(of elements: [Element]) -> Element { elements[number(below: elements.count)] }
}
