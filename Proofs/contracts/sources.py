"""The functions of the kernels' sources, with their parameters and contracts.

A contract is a comment line directly above the function: `// Contract: a < p, b < p => r R = a b (mod p), r < p`.
"""
import functools
import re

from contracts import grammar
from ir.compilation import KERNELS

MARK = '// Contract:'
KEYWORDS = {'if', 'for', 'while', 'switch', 'return', 'sizeof', '_Alignas', '_Static_assert', '_Pragma', 'defined'}

QUALIFIERS = {
    'static', 'inline', 'extern', 'NIST_INLINE', 'LANES', 'LANES_INLINE', 'LANES_MULTIPLICATION', 'CJWT_IFMA', 'CJWT_IFMA_APART',
    'CJWT_IFMA_INLINE', 'NIST_LANES', 'NIST_LANES_APART', 'NIST_LANES_INLINE', 'IFMA', 'IFMA_INLINE', 'MULUDQ', 'MULUDQ_INLINE',
    'SCALAR', 'SCALAR_INLINE',
}


class Parameter:
    def __init__(self, text):
        match = re.fullmatch(r'(.*?)(\w+)((?:\[[^\]]*\])*)', text.strip(), re.S)
        self.type, self.name, array = match.group(1).strip(), match.group(2), match.group(3)
        self.count = re.findall(r'\[([^\]]*)\]', array)[0] if array else None
        self.is_constant = re.search(r'\bconst\b', self.type) is not None
        self.is_pointer = '*' in self.type or bool(array)
        self.base = re.sub(r'\bconst\b|\*|\s+', ' ', self.type).strip()


class Function:
    """`span` is where the definition begins and ends in the file; `declaration` is what stands before its body."""

    def __init__(self, name, file, line, result, parameters, contracts):
        self.name, self.file, self.line, self.result, self.contracts = name, file, line, result, contracts
        self.parameters = parameters
        self.id = '%s %s' % (file, name)
        self.span = self.declaration = None


@functools.lru_cache
def functions():
    """All functions that the files below CJWTKernels define, by `file name`."""
    found = {}
    for path in sorted(KERNELS.rglob('*.[ch]')):
        for function in functions_of(path.read_text(), str(path.relative_to(KERNELS))):
            found[function.id] = function
    return found


@functools.lru_cache(maxsize=None)
def functions_of(text, file):
    """A mutant changes one file: of the others, what was read before remains."""
    return tuple(definitions(text, file))


def definitions(text, file):
    lines, code = text.split('\n'), blank(text)
    depth, start, function = 0, 0, None
    for match in re.finditer(r'[{};]', code):
        at = match.start()
        if match.group() == '{':
            if depth == 0:
                function = definition(code[start:at], code[:at].count('\n'), lines, file)
            depth += 1
        elif match.group() == '}':
            depth -= 1
            if depth == 0 and function is not None:
                head = code[start:code.index('{', start)]
                function.span = (start + len(head) - len(head.lstrip()), at + 1)
                function.declaration = declaration_of(function, head)
                yield function
                function = None
        if depth == 0:
            start = at + 1


def blank(text):
    """Comments, strings and lines of the preprocessor become spaces: positions stay."""
    def spaces(match):
        return re.sub(r'[^\n]', ' ', match.group())
    text = re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', spaces, text, flags=re.S)
    text = re.sub(r'(?m)^[ \t]*#(?:[^\n]*\\\n)*[^\n]*', spaces, text)
    return re.sub(r'extern\s+"C"\s*\{', spaces, text)


def definition(text, last_line, lines, file):
    text = re.sub(r'(?m)^[A-Z]+\([^()]*\)\s*$', '', without_attributes(text))  # lines that are a macro
    match = re.match(r'\s*([\w\s*]*?)\b(\w+)\s*\((.*)\)\s*$', text, re.S)
    if match is None or match.group(2) in KEYWORDS or '=' in text.split('(')[0]:
        return None
    first_line = next(n for n in range(last_line, -1, -1) if re.search(r'\b%s\s*\(' % match.group(2), lines[n]))
    first_line = start_of(first_line, lines)
    inside = [part for part in split(match.group(3)) if part.strip() and part.strip() != 'void']
    result = ' '.join(word for word in match.group(1).split() if word not in QUALIFIERS)
    parameters = [Parameter(part) for part in inside]
    return Function(match.group(2), file, first_line + 1, result, parameters, contracts_above(first_line, lines, file))


def declaration_of(function, head):
    """The function as one of another unit."""
    parameters = re.search(r'\b%s\s*(\(.*\))\s*$' % function.name, without_attributes(head), re.S).group(1)
    return 'extern %s %s%s;' % (function.result, function.name, re.sub(r'\s+', ' ', parameters))


def start_of(line, lines):
    """A definition may begin on a line before its name."""
    while line > 0 and re.match(r'^(static|NIST_|LANES|CJWT_|IFMA|MULUDQ|SCALAR|__attribute__)[^;{}]*$', lines[line - 1]):
        line -= 1
    return line


def without_attributes(text):
    while True:
        match = re.search(r'__attribute__\s*\(', text)
        if match is None:
            return text
        depth, at = 1, match.end()
        while depth:
            depth += {'(': 1, ')': -1}.get(text[at], 0)
            at += 1
        text = text[:match.start()] + text[at:]


def split(text):
    parts, depth = [''], 0
    for character in text:
        depth += {'(': 1, ')': -1, '[': 1, ']': -1}.get(character, 0)
        if character == ',' and depth == 0:
            parts.append('')
        else:
            parts[-1] += character
    return parts


def contracts_above(line, lines, file):
    found = []
    while line > 0 and lines[line - 1].startswith('//'):
        line -= 1
        if lines[line].startswith(MARK):
            place = '%s:%d' % (file, line + 1)
            found.insert(0, grammar.parse(lines[line][len(MARK):].strip(), place))
    return found
