/// An account with another provider that logs a user in.
package struct SocialAccount: Hashable, Sendable {
    package var key: Key
    package var user: String
    package var created: Timestamp

    /// What identifies an account. A nickname never does.
    package struct Key: Hashable, Sendable {
        /// `wechat`.
        package var provider: String
        /// What the subject is unique in: an application or a platform of several applications.
        package var scope: String
        /// The provider's id of the person.
        package var subject: String
    }
}
