"""Places in the C readers, and what may stand there instead."""
import re

from mutants import Mutant, numbered
from tree import ROOT

KERNELS, LIBCRYPTO = 'Sources/CJWTKernels/', 'Sources/COpenSSL/'
FILES = [KERNELS + name for name in (
    'base64url_avx2.c', 'base64url_avx512.c', 'base64url_generic.c', 'base64url_nibbles.h', 'followed_stops_avx512.c', 'json_compact.h',
    'json_issuer.c', 'json_reader.h', 'json_run_names.h', 'json_runs.h', 'json_runs_avx512.c', 'json_tape.c', 'keyed_hash.c',
    'known_names.h', 'name_set.c', 'names.h', 'text_avx2.c', 'text_avx512.c', 'text_avx512.h', 'text_generic.c', 'utf8.c',
    'utf8_avx2.c')] + [LIBCRYPTO + name for name in (
        'digest.c', 'ecdsa.c', 'ecdsa_der.c', 'forks.c', 'hmac.c', 'import.c', 'keys.c', 'padding.c', 'pem.c', 'raw.c', 'rsa.c',
        'verify.c')]

# Each pattern's whole match is replaced.
OPERATORS = [
    ('boundary', r'(?<= )<(?= )', '<='), ('boundary', r'(?<= )<=(?= )', '<'), ('boundary', r'(?<= )>(?= )', '>='),
    ('boundary', r'(?<= )>=(?= )', '>'),
    ('negation', r'==', '!='), ('negation', r'!=', '=='), ('negation', r'(?<=[( ])!(?=[\w(])', ''),
    ('connective', r'&&', '||'), ('connective', r'\|\|', '&&'),
    ('arithmetic', r'(?<=[\w)\]] )\+(?= )', '-'), ('arithmetic', r'(?<=[\w)\]] )-(?= )', '+'), ('arithmetic', r'<<(?!=)', '>>'),
    ('arithmetic', r'>>(?!=)', '<<'), ('arithmetic', r'(?<=[\w)\]] )&(?= )', '|'), ('arithmetic', r'(?<=[\w)\]] )\|(?= )', '&'),
    ('arithmetic', r'(?<= )\^(?= )', '|'), ('arithmetic', r'~(?=[\w(])', ''), ('arithmetic', r'\+=', '-='), ('arithmetic', r'-=', '+='),
    ('arithmetic', r'\|=', '&='), ('arithmetic', r'(?<=[\w)\]] )/(?= )', '*'), ('arithmetic', r'(?<=[\w)\]] )\*(?= )', '+'),
    ('number', r'(?<![\w.])(?:0x[0-9a-f]+|\d+)(?=u?\b)(?!\.)', None),
]
# A statement that is an assignment or a call, alone on its line.
STATEMENT = re.compile(r'^[ ]+(?!return\b|break\b|continue\b|goto\b|else\b|do\b|case\b|typedef\b|static\b|_Static_assert\b)'
                       r'(?![\w ]+\*? ?\**\w+(?:\[[^]]*\])? ?[=;,])[*(\w][^{};]*;$', re.M)
CONDITION = re.compile(r'\bif \(')
UNREAD = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\])+\'|'
                    r'__attribute__\(\(.*?\)\)\)*|^#(?:[^\n]*\\\n)*[^\n]*', re.S | re.M)
# Memory that is given back or wiped shows in no verdict.
RELEASE = re.compile(r'\w*_free\(|\w*_discard\(|\w*cleanse\(|\w*_release\(')
FUNCTION = re.compile(r'^(?![\s#}/]|typedef|enum|struct).*?\b(\w+)\([^;]*$', re.M)


def blank(code):
    """The code with spaces for comments, texts, characters, attributes and the preprocessor's lines."""
    code = UNREAD.sub(lambda match: re.sub(r'[^\n]', ' ', match.group()), code)
    # What the compiler is told to expect decides nothing.
    return re.sub(r', [01]\)(?=\)| [&|?])', lambda match: ' ' * len(match.group()[:-1]) + ')', code) if '__builtin_expect' in code else code


def closing(code, start):
    """The place of the bracket that closes the one at `start`."""
    depth = 0
    for place in range(start, len(code)):
        depth += {'(': 1, ')': -1}.get(code[place], 0)
        if depth == 0:
            return place
    return len(code)


def changes(code):
    """(operator, start, end, after) of every mutant."""
    for operator, pattern, after in OPERATORS:
        for match in re.finditer(pattern, code):
            if after is not None:
                yield operator, match.start(), match.end(), after
                continue
            value = int(match.group(), 0)
            for other in (value + 1, value - 1):
                if other >= 0:
                    yield operator, match.start(), match.end(), hex(other) if match.group().startswith('0x') else str(other)
    for match in CONDITION.finditer(code):
        end = closing(code, match.end() - 1)
        yield 'unchecked', match.end(), end, '0'
        yield 'taken', match.end(), end, '1'
    for match in STATEMENT.finditer(code):
        start = match.start() + len(match.group()) - len(match.group().lstrip())
        if RELEASE.match(code, start):
            continue
        yield 'statement', start, match.end(), ';'


class CMutant(Mutant):
    def __init__(self, code, functions, file, operator, start, end, after):
        line = code.count('\n', 0, start)
        functions = [name for place, name in functions if place < start]
        super().__init__({'file': file, 'line': line + 1, 'function': functions[-1] if functions else '', 'operator': operator,
                          'before': code[start:end], 'after': after}, code.split('\n')[line])
        self.start, self.end = start, end

    def changed(self):
        code = (ROOT / self.file).read_text()
        return code[:self.start] + self.after + code[self.end:]


def sites(files=FILES):
    found = []
    for file in files:
        code = (ROOT / file).read_text()
        blanked = blank(code)
        functions = [(match.start(), match.group(1)) for match in FUNCTION.finditer(blanked)]
        places = sorted(changes(blanked), key=lambda change: (change[1], change[2], change[0], change[3]))
        found += numbered([CMutant(code, functions, file, *place) for place in places])
    return found
