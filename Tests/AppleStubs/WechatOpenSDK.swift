// The declarations of WeChat's SDK for iOS that the flows use, as Swift imports them. Nothing here runs.

import Foundation

open class BaseReq: NSObject {}

open class BaseResp: NSObject {
    public var errCode: Int32 = 0
}

public final class SendAuthReq: BaseReq {
    public var scope = ""
    public var state = ""
}

public final class SendAuthResp: BaseResp {
    public var code: String?
    public var state: String?
}

public protocol WXApiDelegate: NSObjectProtocol {
    func onReq(_ req: BaseReq)
    func onResp(_ resp: BaseResp)
}

public final class WXApi: NSObject {
    public class func registerApp(_ appid: String, universalLink: String) -> Bool { false }
    public class func isWXAppInstalled() -> Bool { false }
    public class func isWXAppSupport() -> Bool { false }
    public class func send(_ req: BaseReq, completion: ((Bool) -> Void)? = nil) {}
    public class func handleOpen(_ url: URL, delegate: (any WXApiDelegate)?) -> Bool { false }
}
