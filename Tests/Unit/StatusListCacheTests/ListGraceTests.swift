import JWKSCache
import JWTCore
import StatusListCache
import Testing

/// How long a policy admits tokens without a list.
struct ListGraceTests {
    @Test(arguments: [(StatusListPolicy.closedFirst, 0), (.availabilityFirst, 60)])
    func anAbsentListFailsOpenForABoundedTime(policy: StatusListPolicy, seconds: Int) throws {
        let driven = try DrivenLists(policy)
        driven.fail(try #require(driven.ask().order))
        for _ in 0..<120 {
            let (verdict, order) = driven.ask()
            #expect(verdict.finding == .unknownList)
            #expect(verdict.isAdmitted == (driven.now < .seconds(seconds)), "\(driven.now)")
            if let order { driven.fail(order) }
            driven.now += .seconds(1)
        }
        // As soon as there is a list, it counts.
        driven.now += .seconds(60)
        try driven.load()
        #expect(driven.ask(index: 1).verdict.isAdmitted == false)
    }

    @Test func aRefusedListFailsOpenForAsLongAsThePolicySays() throws {
        var policy = StatusListPolicy()
        policy.refusedGrace = .seconds(30)
        let driven = try DrivenLists(policy)
        driven.fail(try #require(driven.ask().order), .older)
        driven.now = .seconds(30) - .milliseconds(1)
        #expect(driven.ask().verdict.finding == .refusedList)
        #expect(driven.ask().verdict.isAdmitted)
        driven.now = .seconds(30)
        #expect(driven.ask().verdict.isAdmitted == false)
    }

    /// The last list goes on to judge: nobody whom it revoked is admitted.
    @Test func withinAGraceTheLastListJudges() throws {
        var policy = StatusListPolicy()
        policy.refusedGrace = .seconds(30)
        let driven = try DrivenLists(policy)
        try driven.load()
        driven.fail(try driven.nextOrder(), .shrunken)
        driven.now = .seconds(330) - .milliseconds(1)
        #expect(driven.finding() == .valid)
        #expect(driven.finding(index: 1) == .invalid)
        driven.now = .seconds(330)
        #expect(driven.ask().verdict.finding == .refusedList)
        #expect(driven.ask().verdict.isAdmitted == false)
    }

    @Test(arguments: [(-1, 0), (0, 0), (60, 60), (3_600, 3_600), (1_000_000, 3_600)])
    func gracesAreBounded(seconds: Int, expected: Int) {
        var policy = StatusListPolicy()
        policy.absentGrace = .seconds(seconds)
        policy.refusedGrace = .seconds(seconds)
        #expect(policy.absentGrace == .seconds(expected))
        #expect(policy.refusedGrace == .seconds(expected))
    }
}
