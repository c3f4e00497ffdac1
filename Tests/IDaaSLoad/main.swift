#if HTTP
internal import Foundation
internal import IDaaSFlows
internal import IDaaSHTTP
internal import LoginSupport

// idaas-load DOMAIN CLIENT PROCESS LOGINS SUCCESSES: so many logins in flight at once at a server in development, whose token is in
// ASSAY_DEV_TOKEN. Exits with 0 if exactly so many succeed, every other is told when to come again, and the server's memory (PROCESS is its
// id) rises by 300 MiB at most.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

func finish(_ reason: String) -> Never {
    FileHandle.standardError.write(Data("idaas-load: \(reason)\n".utf8))
    exit(1)
}

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count == 5, let process = Int32(arguments[2]), let logins = Int(arguments[3]), let expected = Int(arguments[4]),
    let token = ProcessInfo.processInfo.environment["ASSAY_DEV_TOKEN"]
else { finish("usage: ASSAY_DEV_TOKEN=… idaas-load DOMAIN CLIENT PROCESS LOGINS SUCCESSES") }

var configuration = try FlowConfiguration(domain: arguments[0], clientID: arguments[1])
// All ask at once: the last has to wait for all others.
configuration.timeout = .seconds(120)
var environment = try FlowEnvironment.http(for: configuration, store: MemorySessionStore())
let timed = TimedTransport(environment.transport)
environment.transport = timed
let memory = ResidentMemory(process: process)
let idle = memory.bytes("VmRSS") ?? 0

let start = ContinuousClock().now
let load = Load(
    configuration: configuration, environment: environment,
    outbox: Outbox(domain: configuration.domain, token: token, transport: environment.transport))
let outcomes = await load.run(logins)
let seconds = (ContinuousClock().now - start) / .seconds(1)

var successes = 0
var waits: [Int64] = []
var failures: [String: Int] = [:]
for outcome in outcomes {
    switch outcome {
    case .loggedIn: successes += 1
    case .limited(let wait): waits.append(wait)
    case .failed(let reason): failures[reason, default: 0] += 1
    }
}
say(
    "\(logins) logins in flight: \(successes) succeeded, \(waits.count) limited, \(failures.values.reduce(0, +)) failed, in \(String(format: "%.1f", seconds)) s"
)
for (path, times) in timed.sorted {
    let milliseconds = { (share: Double) in String(format: "%8.1f", times.quantile(share) / .milliseconds(1)) }
    say(
        "  \(path.padding(toLength: 42, withPad: " ", startingAt: 0)) \(times.count) requests, p50 \(milliseconds(0.5)) ms, p99 \(milliseconds(0.99)) ms"
    )
}
let rise = ((memory.bytes("VmHWM") ?? .max) - idle) >> 20
say("  the server's memory: \(idle >> 20) MiB idle, at most \(rise) MiB more")
if let wrong = waits.first(where: { !(1...86_400).contains($0) }) { finish("Retry-After of \(wrong) s") }
if let (reason, count) = failures.first { finish("\(count) × \(reason)") }
guard successes == expected else { finish("expected \(expected) to succeed") }
guard rise <= 300 else { finish("more than 300 MiB") }
#endif
