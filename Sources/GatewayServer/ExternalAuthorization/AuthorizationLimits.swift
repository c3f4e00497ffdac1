/// The resources that one HTTP/2 connection and one call may use.
package struct AuthorizationLimits: Hashable, Sendable {
    /// Bytes of one message: Envoy's limit for a request's head, 60 KiB, with its certificate, its metadata and a part of its body.
    package var messageBytes = 131_072
    /// Calls at a time on one connection. Envoy opens another connection for further ones.
    package var calls = 128
    /// For the opening of a connection: the preface and the settings of the peer.
    package var openingTimeout = Duration.seconds(10)
    /// For a call's message to arrive.
    package var messageTimeout = Duration.seconds(10)
    /// How long a connection without a call stays open. Then it ends gracefully.
    package var idleTimeout = Duration.seconds(300)
    /// How long calls under way get when the connection ends.
    package var drainTimeout = Duration.seconds(15)
    /// Calls that Envoy may give up in a second, on average over ``resetWindow`` seconds. Each client of Envoy that goes away causes one.
    package var resetsPerSecond = 1_000

    /// How many times ``calls`` may be reset while a part of the first of them is on its way.
    package static let resetsRemembered = 4

    /// The seconds over which resets are averaged.
    package static let resetWindow = 10

    package init() {}
}
