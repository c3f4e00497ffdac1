import JWTCore
import SharedSignals
import Testing

struct SecurityEventMemoryTests {
    @Test
    func aTokenIsAcceptedOnce() {
        let memory = SecurityEventMemory(capacity: 4)
        #expect(memory.claim("a", until: 200, now: 100) == .first)
        #expect(memory.claim("a", until: 200, now: 100) == .underWay)
        memory.confirm("a")
        #expect(memory.claim("a", until: 200, now: 101) == .repeated)
        #expect(memory.claim("b", until: 200, now: 101) == .first)
    }

    @Test
    func aTokenThatWasNotAcceptedMayComeAgain() {
        let memory = SecurityEventMemory(capacity: 1)
        #expect(memory.claim("a", until: 200, now: 100) == .first)
        memory.release("a")
        #expect(memory.claim("a", until: 200, now: 100) == .first)
        memory.confirm("a")
        memory.release("a")
        #expect(memory.claim("a", until: 200, now: 100) == .repeated)
    }

    /// Nothing is forgotten early, so a token that was accepted has no second effect.
    @Test
    func aFullMemoryRefusesUntilATokenHasExpired() {
        let memory = SecurityEventMemory(capacity: 2)
        for name in ["a", "b"] {
            #expect(memory.claim(name, until: 200, now: 100) == .first)
            memory.confirm(name)
        }
        #expect(memory.claim("c", until: 300, now: 199) == .full)
        #expect(memory.claim("a", until: 200, now: 199) == .repeated)
        #expect(memory.claim("c", until: 300, now: 200) == .full)
        #expect(memory.claim("c", until: 300, now: 201) == .first)
        #expect(memory.count == 1)
    }

    @Test
    func atMostOneLookASecondIsTakenForExpiredTokens() {
        let memory = SecurityEventMemory(capacity: 1)
        #expect(memory.claim("a", until: 100, now: 100) == .first)
        memory.confirm("a")
        #expect(memory.claim("b", until: 300, now: 100) == .full)
        // Within the same second nothing is looked for again.
        #expect(memory.claim("b", until: 300, now: NumericDate(seconds: 100, nanoseconds: 5)) == .full)
        #expect(memory.claim("b", until: 300, now: 101) == .first)
    }

    @Test
    func aTokenUnderWayIsNotForgotten() {
        let memory = SecurityEventMemory(capacity: 2)
        #expect(memory.claim("a", until: 200, now: 100) == .first)
        memory.removeExpired(at: 500)
        #expect(memory.claim("a", until: 900, now: 500) == .underWay)
        memory.confirm("a")
        memory.removeExpired(at: 500)
        #expect(memory.count == 0)
    }

    @Test
    func namesAreComparedByteForByte() {
        let memory = SecurityEventMemory()
        #expect(memory.claim("\u{E9}", until: 200, now: 100) == .first)
        #expect(memory.claim("e\u{301}", until: 200, now: 100) == .first)
        #expect(memory.claim("", until: 200, now: 100) == .first)
    }
}
