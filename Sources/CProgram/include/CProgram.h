// CProgram: the arguments of this process, as the dynamic linker passes them to constructors. Swift's CommandLine reads /proc/self/cmdline
// instead, and is empty where that file cannot be read: a program would then do what it does without arguments.

#ifndef ASSAY_CPROGRAM_H
#define ASSAY_CPROGRAM_H

/// cprogram_argument_count returns the number of arguments, the program's name included. It is negative where the C library does not pass
/// arguments to constructors: only glibc does.
int cprogram_argument_count(void);

/// cprogram_argument returns the argument at `index`, which is at least zero and below the count. It ends with a NUL and lives as long as
/// the process.
const char *cprogram_argument(int index);

/// cprogram_require ends the process with 5 and a sentence on standard error unless it can get this many more descriptors, mebibytes of address
/// space and threads, each at most 1,024, 4,096 and 1,024, and memory to write to beside the stacks of these threads. Swift's runtime, Dispatch,
/// Foundation and NIO end it with SIGILL where one of these is missing later. It gives back what it has taken. What every program needs is
/// tried before its `main`.
void cprogram_require(int descriptors, int mebibytes, int threads);

#endif
