import FuzzInput
import Gateway
import GatewayServer

/// Fuzzes the configuration file of the gateway's service, and its file of revocations, which stands behind a line `...`; without such a line,
/// the text is both. Each is refused with faults that have a line and a printable sentence, or gives settings that the decision core takes.
@_cdecl("LLVMFuzzerCustomMutator")
func mutate(_ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ room: Int, _ seed: UInt32) -> Int {
    Mutation.replace(data, size, room, seed: seed) { YAMLMutator.mutate($0, &$1) }
}

Fuzzer.run { input in
    let (settings, list) = documents(input)
    let configuration = configuration(settings)
    do throws(SettingsFailure) {
        let revocations = try RevocationFile.read(yaml: list)
        let lines = lineCount(settings)
        for warning in configuration?.warnings(revocations: revocations) ?? [] { check(warning, lines: lines, isMarked: false) }
    } catch {
        check(error, list)
    }
}

func documents(_ input: [UInt8]) -> (settings: String, revocations: String) {
    guard let line = input.firstRange(of: Array("\n...\n".utf8)) else {
        let text = String(decoding: input, as: UTF8.self)
        return (text, text)
    }
    return (String(decoding: input[...line.lowerBound], as: UTF8.self), String(decoding: input[line.upperBound...], as: UTF8.self))
}

func configuration(_ text: String) -> ServiceConfiguration? {
    do throws(SettingsFailure) {
        let configuration = try ServiceConfiguration(yaml: text)
        precondition(!configuration.listeners.isEmpty, "a service without a listener")
        do throws(ConfigurationFault) {
            try configuration.decisions.check()
        } catch {
            preconditionFailure("settings that the core refuses")
        }
        return configuration
    } catch {
        check(error, text)
        return nil
    }
}

func check(_ failure: SettingsFailure, _ text: String) {
    precondition(!failure.faults.isEmpty, "refused without a fault")
    let lines = lineCount(text)
    for fault in failure.faults { check(fault, lines: lines, isMarked: text.contains(YAMLMutator.secret)) }
}

func lineCount(_ text: String) -> Int { text.utf8.count { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } + 1 }

func check(_ fault: SettingsFault, lines: Int, isMarked: Bool) {
    ReachedCodes.note("settings.\(fault.code.rawValue)")
    precondition(fault.line >= 0 && (fault.place.file != nil || fault.line <= lines + 1), "a line behind the end")
    let sentence = fault.description
    precondition(!fault.text.isEmpty && sentence.unicodeScalars.count < 640, "a fault without a sentence, or with a long one")
    precondition(sentence.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7f }, "a fault with a control character")
    // What is read before settings have a meaning may be a secret.
    guard isMarked, [.notYAML, .unsupportedYAML, .tooDeep, .tooLarge].contains(fault.code) else { return }
    precondition(!sentence.contains(YAMLMutator.secret), "a fault with a text of the file")
}
