internal import CAssay
internal import HTTPGuard
internal import JWKSCache
internal import JWTCore
internal import Locks

/// Makes single requests for a host, which takes the answers one by one.
final class HostedClient: Sendable {
    private let threads: RequestThreads<SingleRequest>
    private let inbox: AnswerInbox
    /// The process in which the threads run.
    private let home = Locked(ForkCount.current)

    init(_ client: GuardedClient, _ wake: HostWake) {
        threads = RequestThreads(client)
        inbox = AnswerInbox(wake)
        ForkedLocks.add(home, of: self)
    }

    deinit { ForkedLocks.remove(self) }

    /// Begins a request.
    ///
    /// - Returns: false while an answer from its URL is awaited, or was not taken.
    func send(_ request: OutgoingRequest) -> Bool {
        resumeInChild()
        guard inbox.begin(request.url) else { return false }
        threads.add([SingleRequest(document: request, inbox: inbox)])
        return true
    }

    /// The oldest answer. Its texts live until the next call.
    func take() -> HostAnswer? {
        resumeInChild()
        return inbox.take()
    }

    /// Gives up every request. Afterwards nothing calls the host.
    func stop() {
        inbox.close()
        threads.cancel()
    }

    /// Begins the parent's requests again after a fork.
    private func resumeInChild() {
        let process = ForkCount.current
        let isChild = home.withLock { home in
            defer { home = process }
            return home != process
        }
        if isChild { threads.resume() }
    }
}

private struct SingleRequest: PendingRequest {
    let document: OutgoingRequest
    let inbox: AnswerInbox

    var key: String { document.url }

    /// What a fetch is for, its Accept field says, as to every host (Docs/CInterface.md).
    var bodyBytes: Int {
        document.first("Accept") == HostedFetch.listType ? HostedFetch.longestList : HostedFetch.longestKeys
    }

    func end(_ answer: Result<ReceivedResponse, RequestFailure>) { inbox.add(HostAnswer(to: document.url, answer), to: document.url) }
}
