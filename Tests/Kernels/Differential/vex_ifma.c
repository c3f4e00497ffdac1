// vex_ifma_power4: decodes and computes VPMADD52LUQ and VPMADD52HUQ as Intel's Software Developer's Manual, volume 2, has them:
//   VEX.256.66.0F38.W1 B4 /r  VPMADD52LUQ ymm1, ymm2, ymm3/m256: each 64-bit lane of ymm1 gets the low half of ymm2 * ymm3 added,
//   VEX.256.66.0F38.W1 B5 /r  VPMADD52HUQ: the high half; of the low 52 bits of each factor, in 52 bits.

#if defined(__x86_64__) && defined(__linux__)

#define _GNU_SOURCE

#include "vex_ifma.h"

#include <cpuid.h>
#include <signal.h>
#include <string.h>
#include <ucontext.h>

#include "CJWTKernelsVerdict.h"

#define RSA_LANES 4
#include "../../../Sources/CJWTKernels/rsa/rsa_ifma256.h"

enum { kQuarters = 4, kStateHeader = 512, kHalfBytes = 16, kUpperHalves = 2 };

// The state that the kernel saved for the handler, in the standard form of XSAVE: the lower halves of the registers at byte 160 and, from
// `upper` on, the upper ones. Where the header says that these are as after a reset, they are zero.
typedef struct registers {
    uint8_t *state;
    size_t upper;
    const greg_t *general;
} registers;

static uint64_t computed;

static int has_upper(const registers *r) {
    uint64_t components;
    memcpy(&components, r->state + kStateHeader, sizeof components);
    return components >> kUpperHalves & 1;
}

static void load_register(const registers *r, unsigned number, uint64_t out[kQuarters]) {
    memset(out, 0, kQuarters * sizeof *out);
    memcpy(out, r->state + 160 + kHalfBytes * number, kHalfBytes);
    if (has_upper(r)) { memcpy(out + 2, r->state + r->upper + kHalfBytes * number, kHalfBytes); }
}

static void store_register(const registers *r, unsigned number, const uint64_t in[kQuarters]) {
    uint64_t components;
    if (!has_upper(r)) { memset(r->state + r->upper, 0, 16 * kHalfBytes); }
    memcpy(&components, r->state + kStateHeader, sizeof components);
    components |= 1 << kUpperHalves | 1 << (kUpperHalves - 1);
    memcpy(r->state + kStateHeader, &components, sizeof components);
    memcpy(r->state + 160 + kHalfBytes * number, in, kHalfBytes);
    memcpy(r->state + r->upper + kHalfBytes * number, in + 2, kHalfBytes);
}

// A general register by its number in an instruction.
static uint64_t general(const registers *r, unsigned number) {
    static const int places[16] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                                   REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
    return (uint64_t)r->general[places[number]];
}

typedef struct instruction {
    int is_high;
    unsigned target, first, second;  // registers
    const uint8_t *memory;           // instead of the second, or NULL
    size_t len;
} instruction;

// operand decodes what follows the opcode: a register, or base + index * scale + displacement.
static void operand(instruction *i, const registers *r, const uint8_t *at, unsigned extend_index, unsigned extend_base) {
    const uint8_t *next = at + 1;
    const unsigned mode = *at >> 6, low = *at & 7;
    i->second = low | extend_base << 3, i->memory = NULL;
    if (mode != 3) {
        uint64_t address = 0;
        unsigned base = low;
        if (low == 4) {  // SIB
            const unsigned scale = *next >> 6, index = (*next >> 3 & 7) | extend_index << 3;
            base = *next++ & 7;
            if (index != 4) { address = general(r, index) << scale; }
        }
        const int has_base = mode != 0 || base != 5, is_relative = !has_base && low == 5;
        if (has_base) { address += general(r, base | extend_base << 3); }
        if (mode == 1) {
            address += (uint64_t)(int64_t)(int8_t)*next++;
        } else if (mode == 2 || !has_base) {
            int32_t displacement;
            memcpy(&displacement, next, sizeof displacement);
            next += sizeof displacement;
            address += (uint64_t)(int64_t)displacement + (is_relative ? (uint64_t)next : 0);
        }
        i->memory = (const uint8_t *)address;
    }
    i->len += (size_t)(next - at);
}

// Zero where the instruction is none of the two.
static int decode(instruction *i, const registers *r, const uint8_t *at) {
    const int is_map = at[0] == 0xc4 && (at[1] & 0x1f) == 2;                   // 0F38
    if (!is_map || (at[2] & 0x87) != 0x85 || (at[3] & 0xfe) != 0xb4) { return 0; }  // W1, 256 bits, 66
    i->is_high = at[3] & 1;
    i->target = (at[4] >> 3 & 7) | (at[1] & 0x80 ? 0 : 8);
    i->first = ~at[2] >> 3 & 15;
    i->len = 4;
    operand(i, r, at + 4, !(at[1] & 0x40), !(at[1] & 0x20));
    return 1;
}

static void compute(const instruction *i, const registers *r) {
    const uint64_t mask = (UINT64_C(1) << 52) - 1;
    uint64_t target[kQuarters], first[kQuarters], second[kQuarters];
    load_register(r, i->target, target);
    load_register(r, i->first, first);
    if (i->memory != NULL) {
        memcpy(second, i->memory, sizeof second);
    } else {
        load_register(r, i->second, second);
    }
    for (int lane = 0; lane < kQuarters; lane++) {
        unsigned __int128 product = (unsigned __int128)(first[lane] & mask) * (second[lane] & mask);
        target[lane] += i->is_high ? (uint64_t)(product >> 52) : (uint64_t)product & mask;
    }
    store_register(r, i->target, target);
    computed++;
}

// Instructions that follow directly are computed as well: a signal takes longer than all of them. Any other instruction ends the program.
static void handle(int number, siginfo_t *info, void *context) {
    (void)info;
    mcontext_t *machine = &((ucontext_t *)context)->uc_mcontext;
    registers r = {(uint8_t *)machine->fpregs, 0, machine->gregs};
    unsigned size, offset, ecx, edx;
    __cpuid_count(13, kUpperHalves, size, offset, ecx, edx);
    r.upper = offset;
    const uint8_t *at = (const uint8_t *)machine->gregs[REG_RIP];
    instruction i;
    if (size != 16 * kHalfBytes || !decode(&i, &r, at)) {
        signal(number, SIG_DFL);
        return;
    }
    for (; decode(&i, &r, at); at += i.len) { compute(&i, &r); }
    machine->gregs[REG_RIP] = (greg_t)at;
}

void vex_ifma_power4(int *results, const void *const *keys, uint8_t *const *ems, const uint8_t *const *sigs) {
    struct sigaction handler = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO}, before;
    if (!cjwt_avxifma_available()) { sigaction(SIGILL, &handler, &before); }
    rsa_avxifma_power4(results, keys, ems, sigs);
    if (!cjwt_avxifma_available()) { sigaction(SIGILL, &before, NULL); }
}

uint64_t vex_ifma_computed(void) { return computed; }

#endif
