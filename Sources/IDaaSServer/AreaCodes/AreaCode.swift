#if IDaaS
/// One country that numbers are accepted of, with the member names of the wire.
package struct AreaCode: Hashable, Sendable, Codable {
    /// `86`.
    package var areaCode: String
    /// Language to name.
    package var displayMapping: [String: String]
    /// ISO 3166-1: `CN`.
    package var countryCode: String
    /// What a number has to be, all of it, whether or not the pattern says so.
    package var mobileRegex: String
    package var areaCodeSuffixes: [String]

    package init(
        areaCode: String, displayMapping: [String: String], countryCode: String, mobileRegex: String, areaCodeSuffixes: [String] = []
    ) {
        self.areaCode = areaCode
        self.displayMapping = displayMapping
        self.countryCode = countryCode
        self.mobileRegex = mobileRegex
        self.areaCodeSuffixes = areaCodeSuffixes
    }
}
#endif
