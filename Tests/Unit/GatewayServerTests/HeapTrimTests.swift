import HTTPEdge
import Testing

struct HeapTrimTests {
    /// Open connections and their peak, look by look.
    @Test(arguments: [
        ([(0, 10), (0, 0)], [false, false]), ([(0, 999)], [false]), ([(0, 1_000), (0, 0)], [true, false]),
        ([(1_000, 1_000), (501, 1_000), (500, 501), (499, 500)], [false, false, true, false]),
        ([(10_000, 10_000), (0, 10_000), (1_000, 1_000), (0, 1_000)], [false, true, false, true]),
    ])
    func theHeapIsTrimmedOnceHalfOfACrowdHasLeft(looks: [(Int, Int)], due: [Bool]) {
        var heap = HeapTrim()
        #expect(looks.map { heap.isDue(connections: $0.0, peak: $0.1) } == due)
    }
}
