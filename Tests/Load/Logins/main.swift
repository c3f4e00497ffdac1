internal import Foundation
internal import IDaaSFlows
internal import LoginSupport
internal import Program

// idaas-load DOMAIN CLIENT PROCESS LOGINS SUCCESSES [FIRST]: LOGINS users, from number FIRST on, log in at once at a server in development, whose token is in
// ASSAY_DEV_TOKEN. Exits with 0 if exactly SUCCESSES succeed, every other gets a retry time, and the server's memory (PROCESS is its id)
// rises by at most 300 MiB.
//
// idaas-load DOMAIN CLIENT PROCESS flood ATTEMPTS: tries ATTEMPTS wrong passwords at once. Exits with 0 if each is refused, some because the
// queue is full, other requests are answered meanwhile, and the server's memory rises by at most 192 MiB: two hashes of 32 MiB and what the
// connections need.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

func finish(_ reason: String) -> Never {
    FileHandle.standardError.write(Data("idaas-load: \(reason)\n".utf8))
    exit(1)
}

func milliseconds(_ times: [Duration], _ share: Double) -> String {
    String(format: "%8.1f", times.quantile(share) / .milliseconds(1))
}

@MainActor
func rise() -> Int { ((memory.bytes("VmHWM") ?? .max) - idle) >> 20 }

@MainActor
func flood(_ attempts: Int) async throws {
    let start = ContinuousClock.now
    let outcome = try await PasswordFlood(configuration: configuration, transport: environment.transport).run(attempts)
    let (hashed, refused) = (outcome.codes["IDAAS.SDK.LOGIN.1005"] ?? 0, outcome.codes["IDAAS.SDK.RATE.1001"] ?? 0)
    let seconds = String(format: "%.1f", (ContinuousClock.now - start) / .seconds(1))
    say("\(attempts) wrong passwords at once: \(hashed) hashed, \(refused) refused, in \(seconds) s")
    let others = outcome.others.sorted()
    guard others.count >= 10 else { finish("only \(others.count) other requests were answered meanwhile") }
    say(
        "  \(others.count) other requests meanwhile, p50 \(milliseconds(others, 0.5)) ms, p99 \(milliseconds(others, 0.99)) ms")
    say("  the server's memory: \(idle >> 20) MiB idle, at most \(rise()) MiB more")
    guard hashed > 0, refused > 0, hashed + refused == attempts else { finish("other answers: \(outcome.codes)") }
    guard rise() <= 192 else { finish("more than 192 MiB") }
}

let arguments = ProgramArguments.orExit()
let isFlood = arguments.dropFirst(3).first == "flood"
guard (5...6).contains(arguments.count), let first = arguments.count == 6 ? Int(arguments[5]) : 0, let process = Int32(arguments[2]),
    let logins = isFlood ? 0 : Int(arguments[3]),
    let expected = Int(arguments[4]), let token = ProcessInfo.processInfo.environment["ASSAY_DEV_TOKEN"]
else { finish("usage: ASSAY_DEV_TOKEN=… idaas-load DOMAIN CLIENT PROCESS LOGINS SUCCESSES [FIRST], or … PROCESS flood ATTEMPTS") }

var configuration = try FlowConfiguration(domain: arguments[0], clientID: arguments[1])
// All send at once: the last one waits for all others.
configuration.timeout = .seconds(120)
var environment = try FlowEnvironment.http(for: configuration, store: MemorySessionStore())
let timed = TimedTransport(environment.transport)
environment.transport = timed
let memory = ResidentMemory(process: process)
let idle = memory.bytes("VmRSS") ?? 0
if isFlood {
    try await flood(expected)
    exit(0)
}

let start = ContinuousClock().now
let load = Load(
    configuration: configuration, environment: environment,
    outbox: Outbox(domain: configuration.domain, token: token, transport: environment.transport))
let outcomes = await load.run(logins, from: first)
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
    say(
        "  \(path.padding(toLength: 42, withPad: " ", startingAt: 0)) \(times.count) requests, p50 \(milliseconds(times, 0.5)) ms, p99 \(milliseconds(times, 0.99)) ms"
    )
}
say("  the server's memory: \(idle >> 20) MiB idle, at most \(rise()) MiB more")
if let wrong = waits.first(where: { !(1...86_400).contains($0) }) { finish("Retry-After of \(wrong) s") }
if let (reason, count) = failures.first { finish("\(count) × \(reason)") }
guard successes == expected else { finish("expected \(expected) to succeed") }
guard rise() <= 300 else { finish("more than 300 MiB") }
