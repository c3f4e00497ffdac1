/// The sessions that end together, however many they are.
package struct SessionSelection: Hashable, Sendable {
    package var user: String
    /// Only those with this client.
    package var client: String?
    /// Only those that this authentication method opened.
    package var method: String?

    package init(user: String, client: String? = nil, method: String? = nil) {
        self.user = user
        self.client = client
        self.method = method
    }
}
