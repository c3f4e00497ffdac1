import FuzzInput
import Gateway
import GatewayServer

/// Fuzzes the configuration file of the gateway's service, and its file of revocations. Each text is refused with faults that have a line and
/// a printable sentence, or gives settings that the decision core takes.
@_cdecl("LLVMFuzzerCustomMutator")
func mutate(_ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ room: Int, _ seed: UInt32) -> Int {
    Mutation.replace(data, size, room, seed: seed) { YAMLMutator.mutate($0, &$1) }
}

Fuzzer.run { input in
    let text = String(decoding: input, as: UTF8.self)
    do throws(SettingsFailure) {
        let configuration = try ServiceConfiguration(yaml: text)
        precondition(!configuration.listeners.isEmpty, "a service without a listener")
        do throws(ConfigurationFault) {
            try configuration.decisions.check()
        } catch {
            preconditionFailure("settings that the core refuses")
        }
    } catch {
        check(error, text)
    }
    do throws(SettingsFailure) {
        _ = try RevocationFile.read(yaml: text)
    } catch {
        check(error, text)
    }
}

func check(_ failure: SettingsFailure, _ text: String) {
    precondition(!failure.faults.isEmpty, "refused without a fault")
    let lines = text.utf8.count { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } + 1
    for fault in failure.faults { check(fault, lines: lines, isMarked: text.contains(YAMLMutator.secret)) }
}

func check(_ fault: SettingsFault, lines: Int, isMarked: Bool) {
    ReachedCodes.note("settings.\(fault.code.rawValue)")
    precondition(fault.line >= 0 && fault.line <= lines + 1, "a line behind the end")
    let sentence = fault.description
    precondition(!fault.text.isEmpty && sentence.utf8.count < 1_000, "a fault without a sentence, or with a long one")
    precondition(sentence.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7f }, "a fault with a control character")
    // What is read before settings have a meaning may be a secret.
    guard isMarked, [.notYAML, .unsupportedYAML, .tooDeep, .tooLarge].contains(fault.code) else { return }
    precondition(!sentence.contains(YAMLMutator.secret), "a fault with a text of the file")
}
