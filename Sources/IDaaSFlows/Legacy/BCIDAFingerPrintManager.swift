/// The type of the phone's biometrics under the names of the vendor's SDK.
public enum BCIDAFingerPrintManager {
    /// Calls back with `2` (unsupported), `3` (face), `4` (finger), `5` (not set up), `6` (no passcode), `7` (locked), `8` (cancelled) or `9`
    /// (other), and a text.
    public static func checkFingerPrintTypeWithCallback(_ callBack: @escaping BCIDAFingerCheckTypeBlock) {
        BCIDACommonManager.sharedInstance().run(callBack) { flows in
            let availability = await flows.biometrics.availability()
            return (availability.legacyCode, .text(availability.text(in: flows.configuration.language)))
        }
    }
}
