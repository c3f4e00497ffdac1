// CAffinity: what measurements ask of a core: to be kept on one, by a call of the system that Swift's Glibc module does not show, and to
// know how fast it is just now, by code that no compiler makes shorter.

#ifndef ASSAY_CAFFINITY_H
#define ASSAY_CAFFINITY_H

/// caffinity_pin keeps the calling thread, and threads it makes from now on, on `core`. One on success; zero where the system has no such
/// call, no such core, or forbids it.
int caffinity_pin(int core);

/// caffinity_spin does `additions` additions, each of which waits for the one before: a cycle each on every processor of today. So their
/// time says at how many cycles a nanosecond the core runs, whatever its data sheet says, a virtual machine's too.
void caffinity_spin(unsigned long additions);

#endif
