// The calls of COpenSSL that locks.c watches.

#ifndef ASSAY_FORK_LOCK_CASES_H
#define ASSAY_FORK_LOCK_CASES_H

typedef struct test_case {
    const char *name;
    /// Zero where a call failed that must not.
    int (*run)(void);
} test_case;

/// Every public function of COpenSSL.h. The last one has no name.
extern const test_case cases[];
/// Calls libcrypto without COpenSSL.
extern const test_case uncovered_case;

/// Makes the keys and signatures of the cases.
void prepare_cases(void);


/// Of COpenSSL's functions for encrypted tokens: decryption.c.
int decryption(void);
#endif
