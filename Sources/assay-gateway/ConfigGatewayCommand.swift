import ArgumentParser
import CommandProgram
import Gateway
import GatewayServer

struct ConfigGatewayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gateway",
        abstract: "Prints the gateway's own file for a configuration, or compares one in use with it.",
        discussion: """
            The addresses where the gateway listens, and of its applications, are examples, and so is its second server. With --check the exit \
            code is 0 if the file has every other line of the printed one, otherwise 1. It does not judge lines that are not about the service, \
            such as a rule before it that lets requests pass.
            Example: assay config gateway nginx --config /etc/assay/gateway.yaml --output nginx.conf
            """
    )

    @Argument(
        help: "One of \(GatewayFile.allCases.map(\.rawValue).joined(separator: ", ")).",
        completion: .list(GatewayFile.allCases.map(\.rawValue)))
    var gateway: String

    @Option(help: ArgumentHelp("The configuration of assay serve, YAML.", valueName: "file"), completion: .file())
    var config = "/etc/assay/gateway.yaml"

    @Option(help: ArgumentHelp("The gateway's file in use.", valueName: "file"), completion: .file())
    var check: String?

    @Option(
        help: ArgumentHelp("The file to write, as a whole. A fault leaves the old one; a shell's > would empty it.", valueName: "file"),
        completion: .file())
    var output: String?

    func validate() throws {
        guard check == nil || output == nil else { throw ValidationError("--check and --output exclude each other") }
    }

    func run() throws {
        guard let file = GatewayFile(rawValue: gateway) else {
            throw CommandFailure.usage("\(gateway) is none of \(GatewayFile.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        do {
            let configuration = try ServiceConfiguration(file: config)
            if let check { return try compare(file, check, configuration) }
            let text = try file.text(for: configuration)
            guard let output else { return Terminal.output.write(text) }
            try WholeFile.replace(output, with: text)
        } catch let failure as SettingsFailure {
            throw CommandFailure.usage("\(config) cannot be used\n" + failure.faults.map { "\($0)" }.joined(separator: "\n"))
        } catch let failure as GatewayFile.Failure {
            throw CommandFailure.usage(failure.description)
        }
    }

    private func compare(_ file: GatewayFile, _ path: String, _ configuration: ServiceConfiguration) throws {
        // A megabyte: more than any such file.
        let bytes = try InputFile(path: path).contents(upTo: 1_048_576)
        guard bytes.count <= 1_048_576, let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure.usage("\(path) is no text of at most a megabyte")
        }
        let differences = try file.differences(of: text, from: configuration)
        for difference in differences {
            switch difference {
            case .missing(let line): Terminal.output.line(printable("\(path): missing: \(line)", upTo: 1_024))
            case .unexpected(let number, let line): Terminal.output.line(printable("\(path):\(number): unexpected: \(line)", upTo: 1_024))
            }
        }
        guard differences.isEmpty else { throw ExitCode(1) }
        Terminal.output.line("\(path): has every line that the configuration needs")
    }
}
