// The trap flag makes the processor raise SIGTRAP after every instruction; the handler examines the next instruction. Kernel and processor
// restore the flag after a signal handler and a system call, so no instruction between start and stop is missed.

#define _GNU_SOURCE
#include "CInstructionCount.h"

#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

#if defined(__linux__) && defined(__x86_64__) && !defined(SANITIZED)

#include <link.h>
#include <signal.h>
#include <ucontext.h>

enum { ALTERNATE_STACK = 1 << 16 };

static cinstruction_counts counts;
typedef struct code { uint64_t base, start, end; } code;
static code libcrypto, program;
/// The last address in the program itself, except its jumps into libraries.
static uint64_t last_address;
/// libcrypto's return address while it runs; otherwise zero.
static uint64_t libcrypto_frame;

static int holds(const code *object, uint64_t address) { return address >= object->start && address < object->end; }

static int is_prefix(uint8_t byte) {
    switch (byte) {
        case 0x26: case 0x2e: case 0x36: case 0x3e: case 0x64: case 0x65: case 0x66: case 0x67: case 0xf2: case 0xf3: return 1;
        default: return (byte & 0xf0) == 0x40;  // REX
    }
}

static void judge(cinstruction_tally *tally, const uint8_t *code) {
    int locks = 0;
    while (is_prefix(*code) || *code == 0xf0) { locks |= *code++ == 0xf0; }
    int exchanges_memory = (code[0] == 0x86 || code[0] == 0x87) && code[1] < 0xc0;
    tally->instructions++;
    tally->atomics += locks || exchanges_memory;
    tally->syscalls += code[0] == 0x0f && code[1] == 0x05;
}

static void step(int signal, siginfo_t *info, void *context) {
    (void)signal;
    (void)info;
    const greg_t *registers = ((const ucontext_t *)context)->uc_mcontext.gregs;
    uint64_t address = (uint64_t)registers[REG_RIP], stack = (uint64_t)registers[REG_RSP];
    if (libcrypto_frame != 0 && stack > libcrypto_frame) { libcrypto_frame = 0; }
    if (libcrypto_frame == 0 && holds(&libcrypto, address)) { libcrypto_frame = stack; }
    const uint8_t *next = (const uint8_t *)address;
    if (libcrypto_frame != 0) {
        judge(&counts.libcrypto, next);
        return;
    }
    int is_stub = next[0] == 0xff && next[1] == 0x25;
    if (holds(&program, address) && !is_stub) { last_address = address - program.base; }
    uint64_t before = counts.ours.atomics + counts.ours.syscalls;
    judge(&counts.ours, next);
    if (counts.ours.atomics + counts.ours.syscalls > before && counts.places_count < CINSTRUCTION_MAX_PLACES) {
        counts.places[counts.places_count++] = last_address;
    }
}

// The first object is the program, and has no name.
static int note_code(struct dl_phdr_info *object, size_t size, void *unused) {
    (void)size;
    (void)unused;
    code *noted = *object->dlpi_name == 0 ? &program : strstr(object->dlpi_name, "libcrypto") != NULL ? &libcrypto : NULL;
    for (int i = 0; i < object->dlpi_phnum && noted != NULL && noted->base == 0; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X)) { continue; }
        uint64_t start = object->dlpi_addr + segment->p_vaddr;
        *noted = (code){.base = object->dlpi_addr, .start = start, .end = start + segment->p_memsz};
    }
    return 0;
}

// The compiler uses the red zone below the stack pointer: skip it before pushing anything.
#define CHANGE_FLAGS(operation) \
    __asm__ volatile("lea -128(%%rsp), %%rsp\n pushfq\n " operation "\n popfq\n lea 128(%%rsp), %%rsp" ::: "memory", "cc")

int cinstruction_count(cinstruction_counts *out, void (*body)(void *context), void *context) {
    static uint8_t memory[ALTERNATE_STACK];
    stack_t alternate = {.ss_sp = memory, .ss_size = sizeof memory}, old_stack;
    struct sigaction action = {.sa_sigaction = step, .sa_flags = SA_SIGINFO | SA_ONSTACK}, old_action;
    memset(&counts, 0, sizeof counts);
    libcrypto_frame = 0;
    dl_iterate_phdr(note_code, NULL);
    sigaltstack(&alternate, &old_stack);
    sigaction(SIGTRAP, &action, &old_action);
    CHANGE_FLAGS("orq $0x100, (%%rsp)");
    body(context);
    CHANGE_FLAGS("andq $~0x100, (%%rsp)");
    sigaction(SIGTRAP, &old_action, NULL);
    sigaltstack(&old_stack, NULL);
    *out = counts;
    return counts.ours.instructions > 0;
}

#else

int cinstruction_count(cinstruction_counts *out, void (*body)(void *context), void *context) {
    memset(out, 0, sizeof *out);
    body(context);
    return 0;
}

#endif
