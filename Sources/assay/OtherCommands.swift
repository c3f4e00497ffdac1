import ArgumentParser

// The commands of the other executables, as this one's help lists them. OtherProgram starts them before arguments are parsed.

struct IDaaSCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "idaas", abstract: "Runs and administers the reference identity provider (package assay-idaas).")
}

struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Decides about requests for nginx, HAProxy, Traefik, Caddy, APISIX and Envoy (package assay-gateway).")
}

struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Checks configurations of assay serve, makes gateways' files (package assay-gateway).")
}
