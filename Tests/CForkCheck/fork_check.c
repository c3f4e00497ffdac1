#include "CForkCheck.h"

#include <CReadCopyUpdate.h>
#include <sys/wait.h>
#include <unistd.h>

int cfork_child_sees_no_readers(void) {
    pid_t child = fork();
    if (child < 0) return -1;
    if (child == 0) _exit(crcu_grace_is_over(crcu_grace_begin()) ? 10 : 11);
    int status = 0;
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
    return WEXITSTATUS(status) == 10;
}
