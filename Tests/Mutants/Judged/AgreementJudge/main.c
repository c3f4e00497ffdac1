// Runs checks of CKernelAgreement, each given as CHECK/KERNELS, and ends at the first disagreement.
#include <CKernelAgreement.h>
#include <stdio.h>
#include <string.h>

int main(int count, char **arguments) {
    char message[512];
    for (int place = 1; place < count; place++) {
        char *kernels = strchr(arguments[place], '/');
        if (kernels == NULL) {
            return 2;
        }
        *kernels++ = 0;
        size_t disagreements = ckernel_disagreements(arguments[place], kernels, message, sizeof message);
        if (disagreements > 0) {
            printf("%s of %s: expected no disagreement, got %zu: %s\n", arguments[place], kernels, disagreements, message);
            return 1;
        }
    }
    return 0;
}
