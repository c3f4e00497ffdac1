// What a verification kernel says of a signature, and which instructions it may use.
//
// What every verification kernel assumes, once:
// - Everything it is given is public: kernels take the time the input makes them take. No secret may enter one.
// - A table or key is built once in memory of the caller, 64-byte aligned, and never written again; any number of threads may read it.
// - Kernels allocate nothing, keep no state, take no lock and use less than 16 KiB of stack, where nothing else is said (eight tokens of
//   RSA-3072 and RSA-4096 take 21 KiB, self-tests up to 35 KiB).
// - An accept comes from the algorithm's own equation. What a kernel's formulas do not cover is undecided, never guessed.

#ifndef CJWT_KERNELS_VERDICT_H
#define CJWT_KERNELS_VERDICT_H

typedef enum cjwt_verdict {
    /// The signature is none: a number is out of its range, or the equation does not hold.
    CJWT_REFUSED = 0,
    CJWT_ACCEPTED = 1,
    /// An exceptional case of the kernel: somebody else must judge this signature.
    CJWT_UNDECIDED = 2,
} cjwt_verdict;

/// How much memory a key's table may take: little, made at once, or much, for a key that is used again and again.
typedef enum cjwt_table_size { CJWT_TABLE_SMALL = 0, CJWT_TABLE_FULL = 1 } cjwt_table_size;

/// One where this CPU and this operating system run AVX-512 F, VL, DQ, BW and IFMA.
int cjwt_ifma_available(void);

#endif
