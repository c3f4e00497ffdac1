// The verdicts of a verification kernel, and the instructions it may use.
//
// Conventions of every verification kernel:
// - All input is public, and time depends on it. Never pass a secret to a kernel.
// - A table or key is built once in the caller's memory, 64-byte aligned, and then never written; any number of threads may read it. The
//   first table of a curve also makes the generator's, which the process keeps.
// - Kernels allocate nothing, change no state, take no lock and use less than 16 KiB of stack, unless stated otherwise (eight tokens of
//   RSA-3072 and RSA-4096 take 21 KiB, without IFMA 39 KiB, P-521 by tables 28 KiB, P-384 in lanes 27 KiB and P-521 50 KiB, self-tests up
//   to 53 KiB).
// - An accept comes from the algorithm's own equation. A case that the kernel's formulas do not cover is undecided, never guessed.

#ifndef CJWT_KERNELS_VERDICT_H
#define CJWT_KERNELS_VERDICT_H

typedef enum cjwt_verdict {
    /// The signature is invalid: a number is out of range, or the equation does not hold.
    CJWT_REFUSED = 0,
    CJWT_ACCEPTED = 1,
    /// An exceptional case of the kernel, or an inverse that multiplied back is not one: another implementation must verify this signature.
    CJWT_UNDECIDED = 2,
} cjwt_verdict;

/// The memory for a key's table: small, quick to build; or large, for a key that is used often.
typedef enum cjwt_table_size { CJWT_TABLE_SMALL = 0, CJWT_TABLE_FULL = 1 } cjwt_table_size;

/// One where this CPU and this operating system support AVX-512 F, VL, DQ, BW and IFMA.
int cjwt_ifma_available(void);

/// One where this CPU is an x86-64 with BMI2 and ADX.
int cjwt_adx_available(void);

/// One where this CPU and this operating system support AVX2; and AVX-512F as well.
int cjwt_avx2_available(void);
int cjwt_avx512f_available(void);

/// One where they support IFMA in 256-bit registers: with EVEX encoding, AVX-512 VL and IFMA; with VEX encoding, AVX2 and AVX-IFMA; or
/// either.
int cjwt_avx512vl_available(void);
int cjwt_avxifma_available(void);
int cjwt_ifma256_available(void);

#endif
