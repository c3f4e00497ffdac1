import Foundation
import IDaaSFlows
import JWKSCache
import JWTTestSupport

/// A tenant in memory with scripted answers. It records the requests.
final class ScriptedTenant: FlowTransport {
    typealias Responder = @Sendable (OutgoingRequest) -> Reply

    enum Reply: Sendable {
        case response(ReceivedResponse)
        case failure(RequestFailure)
        /// Answered when the gate opens, unless the request is cancelled first.
        case held(Gate, ReceivedResponse)

        static func json(_ text: String, status: Int = 200, fields: [HeaderField] = []) -> Reply {
            .response(ReceivedResponse(status: status, fields: fields, body: Array(text.utf8)))
        }

        static func refusal(_ code: String, status: Int = 400, _ message: String = "", details: String? = nil) -> Reply {
            .json(#"{"error_code":"\#(code)","error_msg":"\#(message)"\#(details.map { ",\"details\":\($0)" } ?? "")}"#, status: status)
        }

        static let unreachable = Reply.failure(RequestFailure(.connection, "nothing listens"))
    }

    private struct State {
        var responders: [String: Responder] = [:]
        var requests: [OutgoingRequest] = []
    }

    private let state = Guarded(State())

    /// Sets the answer of `path` from now on.
    func answer(_ path: String, _ responder: @escaping Responder) { state.withLock { $0.responders[path] = responder } }

    func answer(_ path: String, _ reply: Reply) { answer(path) { _ in reply } }

    /// Sets the answers of `path` in sequence; the last one repeats.
    func answer(_ path: String, inTurn replies: [Reply]) {
        let turn = Guarded(0)
        answer(path) { _ in
            replies[
                turn.withLock { turn in
                    defer { turn += 1 }
                    return min(turn, replies.count - 1)
                }]
        }
    }

    var requests: [OutgoingRequest] { state.withLock { $0.requests } }

    func requests(to path: String) -> [OutgoingRequest] { requests.filter { $0.path == path } }

    func send(_ request: OutgoingRequest) async throws(RequestFailure) -> ReceivedResponse {
        let responder = state.withLock { state in
            state.requests.append(request)
            return state.responders[request.path]
        }
        switch responder?(request) ?? .json("no such page", status: 404) {
        case .response(let response): return response
        case .failure(let failure): throw failure
        case .held(let gate, let response):
            await gate.pass()
            guard !Task.isCancelled else { throw RequestFailure(.cancelled) }
            return response
        }
    }
}

extension OutgoingRequest {
    var path: String { URL(string: url)?.path ?? "" }

    /// A member of the JSON body, as text.
    func body(_ name: String) -> String? {
        let object = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
        return (object?[name]).map { "\($0)" }
    }
}
