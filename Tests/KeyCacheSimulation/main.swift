// Runs the key cache through thousands of lives under a virtual clock and checks after every step what must hold: see README.md.

import Foundation
import JWKSCache

exit(Run(CommandLine.arguments.dropFirst()).succeeds() ? 0 : 1)
