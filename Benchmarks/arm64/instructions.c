// A plugin for QEMU's user mode that counts the guest's instructions between marks: a mark is the system call getpgid with kMark as its
// argument. Where its second argument is not zero, the plugin prints it, and what ran since the previous mark: instructions, products
// of 64 bits, and vector instructions with products.
//
// Debian's qemu-user has no header for plugins, so the few declarations stand here. Blocks of translated code end at a system call, so counts
// are exact.

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PUBLIC __attribute__((visibility("default")))

enum { kMark = 0x6d61726b, kGetpgid = 155 };  // the number of the call on AArch64

typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
typedef void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *block);
typedef void executed(unsigned vcpu, void *user);
typedef void called(qemu_plugin_id_t id, unsigned vcpu, int64_t number, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5,
                    uint64_t a6, uint64_t a7, uint64_t a8);
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id, translated *callback);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *block, executed *callback, int flags, void *user);
void qemu_plugin_register_vcpu_syscall_cb(qemu_plugin_id_t id, called *callback);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *block, size_t at);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *instruction);
void qemu_plugin_outs(const char *text);

// The version of the interface that QEMU must know; 7.2 knows 1.
#ifndef INTERFACE
#define INTERFACE 1
#endif
PUBLIC int qemu_plugin_version = INTERFACE;

// What a block of translated code adds each time that it runs, and the sums of all blocks since the last mark.
typedef struct counts {
    uint64_t instructions, products, vector_products;
} counts;

static counts sums;

// MADD, UMULH and the like: each takes the one multiplier of a core for one to four cycles.
static int is_product(uint32_t word) { return (word & 0x7f000000) == 0x1b000000; }

// UMULL and UMLAL of vectors, by vector or by element: two products of 32 bits.
static int is_vector_product(uint32_t word) {
    uint32_t operation = word >> 12 & 15;
    return ((word & 0x9f200c00) == 0x0e200000 && (operation == 8 || operation == 12)) ||
           ((word & 0x9f000400) == 0x0f000000 && (operation == 2 || operation == 10));
}

static void on_execution(unsigned vcpu, void *user) {
    const counts *block = user;
    (void)vcpu;
    sums.instructions += block->instructions;
    sums.products += block->products;
    sums.vector_products += block->vector_products;
}

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *translated) {
    counts *block = calloc(1, sizeof *block);  // as long as QEMU runs
    (void)id;
    if (block == NULL) { abort(); }
    block->instructions = qemu_plugin_tb_n_insns(translated);
    for (size_t i = 0; i < block->instructions; i++) {
        uint32_t word;
        memcpy(&word, qemu_plugin_insn_data(qemu_plugin_tb_get_insn(translated, i)), sizeof word);
        block->products += (uint64_t)is_product(word);
        block->vector_products += (uint64_t)is_vector_product(word);
    }
    qemu_plugin_register_vcpu_tb_exec_cb(translated, on_execution, 0, block);
}

static void on_call(qemu_plugin_id_t id, unsigned vcpu, int64_t number, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5,
                    uint64_t a6, uint64_t a7, uint64_t a8) {
    (void)id, (void)vcpu, (void)a3, (void)a4, (void)a5, (void)a6, (void)a7, (void)a8;
    if (number != kGetpgid || a1 != kMark) { return; }
    char line[96];
    (void)snprintf(line, sizeof line, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", a2, sums.instructions, sums.products,
                   sums.vector_products);
    if (a2 != 0) { qemu_plugin_outs(line); }
    sums = (counts){0};
}

PUBLIC int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv) {
    (void)info, (void)argc, (void)argv;
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
    qemu_plugin_register_vcpu_syscall_cb(id, on_call);
    return 0;
}
