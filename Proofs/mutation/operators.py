"""The changes: what a regular expression finds, and what takes its place."""
import re

OPERATORS = [
    # Field operations and their operands.
    (r'fe8_add\(', 'fe8_sub('), (r'fe8_sub\(', 'fe8_add('), (r'field_subtract\(', 'field_add('), (r'field_add\(', 'field_subtract('),
    (r'fe51_add\(', 'fe51_subtract('), (r'fe51_subtract\(', 'fe51_add('), (r'fe8_subtract\(', 'fe8_add('), (r'fe8_fold\(', 'fe8_digits('),
    (r'fe8_times_p\(3, ', 'fe8_times_p(2, '), (r'fe8_times_p\(2, ', 'fe8_times_p(1, '), (r'(fe8_times_p\(\d), \d\d', r'\1, 1'),
    (r'field_square\(&(\w+), ', r'field_add(&\1, &\1, '), (r'\bhhh\b', 'hh'), (r'&pp\b', '&ppp'), (r'->zz\b', '->zzz'),
    (r'->zzz\b', '->zz'),
    (r'->x\b', '->y'), (r'->y\b', '->x'), (r'->difference\b', '->sum'), (r'->sum\b', '->difference'), (r'->xy2d\b', '->sum'),
    (r'&e, &f', '&e, &g'),
    # Operators of C.
    (r' \+ ', ' - '), (r' - ', ' + '), (r' << ', ' >> '), (r' >> ', ' << '), (r' & ', ' | '), (r' \| ', ' & '), (r' \^ ', ' & '),
    (r' == ', ' != '), (r' != ', ' == '), (r' < ', ' <= '), (r' <= ', ' < '), (r' > ', ' >= '), (r'&& ', '|| '), (r'\|\| ', '&& '),
    (r' \+= ', ' -= '), (r'(?<=\()!(?=[a-zA-Z])', ''),
    # Constants and verdicts.
    (r'\b(?:UINT64_C\()?0x[0-9a-f]{6,}\b', 'BIT'), (r'(?<![\w.])\d+\b(?![\w.])', 'ONE'), (r'CJWT_UNDECIDED', 'CJWT_REFUSED'),
    (r'CJWT_ACCEPTED : CJWT_REFUSED', 'CJWT_REFUSED : CJWT_ACCEPTED'), (r'CJWT_REFUSED;', 'CJWT_ACCEPTED;'),
]
# Lines whose changes alter no result: what the compiler alone reads, and prefetching.
SKIPPED = re.compile(r'\s*(#|//|_Static_assert|typedef|enum|_Pragma)|.*__builtin_prefetch')

# Routines that other proofs cover (Proofs/fields: lanes, encodings, Barrett's reduction), or that no verdict depends on.
UNCHANGED = {
    'canonical', 'store', 'rows8_load', 'exchanged', 'add_lanes_apart', 'add_lanes', 'lane_zero', 'window_of', 'windows_of', 'table_bytes',
    'bytes_of_table', 'window_bits_of', 'cjwt_p256_ifma_table_bytes', 'cjwt_ed25519_table_bytes', 'KERNEL', 'run_self_test', 'keep_lanes',
    'negated',
}


def replacement(match, new, rng):
    if new == 'ONE':
        return str(int(match.group()) + rng.choice([1, -1]) if match.group() != '0' else 1)
    if new == 'BIT':
        prefix, digits = re.fullmatch(r'(.*?)(0x[0-9a-f]+)', match.group()).groups()
        return '%s%#0*x' % (prefix, len(digits), int(digits, 16) ^ 1 << rng.randrange(4 * (len(digits) - 2)))
    return match.expand(new)
