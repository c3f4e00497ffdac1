// Runs the key cache through thousands of simulated lives with a virtual clock and checks the invariants after every step: see README.md.

import Foundation
import JWKSCache
import JWTCore
import Program

exit(await Run(ProgramArguments.orExit(unless: Engine.fault)[...]).succeeds() ? 0 : 1)
