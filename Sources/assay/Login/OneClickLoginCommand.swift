#if HTTP
import ArgumentParser
import CommandProgram
import HTTPGuard
import IDaaSFlows
import IDaaSWire

struct OneClickLoginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "one-click",
        abstract: "Logs in with the number of the SIM card.",
        discussion: """
            The phone and its carrier are the simulator of a development server: --sim is the card for mobile data. The command asks for \
            consent, unless --agree gives it.
            Example: assay login one-click --domain http://127.0.0.1:8800 --client demo --sim CM:+86-13800000000
            """
    )

    @OptionGroup var options: FlowOptions
    @Option(
        help: ArgumentHelp(
            "The SIM card: CM, CU or CT (China Mobile, Unicom, Telecom), a colon, and its number.", valueName: "carrier:number"))
    var sim: SIMArgument
    @Option(help: ArgumentHelp("The generation of the mobile network, 2 to 5.", valueName: "n"))
    var generation = 4
    @Flag(help: "Mobile data are off, as on a phone that has only Wi-Fi.")
    var wifiOnly = false
    @Option(help: ArgumentHelp("The registered program.", valueName: "id"))
    var bundleID = "example.assay"
    @Option(help: ArgumentHelp("The time-out of the carrier's calls. 0 is the default.", valueName: "seconds"))
    var timeout = 3.0
    @Flag(help: "Agree to the agreements that the page shows, and log in.")
    var agree = false
    @Flag(help: "Where one-click login fails or another method is chosen, go on with SMS login.")
    var orSMS = false
    @OptionGroup var entry: SMSCodeEntry

    func run() async throws {
        guard (2...5).contains(generation) else { throw CommandFailure.usage("--generation is a number from 2 to 5") }
        let flows = try await options.loginFlows()
        let outcome = await flows.oneClick.logIn(
            via: CarrierLogin(try carrier(flows), log: flows.configuration.log), on: TerminalOneClickPage(isAgreed: agree),
            timeout: Duration(carrierTimeout: timeout))
        if case .loggedIn(let session) = outcome { return try await options.show(session, flows) }
        if orSMS, outcome.fallback == .sms {
            Terminal.error.line("One-click login ended with \(printable(outcome.legacyCode, upTo: 64)). Now by SMS:")
            return try await logInBySMS(flows)
        }
        switch outcome {
        case .other(let status, _): throw options.needsAnotherStep(status)
        case .refused, .failed: throw options.failure(outcome)
        case .loggedIn, .switchMethod, .cancelled: throw options.failure(FlowError(.cancelled), code: outcome.legacyCode)
        }
    }

    private func carrier(_ flows: Flows) throws -> SimulatedCarrier {
        var phone = SimulatedPhone([SimulatedSIM(sim.carrier, mobile: sim.mobile, generation: generation)])
        phone.hasMobileData = !wifiOnly
        do throws(FlowError) {
            let transport = try transport(flows.configuration)
            return try SimulatedCarrier(flows.configuration.domain, transport: transport, bundleID: bundleID, phone: phone)
        } catch {
            throw CommandFailure.usage(error.text(in: .english))
        }
    }

    private func transport(_ configuration: FlowConfiguration) throws(FlowError) -> GuardedClient {
        do {
            return try GuardedClient(try options.httpClient(for: configuration))
        } catch {
            throw FlowError(.configuration(CommandFailure.sentence(for: error)))
        }
    }

    private func logInBySMS(_ flows: Flows) async throws {
        let code = try await entry.sendCode(to: sim.mobile, flows, options)
        try await options.finish(await flows.sms.logIn(mobile: sim.mobile, code: code), flows)
    }
}

/// A SIM card on the command line: `CM:+86-13800000000`.
struct SIMArgument: ExpressibleByArgument {
    let carrier: Carrier
    let mobile: String

    init?(argument: String) {
        let parts = argument.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2, let carrier = Carrier(rawValue: parts[0]), !parts[1].isEmpty else { return nil }
        self.carrier = carrier
        mobile = parts[1]
    }
}
#endif
