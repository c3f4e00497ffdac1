// CAffinity: the one call of the system that keeps a thread on a core, which Swift's Glibc module does not show. For measurements.

#ifndef ASSAY_CAFFINITY_H
#define ASSAY_CAFFINITY_H

/// caffinity_pin keeps the calling thread, and threads it makes from now on, on `core`. One on success; zero where the system has no such
/// call, no such core, or forbids it.
int caffinity_pin(int core);

#endif
