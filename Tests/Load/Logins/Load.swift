internal import Foundation
internal import IDaaSFlows
internal import IDaaSWire
internal import LoginSupport

/// Many users, each with a number and a device, who log in at once.
struct Load {
    let configuration: FlowConfiguration
    let environment: FlowEnvironment
    let outbox: Outbox

    enum Outcome: Sendable {
        case loggedIn
        /// RATE.1001, with the seconds in its text.
        case limited(seconds: Int64)
        case failed(String)
    }

    /// - Parameter first: the number of the first user.
    /// - Returns: the outcome of each login.
    func run(_ count: Int, from first: Int) async -> [Outcome] {
        await withTaskGroup(of: Outcome.self) { group in
            for number in first..<first + count { group.addTask { await logIn(mobile: "+86-139\(String(format: "%08d", number))") } }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    private func logIn(mobile: String) async -> Outcome {
        var environment = environment
        environment.store = MemorySessionStore()
        let flows = Flows(configuration, environment)
        do throws(FlowError) {
            _ = try await flows.sms.requestCode(mobile: mobile, slider: SolvingPresenter()).get()
            guard let code = try? await outbox.code(for: mobile) else { return .failed("the outbox has no message") }
            _ = try await flows.sms.logIn(mobile: mobile, code: code).get()
            return .loggedIn
        } catch {
            guard case .service(let refusal) = error.reason, refusal.code == .rateLimited, refusal.status == 429 else {
                return .failed(error.description)
            }
            return .limited(seconds: refusal.retryAfter?.components.seconds ?? 0)
        }
    }
}

/// The resident memory of a process.
struct ResidentMemory {
    let process: Int32

    /// In bytes, current or peak: the lines VmRSS and VmHWM of Linux.
    func bytes(_ line: String) -> Int? {
        guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8) else { return nil }
        let field = status.split(separator: "\n").first { $0.hasPrefix(line + ":") }
        return field?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }.map { $0 * 1_024 }
    }
}
