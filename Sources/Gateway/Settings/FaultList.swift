/// Collects faults, so that one check shows all of them.
package final class FaultList {
    package private(set) var faults: [SettingsFault] = []

    /// What is taken although it may do something else than it seems to.
    package private(set) var warnings: [SettingsFault] = []

    package init() {}

    package func add(_ place: SettingsPlace, _ code: SettingsFault.Code, _ text: String) { add(SettingsFault(place, code, text)) }

    package func add(_ fault: SettingsFault) { faults.append(fault) }

    package func warn(_ place: SettingsPlace, _ code: SettingsFault.Code, _ text: String) {
        warnings.append(SettingsFault(place, code, text))
    }
}
