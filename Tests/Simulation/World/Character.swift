import JWKSCache

/// The policy and the world that a seed determines.
struct Character {
    let policyName: String
    let policy: RefreshPolicy
    let habits: Publisher.Habits
    let length: Duration
    let pace: Duration
    /// Whether a set stored by an earlier process is found at the start.
    let isWarm: Bool

    init(_ random: inout SeededGenerator) {
        let kind = ["availability", "revocation", "churn", "revocation+churn", "spiffe"].randomElement(using: &random) ?? ""
        var policy: RefreshPolicy = kind.hasPrefix("revocation") ? .revocationFirst : .availabilityFirst
        if kind.hasSuffix("churn") { policy.maximumChurn = [0, 0.3, 0.5].randomElement(using: &random) }
        if kind == "spiffe" { policy.emptySet = .revokesAll }
        if random.chance(0.2) { policy.staleIfError = random.duration(.zero...(.seconds(1_800))) }
        policyName = kind
        self.policy = policy
        length = random.duration(.seconds(3_600)...(.seconds(5 * 3_600)))
        pace = random.duration(.seconds(2)...(.seconds(90)))
        isWarm = random.chance(0.15)
        habits = Self.habits(isBundle: kind == "spiffe" && random.chance(0.6), &random)
    }

    private static func habits(isBundle: Bool, _ random: inout SeededGenerator) -> Publisher.Habits {
        Publisher.Habits(
            isBundle: isBundle,
            hasMetadata: !isBundle && random.chance(0.4),
            validator: Publisher.Habits.Validator.allCases.randomElement(using: &random) ?? .none,
            isDated: random.chance(0.7),
            skew: random.chance(0.3) ? Int64.random(in: -3_600...3_600, using: &random) : 0,
            cacheLag: random.chance(0.5) ? random.duration(.zero...(.seconds(300))) : .zero,
            forcedLag: random.chance(0.25) ? random.duration(.zero...(.seconds(30))) : .zero,
            flakiness: [0, 0, 0.02, 0.2, 0.5].randomElement(using: &random) ?? 0,
            slowness: [0, 0.02, 0.2, 0.6].randomElement(using: &random) ?? 0,
            cacheFields: random.chance(0.5) ? CacheFields.Kind.allCases.randomElement(using: &random) : nil)
    }
}
