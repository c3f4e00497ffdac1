/* Prints every code that has a name: `number name`. run.sh compares them with the documents and the header. */

#include <assay.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    for (assay_code code = 0; code < 1000; code++) {
        if (strcmp(assay_code_name(code), "unknown") != 0) { printf("%u %s\n", code, assay_code_name(code)); }
    }
    return 0;
}
