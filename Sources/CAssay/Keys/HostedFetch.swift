package import JWKSCache
internal import JWTCore
internal import StatusListCache

/// A request that the host makes, with its texts as C reads them.
@safe
package final class HostedFetch: @unchecked Sendable {
    // SAFETY: one thread at a time has it.
    private let work: Work
    /// The gateway or the keys that handed it out.
    let owner: AnyObject
    package let document: OutgoingRequest
    private var isAnswered = false
    // SAFETY: allocated here, ends with NUL, freed in deinit.
    private let texts: [UnsafeMutablePointer<CChar>]

    /// What is fetched.
    private enum Work {
        case keys(HostedKeySet, HostedRequest)
        case list(HostedStatusLists, HostedListRequest)
    }

    /// Fetches of which one is made at a time: those of a key set, and those of a list.
    package struct Lane: Hashable, Sendable {
        let object: ObjectIdentifier
        let number: Int
    }

    /// - Parameter issuer: of a gateway's fetch.
    convenience init(_ keys: HostedKeySet, _ request: HostedRequest, owner: AnyObject? = nil, issuer: String = "") {
        self.init(.keys(keys, request), request.document, owner: owner ?? keys, issuer: issuer)
    }

    convenience init(_ lists: HostedStatusLists, _ request: HostedListRequest, owner: AnyObject) {
        self.init(.list(lists, request), request.document, owner: owner, issuer: request.issuer)
    }

    private init(_ work: Work, _ document: OutgoingRequest, owner: AnyObject, issuer: String) {
        self.work = work
        self.owner = owner
        self.document = document
        unsafe texts = ([document.url, issuer] + document.fields.flatMap { [$0.name, $0.value] }).map { unsafe Self.copy($0) }
    }

    deinit {
        if !isAnswered { _ = receive(.failure(RequestFailure(.cancelled))) }
        for index in unsafe texts.indices { unsafe texts[index].deallocate() }
    }

    package var lane: Lane {
        switch work {
        case .keys(let keys, _): Lane(object: ObjectIdentifier(keys), number: 0)
        case .list(let lists, let request): Lane(object: ObjectIdentifier(lists), number: request.lane)
        }
    }

    /// The longest body that an answer may have.
    package var bodyLimit: Int {
        switch work {
        case .keys: Self.longestKeys
        case .list: Self.longestList
        }
    }

    /// The Accept field of the fetch of a list.
    package static let listType = ListOrder.mediaType
    package static let longestKeys = KeySet.maximumBytes
    package static let longestList = StatusListIssuer.responseBytes

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
        if case .success(let response) = answer, response.body.count > bodyLimit { return receive(.failure(RequestFailure(.tooLarge))) }
        return receive(answer)
    }

    private func receive(_ answer: Result<ReceivedResponse, RequestFailure>) -> HostedRequest.Outcome {
        switch work {
        case .keys(let keys, let request):
            defer { keys.sharedHost?.signalFetchers() }
            return keys.receive(answer, to: request)
        case .list(let lists, let request):
            defer { lists.sharedHost?.signalFetchers() }
            return lists.receive(answer, to: request)
        }
    }

    private static func copy(_ text: String) -> UnsafeMutablePointer<CChar> {
        let bytes = Array(text.utf8)
        let start = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 1)
        for index in bytes.indices { unsafe start[index] = CChar(bitPattern: bytes[index]) }
        unsafe start[bytes.count] = 0
        return unsafe start
    }
}
