// All traits. Arguments: the configurations of the gateway service and of the reference identity service.

import GatewayServer
import HTTPGuard
import IDaaSFlows
import IDaaSServer
import JWTCore

let gateway = try ServiceConfiguration(file: CommandLine.arguments[1])
print("listeners", gateway.listeners.count)
let service = try ServerConfiguration(file: CommandLine.arguments[2])
print("listens at", service.listen)
