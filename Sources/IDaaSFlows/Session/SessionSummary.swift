/// One of the user's sessions, as the server lists them.
public struct SessionSummary: Hashable, Sendable {
    public let id: String
    /// What the device said of itself.
    public let deviceName: String?
    /// Seconds since 1970.
    public let authenticatedAt: Int64?
    public let usedAt: Int64?
    public let expiresAt: Int64?
    /// Whether it is this one.
    public let isCurrent: Bool

    init?(_ value: WireValue) {
        guard let id = value["id"]?.filled else { return nil }
        self.id = id
        deviceName = value["device_name"]?.filled
        authenticatedAt = Self.seconds(value["created_at"])
        usedAt = Self.seconds(value["last_used_at"])
        expiresAt = Self.seconds(value["expires_at"])
        isCurrent = value["current"]?.truth ?? false
    }

    private static func seconds(_ value: WireValue?) -> Int64? {
        value?.text.flatMap { ServerDate($0) }.map { $0.milliseconds / 1_000 }
    }
}

/// What the call for the user's sessions ends in.
public enum SessionListOutcome: FlowOutcome {
    case list([SessionSummary])
    case failed(FlowError)

    /// 0, or the server's code, or 1. The documents have no such call.
    public var legacyCode: String { failure?.legacyCode ?? "0" }

    public var failure: FlowError? { if case .failed(let error) = self { error } else { nil } }

    public func get() throws(FlowError) -> [SessionSummary] {
        switch self {
        case .list(let sessions): return sessions
        case .failed(let error): throw error
        }
    }
}

/// What ending one of the user's sessions ends in.
public enum SessionEndOutcome: FlowOutcome {
    case ended
    case failed(FlowError)

    /// 0, or the server's code, or 1. The documents have no such call.
    public var legacyCode: String { failure?.legacyCode ?? "0" }

    public var failure: FlowError? { if case .failed(let error) = self { error } else { nil } }
}

extension SessionKeeper {
    /// The user's sessions, on every device.
    public func list() async -> SessionListOutcome {
        do throws(FlowError) {
            let answer = try await call(WireCall(get: "/api/v2/sdk/sessions", try await bearer()))
            guard let sessions = (answer.value?.unwrapped["sessions"] ?? answer.value)?.elements else { throw answer.unexpected }
            return .list(sessions.compactMap { SessionSummary($0) })
        } catch {
            return .failed(error)
        }
    }

    /// Ends one of the user's sessions. For this device's own there is ``logOut(everywhere:)``.
    public func end(_ id: String) async -> SessionEndOutcome {
        do throws(FlowError) {
            guard !id.isEmpty, id.utf8.allSatisfy({ ASCIISet.word.contains($0) || $0 == UInt8(ascii: "-") }) else {
                throw FlowError(.invalidInput("id"))
            }
            _ = try await call(WireCall(delete: "/api/v2/sdk/sessions/\(id)", try await bearer()))
            return .ended
        } catch {
            return .failed(error)
        }
    }

    /// The id_token is the credential of the user's own things.
    private func bearer() async throws(FlowError) -> [WireField] {
        [WireField("Authorization", "Bearer \(try await current().get().idToken)")]
    }
}
