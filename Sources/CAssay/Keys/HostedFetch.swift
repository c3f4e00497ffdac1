package import JWKSCache
internal import JWTCore

/// A request that the host makes, with its texts as C reads them.
@safe
package final class HostedFetch: @unchecked Sendable {
    // SAFETY: one thread at a time has it.
    private let keys: HostedKeySet
    private let request: HostedRequest
    /// The gateway or the keys that handed it out.
    let owner: AnyObject
    private var isAnswered = false
    // SAFETY: allocated here, ends with NUL, freed in deinit.
    private let texts: [UnsafeMutablePointer<CChar>]

    /// - Parameter issuer: of a gateway's fetch.
    init(_ keys: HostedKeySet, _ request: HostedRequest, owner: AnyObject? = nil, issuer: String = "") {
        self.keys = keys
        self.request = request
        self.owner = owner ?? keys
        unsafe texts = ([request.document.url, issuer] + request.document.fields.flatMap { [$0.name, $0.value] }).map {
            unsafe Self.copy($0)
        }
    }

    deinit {
        if !isAnswered { _ = receive(.failure(RequestFailure(.cancelled))) }
        for index in unsafe texts.indices { unsafe texts[index].deallocate() }
    }

    /// Whose keys it is for.
    package var keySet: ObjectIdentifier { ObjectIdentifier(keys) }
    package var document: OutgoingRequest { request.document }

    var url: UnsafePointer<CChar> { unsafe UnsafePointer(texts[0]) }
    var issuer: UnsafePointer<CChar> { unsafe UnsafePointer(texts[1]) }

    /// A header field to send; nil past the last.
    @unsafe
    func field(_ index: Int) -> (name: UnsafePointer<CChar>, value: UnsafePointer<CChar>)? {
        guard unsafe (0..<(texts.count - 2) / 2).contains(index) else { return nil }
        return unsafe (UnsafePointer(texts[2 + 2 * index]), UnsafePointer(texts[3 + 2 * index]))
    }

    @discardableResult
    package func answer(_ answer: Result<ReceivedResponse, RequestFailure>) -> HostedRequest.Outcome {
        guard !isAnswered else { return .ended }
        isAnswered = true
        return receive(answer)
    }

    private func receive(_ answer: Result<ReceivedResponse, RequestFailure>) -> HostedRequest.Outcome {
        defer { keys.sharedHost?.signalFetchers() }
        return keys.receive(answer, to: request)
    }

    private static func copy(_ text: String) -> UnsafeMutablePointer<CChar> {
        let bytes = Array(text.utf8)
        let start = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 1)
        for index in bytes.indices { unsafe start[index] = CChar(bitPattern: bytes[index]) }
        unsafe start[bytes.count] = 0
        return unsafe start
    }
}
