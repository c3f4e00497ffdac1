// cjwt_ed25519_table_bytes, cjwt_ed25519_table_build, cjwt_ed25519_base_table.

#include "table.h"

#include <pthread.h>

#include "CJWTKernelsEd25519.h"

enum { kMostRowsOfWindow = 1 << (kFullWindowBits - 1) };

// A point with Z = 1, in two forms.
typedef struct {
    point sum;
    addend ready;
} affine_point;

static void set_affine(affine_point *out, const fe51 *x, const fe51 *y) {
    out->sum = (point){*x, *y, kFe51One, kFe51Zero};
    fe51_multiply(&out->sum.t, x, y);
    fe51_add(&out->ready.sum, y, x);
    fe51_carry(&out->ready.sum, &out->ready.sum);
    fe51_subtract(&out->ready.difference, y, x);
    fe51_carry(&out->ready.difference, &out->ready.difference);
    fe51_multiply(&out->ready.xy2d, &out->sum.t, &kCurveTwiceD);
}

static void set_affine_from(affine_point *out, const fe51 *x, const fe51 *y, const fe51 *z_inverse) {
    fe51 affine_x, affine_y;
    fe51_multiply(&affine_x, x, z_inverse);
    fe51_multiply(&affine_y, y, z_inverse);
    set_affine(out, &affine_x, &affine_y);
}

// Until a window is complete, its rows hold X, Y and Z; then their final contents.
static void keep_projective(table_row *row, const point *p) {
    fe51_to_words(row->word + kSumWord, &p->x);
    fe51_to_words(row->word + kDifferenceWord, &p->y);
    fe51_to_words(row->word + kXY2DWord, &p->z);
}

static void make_row(table_row *row, const fe51 *z_inverse) {
    fe51 x, y;
    affine_point affine;
    fe51_from_words(&x, row->word + kSumWord);
    fe51_from_words(&y, row->word + kDifferenceWord);
    set_affine_from(&affine, &x, &y, z_inverse);
    fe51_to_words(row->word + kSumWord, &affine.ready.sum);
    fe51_to_words(row->word + kDifferenceWord, &affine.ready.difference);
    fe51_to_words(row->word + kXY2DWord, &affine.ready.xy2d);
}

// Writes 1, 2, ... `count` times `base`, and makes `base` 2 * count times itself: the base of the next window. One inversion serves all
// rows (Montgomery's trick): products[i] is the product of the first i rows' Z. No Z is zero (point.h). Returns zero where the inverse does
// not pass its check.
static int make_window(table_row *rows, size_t count, affine_point *base) {
    fe51 products[kMostRowsOfWindow + 1], inverse, z, z_inverse;
    point multiple = base->sum;
    products[0] = kFe51One;
    for (size_t i = 0; i < count; i++) {
        if (i > 0) { point_add(&multiple, &base->ready); }
        keep_projective(&rows[i], &multiple);
        fe51_multiply(&products[i + 1], &products[i], &multiple.z);
    }
    point_double(&multiple);
    fe51_multiply(&inverse, &products[count], &multiple.z);
    if (!cjwt_ed25519_invert(&inverse, &inverse)) { return 0; }
    fe51_multiply(&z_inverse, &inverse, &products[count]);
    set_affine_from(base, &multiple.x, &multiple.y, &z_inverse);
    fe51_multiply(&inverse, &inverse, &multiple.z);
    for (size_t i = count; i-- > 0;) {
        fe51_from_words(&z, rows[i].word + kXY2DWord);
        fe51_multiply(&z_inverse, &inverse, &products[i]);
        fe51_multiply(&inverse, &inverse, &z);
        make_row(&rows[i], &z_inverse);
    }
    return 1;
}

static int make_table(point_table *table, unsigned window_bits, const fe51 *x, const fe51 *y) {
    affine_point base;
    *table = (point_table){.window_bits = window_bits, .windows = kScalarBits / window_bits, .rows_of_window = 1U << (window_bits - 1)};
    set_affine(&base, x, y);
    for (unsigned i = 0; i < table->windows; i++) {
        if (!make_window(table->rows + i * table->rows_of_window, table->rows_of_window, &base)) { return 0; }
    }
    return 1;
}

static size_t bytes_of_table(unsigned window_bits) {
    return sizeof(point_table) + (size_t)(kScalarBits / window_bits) * (1U << (window_bits - 1)) * sizeof(table_row);
}

static unsigned window_bits_of(cjwt_table_size size) { return size == CJWT_TABLE_FULL ? kFullWindowBits : kSmallWindowBits; }

// The base point (RFC 8032 section 5.1): y = 4/5, x even.
static const fe51 kBaseX = {{UINT64_C(0x62d608f25d51a), UINT64_C(0x412a4b4f6592a), UINT64_C(0x75b7171a4b31d), UINT64_C(0x1ff60527118fe),
                             UINT64_C(0x216936d3cd6e5)}};
static const fe51 kBaseY = {{UINT64_C(0x6666666666658), UINT64_C(0x4cccccccccccc), UINT64_C(0x1999999999999), UINT64_C(0x3333333333333),
                             UINT64_C(0x6666666666666)}};

// Written once, under pthread_once, before the first table of a key is complete; a holder of a table may read it.
static _Alignas(64) uint8_t base_table_bytes[sizeof(point_table) + 32 * 128 * sizeof(table_row)];
static pthread_once_t base_table_once = PTHREAD_ONCE_INIT;
static int base_table_is_made;

static void make_base_table(void) {
    base_table_is_made = make_table((point_table *)base_table_bytes, kBaseWindowBits, &kBaseX, &kBaseY);
}

const point_table *cjwt_ed25519_base_table(void) { return (const point_table *)base_table_bytes; }

size_t cjwt_ed25519_table_bytes(cjwt_table_size size) { return bytes_of_table(window_bits_of(size)); }

int cjwt_ed25519_table_build(void *table, cjwt_table_size size, const uint8_t key[32]) {
    point a;
    if (!cjwt_ed25519_point_decode(&a, key)) { return 0; }
    if (pthread_once(&base_table_once, make_base_table) != 0 || !base_table_is_made) { return 0; }
    fe51_subtract(&a.x, &kFe51Zero, &a.x);
    fe51_carry(&a.x, &a.x);
    return make_table(table, window_bits_of(size), &a.x, &a.y);
}
