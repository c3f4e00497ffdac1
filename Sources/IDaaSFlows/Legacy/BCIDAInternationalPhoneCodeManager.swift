/// Area codes under the names of the vendor's SDK, its spelling included.
public enum BCIDAInternationalPhoneCodeManager {
    /// Calls back with `0` and the list as a dictionary; otherwise with the server's code or `1`, and a text.
    public static func getInternaltionalAreaCodeWithCompletionHandler(_ resultHander: @escaping BCSMSGetInternationalAreaCodeHandlerBlock) {
        BCIDACommonManager.sharedInstance().run(resultHander) { flows throws(FlowError) in
            guard case .object(let members) = try await flows.areaCodes.fetch().document else { return ("0", .none) }
            return ("0", .dictionary(members))
        }
    }
}
