// CAffinity: what measurements ask of a core: to be kept on one, by a call of the system that Swift's Glibc module does not show, and to
// know how fast it is just now, by code that no compiler makes shorter.

#ifndef ASSAY_CAFFINITY_H
#define ASSAY_CAFFINITY_H

/// caffinity_pin keeps the calling thread, and threads it makes from now on, on `core`. One on success; zero where the system has no such
/// call, no such core, or forbids it.
int caffinity_pin(int core);

/// caffinity_cores writes the cores that the calling thread may run on, at most `most`, rising, and returns their number: zero where the
/// system does not say.
int caffinity_cores(int *cores, int most);

/// caffinity_spin does `additions` additions, each of which waits for the one before: a cycle each on every processor of today. So their
/// time says at how many cycles a nanosecond the core runs, whatever its data sheet says, a virtual machine's too.
void caffinity_spin(unsigned long additions);

/// caffinity_spin_wide does `additions` additions of which eight at a time wait for none of the others: as many a cycle as the core has room
/// for, in registers alone. So their time also says what somebody on the same core, as hypervisors share them out, takes from it.
void caffinity_spin_wide(unsigned long additions);

#endif
