import JWKSCache
import Testing

/// Each default has its own expectation, so that no change goes unnoticed.
struct RefreshPolicyTests {
    private let policy = RefreshPolicy.availabilityFirst

    @Test func aSetIsFreshForFiveMinutesUnlessItsSourceSays() { #expect(policy.defaultLifetime == .seconds(300)) }
    @Test func lifetimesAreBetweenAMinuteAndAnHour() { #expect(policy.lifetimeBounds == .seconds(60)...(.seconds(3_600))) }
    @Test func refreshAtFourFifthsGiveOrTakeATenth() { #expect((policy.refreshFraction, policy.refreshJitter) == (0.8, 0.1)) }
    @Test func anHourOfOutageIsSurvived() { #expect(policy.staleIfError == .seconds(3_600)) }
    @Test func backoffIsFromASecondToFiveMinutes() { #expect(policy.backoff == .seconds(1)...(.seconds(300))) }
    @Test func retryAfterIsObeyedForFiveMinutes() { #expect(policy.longestRetryAfter == .seconds(300)) }
    @Test func anAttemptTakesTenSecondsAtMost() { #expect(policy.attemptLimit == .seconds(10)) }
    @Test func tokensCauseTwoFetchesInTenSeconds() { #expect((policy.probeLimit, policy.probeWindow) == (2, .seconds(10))) }
    @Test func missingKeysAreRememberedForTenSeconds() {
        #expect((policy.negativeLifetime, policy.negativeCapacity) == (.seconds(10), 4_096))
    }
    @Test func aGatewayWaits150Milliseconds() { #expect((policy.waitBudget, policy.waitBudget.duration) == (.gateway, .milliseconds(150))) }
    @Test func aPersonWaitsFiveSeconds() { #expect(RefreshPolicy.WaitBudget.interactive.duration == .seconds(5)) }
    @Test func aBudgetOfNoneIsZeroSeconds() { #expect(RefreshPolicy.WaitBudget.none.duration == .zero) }
    @Test func atMost16384TokensWait() { #expect(policy.waiterLimit == 16_384) }
    @Test func churnIsNeverHeld() { #expect(policy.maximumChurn == nil) }
    @Test func aHeldSetIsLookedAtAgainWithinAMinute() { #expect(policy.heldRecheck == .seconds(60)) }
    @Test func anEmptySetIsAMistake() { #expect(policy.emptySet == .failedRefresh) }

    @Test func nobodyIsServedKeysThatAreADayPastTheirLifetime() {
        var policy = policy
        policy.staleIfError = .seconds(1_000_000)
        #expect(policy.staleIfError == .seconds(86_400))
        policy.staleIfError = .seconds(-1)
        #expect(policy.staleIfError == .zero)
    }

    @Test(arguments: [(-1, 0), (2, 1), (0.5, 0.5), (-.infinity, 0)] as [(Double, Double)])
    func aShareIsFromZeroToOne(share: Double, kept: Double) {
        var policy = policy
        (policy.refreshFraction, policy.refreshJitter) = (share, share)
        #expect((policy.refreshFraction, policy.refreshJitter) == (kept, kept))
    }

    @Test func whatIsNoNumberIsNoShare() {
        var policy = policy
        (policy.refreshFraction, policy.refreshJitter) = (.nan, .nan)
        #expect((policy.refreshFraction, policy.refreshJitter) == (0.8, 0.1))
    }

    @Test func theLifeOfARemovedKeyIsPublished() {
        #expect(RefreshPolicy.availabilityFirst.removedKeyLife == .seconds(3_250))
        #expect(RefreshPolicy.availabilityFirst.removedKeyLifeInOutage == .seconds(7_200))
        #expect(RefreshPolicy.revocationFirst.removedKeyLife == .seconds(280))
        #expect(RefreshPolicy.revocationFirst.removedKeyLifeInOutage == .seconds(300))
    }
}
