/// Collects faults, so that one check shows all of them.
package final class FaultList {
    package private(set) var faults: [SettingsFault] = []

    /// What is taken although it may do something else than it seems to.
    package private(set) var warnings: [SettingsFault] = []

    package init() {}

    package func add(_ line: Int, _ code: SettingsFault.Code, _ text: String) { faults.append(SettingsFault(line: line, code, text)) }

    package func warn(_ line: Int, _ code: SettingsFault.Code, _ text: String) { warnings.append(SettingsFault(line: line, code, text)) }
}
