import FuzzInput
import Gateway
import GatewayServer

/// Fuzzes the configuration file of the gateway's service. Each text is refused with faults that have a line, a printable sentence and no
/// secret, or gives settings that the decision core takes.
@_cdecl("LLVMFuzzerCustomMutator")
func mutate(_ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ room: Int, _ seed: UInt32) -> Int {
    Mutation.replace(data, size, room, seed: seed) { YAMLMutator.mutate($0, &$1) }
}

/// The text in inputs that no fault may repeat.
let secret = "secret-of-the-fuzzer"

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
        precondition(!error.faults.isEmpty, "refused without a fault")
        for fault in error.faults { check(fault, lines: text.utf8.count { $0 == UInt8(ascii: "\n") } + 1) }
    }
}

func check(_ fault: SettingsFault, lines: Int) {
    ReachedCodes.note("settings.\(fault.code)")
    precondition(fault.line >= 0 && fault.line <= lines + 1, "a line behind the end")
    precondition(!fault.text.isEmpty && !fault.description.contains(secret), "a fault without a text, or with a secret")
}
