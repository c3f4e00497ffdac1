/// A finding, and whether the policy admits the token.
public struct StatusVerdict: Hashable, Sendable {
    public let finding: StatusFinding
    /// True for a valid token, and within a grace of ``StatusListPolicy`` for one without a list. A program that knows other statuses decides
    /// by ``finding``.
    public let isAdmitted: Bool

    init(_ finding: StatusFinding, isAdmitted: Bool = false) {
        self.finding = finding
        self.isAdmitted = isAdmitted || finding == .valid
    }
}
