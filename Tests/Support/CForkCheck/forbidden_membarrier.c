// A sandbox that starts after the first sections forbids membarrier: nothing aborts, and nothing is freed under a reader.

#include "CForkCheck.h"
#include "replacement.h"

#include <CReadCopyUpdate.h>
#include <stdatomic.h>

#if defined(__linux__)
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// Makes membarrier fail with EPERM on the calling thread, as container runtimes do.
static int forbid_membarrier(void) {
    struct sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_membarrier, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = sizeof rules / sizeof *rules, .filter = rules};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) return 0;
    return syscall(SYS_membarrier, 0, 0, 0) == -1 && errno == EPERM;
}

// The reader advances one step at a time on command.
static _Atomic int wanted, reached;

static void await(_Atomic int *step, int number) {
    while (atomic_load(step) < number) {}
}

static void *read_in_steps(void *unused) {
    for (int turn = 0; turn < 2; turn++) {
        crcu_reader *reader = crcu_enter();
        atomic_store(&reached, 2 * turn + 1);
        await(&wanted, 2 * turn + 2);
        crcu_leave(reader);
        atomic_store(&reached, 2 * turn + 2);
        await(&wanted, 2 * turn + 3);
    }
    return unused;
}

static int step(int number) {
    atomic_store(&wanted, number);
    await(&reached, number);
    return 1;
}

static int replace_in_a_sandbox(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, read_in_steps, NULL) != 0) return 12;
    await(&reached, 1);
    if (crcu_readers_fence() || !forbid_membarrier()) return 12;
    uint64_t grace = crcu_grace_begin();
    if (!crcu_readers_fence()) return 11;
    // The reader is in a section that began before, and still counts as a reader until a fence has shown that the section ended.
    if (crcu_grace_is_over(grace) || (step(2) && crcu_grace_is_over(grace))) return 11;
    if (!step(3) || !crcu_grace_is_over(grace)) return 11;
    step(4);
    atomic_store(&wanted, 5);
    pthread_join(thread, NULL);
    return crcu_grace_is_over(crcu_grace_begin()) ? cfork_replace_under_a_reader() : 11;
}

int cfork_sandboxed_readers_are_safe(void) {
    int verdict = cfork_child_says(replace_in_a_sandbox);
    return verdict == 10 ? 1 : verdict == 11 || verdict < 0 ? 0 : -1;
}
#else
int cfork_sandboxed_readers_are_safe(void) { return -1; }
#endif
