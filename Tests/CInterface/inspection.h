/* What a test program can see of its own process, and children that it forks. */

#ifndef ASSAY_TEST_INSPECTION_H
#define ASSAY_TEST_INSPECTION_H

#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "check.h"

/* Runs `body` in a child. One that hangs is killed by its alarm. */
static inline void in_child(int (*body)(void *), void *context) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        alarm(300);
        failed = passed = 0;
        int is_wrong = body(context) || failed > 0;
        fflush(stdout);
        _exit(is_wrong);
    }
    int state = -1;
    CHECK(child > 0 && waitpid(child, &state, 0) == child);
    CHECK(WIFEXITED(state) && WEXITSTATUS(state) == 0);
}

static inline int count_entries(const char *path) {
    DIR *folder = opendir(path);
    int count = 0;
    while (readdir(folder) != NULL) { count++; }
    closedir(folder);
    return count;
}

static inline void read_dispositions(struct sigaction *actions) {
    for (int number = 1; number < NSIG; number++) { sigaction(number, NULL, &actions[number]); }
}

/* Compares what glibc fills: the rest of its masks is not initialised. The flag SA_RESTORER is glibc's own, in each action that it sets. */
static inline int same_masks(const sigset_t *left, const sigset_t *right) {
    int is_same = 1;
    for (int number = 1; number < NSIG; number++) { is_same &= sigismember(left, number) == sigismember(right, number); }
    return is_same;
}

static inline int same_dispositions(const struct sigaction *left, const struct sigaction *right) {
    int is_same = 1;
    for (int number = 1; number < NSIG; number++) {
        const struct sigaction *before = &left[number], *after = &right[number];
        is_same &= before->sa_handler == after->sa_handler && ((before->sa_flags ^ after->sa_flags) & ~0x04000000) == 0;
        is_same &= same_masks(&before->sa_mask, &after->sa_mask);
    }
    return is_same;
}

/* Whether every thread but the first blocks every signal that can be blocked. */
static inline int others_block_signals(void) {
    DIR *folder = opendir("/proc/self/task");
    int is_so = 1;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (entry->d_name[0] == '.' || atoi(entry->d_name) == getpid()) { continue; }
        char path[300], line[200];
        unsigned long long blocked = ~0ULL;
        snprintf(path, sizeof path, "/proc/self/task/%s/status", entry->d_name);
        FILE *file = fopen(path, "r");
        while (file != NULL && fgets(line, sizeof line, file) != NULL) { sscanf(line, "SigBlk: %llx", &blocked); }
        if (file != NULL) { fclose(file); }
        static const int numbers[] = {SIGTERM, SIGCHLD, SIGUSR1, SIGPIPE, SIGALRM};
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) { is_so &= (int)(blocked >> (numbers[i] - 1) & 1); }
    }
    closedir(folder);
    return is_so;
}

#endif
