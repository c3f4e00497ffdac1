package import JWTCore

/// The program that makes the requests of a ``HostedKeySet``.
package protocol KeySetHost: Sendable {
    /// Nanoseconds since an arbitrary origin. Never goes back.
    var elapsedNanoseconds: Int64 { get }
    var date: NumericDate { get }
    /// Work has become due. Called on the thread of a verification, outside every lock.
    func wake()
    /// The key set is gone.
    func release()
}
