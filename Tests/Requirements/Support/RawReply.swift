import Foundation
import IDaaSTestSupport
import Testing

/// An answer that is not followed if it redirects.
struct RawReply {
    let status: Int
    let head: String

    func field(_ name: String) -> String? {
        head.components(separatedBy: "\r\n").first { $0.lowercased().hasPrefix(name.lowercased() + ": ") }.map {
            String($0.dropFirst(name.count + 2))
        }
    }

    static func get(_ path: String, port: Int) async throws -> RawReply {
        let text = try await RawConnection.exchange(port, "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\r\n")
        let head = try #require(text.components(separatedBy: "\r\n\r\n").first)
        return RawReply(status: try #require(Int(head.dropFirst("HTTP/1.1 ".count).prefix(3))), head: head)
    }
}
