/// The event that tells a connection that its server ends: from now on each answer is the connection's last. The connection stays open for
/// requests that are on their way. NIO's `ChannelShouldQuiesceEvent` follows later, and ends idle connections.
package struct DrainBegins: Sendable {
    package init() {}
}
