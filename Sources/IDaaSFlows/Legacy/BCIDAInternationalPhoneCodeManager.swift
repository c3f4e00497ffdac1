/// Area codes under the names of the vendor's SDK, its spelling included.
public enum BCIDAInternationalPhoneCodeManager {
    /// 0 with the list as a dictionary; otherwise the server's code or 1, with a text.
    public static func getInternaltionalAreaCodeWithCompletionHandler(_ resultHander: @escaping BCSMSGetInternationalAreaCodeHandlerBlock) {
        BCIDACommonManager.sharedInstance().run(resultHander) { flows in
            let outcome = await flows.areaCodes.list()
            guard case .list(let list) = outcome, case .object(let members) = list.document else { return outcome.refusal(flows) }
            return (outcome.legacyCode, .dictionary(members))
        }
    }
}
