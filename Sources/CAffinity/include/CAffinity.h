// CAffinity: measurements pin a thread to a core, through a system call that Swift's Glibc module does not export. They also measure the
// core's current speed, with code that no compiler can shorten.

#ifndef ASSAY_CAFFINITY_H
#define ASSAY_CAFFINITY_H

/// caffinity_pin pins the calling thread, and every thread it creates later, to `core`. Returns one on success; zero where the system has
/// no such call, has no such core, or forbids the call.
int caffinity_pin(int core);

/// caffinity_cores writes the cores that the calling thread may run on, at most `most`, in ascending order, and returns their number: zero
/// where the system does not report them.
int caffinity_cores(int *cores, int most);

/// caffinity_spin does `additions` additions, each of which depends on the previous one: one cycle each on every current processor. Their
/// time therefore gives the core's actual cycles per nanosecond, in a virtual machine too.
void caffinity_spin(unsigned long additions);

/// caffinity_spin_wide does `additions` additions in eight independent chains, only in registers: as many a cycle as the core can execute.
/// Their time therefore also shows how much another tenant of the same core takes from it.
void caffinity_spin_wide(unsigned long additions);

#endif
