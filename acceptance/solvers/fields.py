"""One field in a solver: which text it is, what value it says, and how tests answer."""

try:
    from re import _parser as patterns
except ImportError:
    import sre_parse as patterns

from tests import KINDS, LeftOut, moment_of, number_of


class Field:
    """The value of a field: a text where texts are looked through, otherwise which of the listed ones it is."""

    def __init__(self, s, name, tests, listed, samples):
        self.s, self.name = s, name
        self.tests, self.samples, self.lemma = tests, samples, None
        self.listed = sorted(listed)
        self.set = s.Bool(f"{name} set")
        self.rules = []
        kinds = {test.kind for test in tests}
        self.is_text = bool(kinds & {"STR", "REGEX"})
        self.kinds = kinds & set(KINDS)
        if self.is_text and self.kinds:
            raise LeftOut("texts and values on one field")
        self.which = s.Int(f"{name} which")
        self.rules += [self.which >= 0, self.which <= len(self.listed)]
        self.answers = {}
        if self.is_text:
            self.of_texts()
        self.now = s.Int("the present")
        self.parts, self.has = {}, {}
        for kind in sorted(self.kinds):
            self.has[kind] = s.Bool(f"{name} is {kind}")
            count = {"SEMVER": 3, "IP": 2}.get(kind, 1)
            parts = [s.Int(f"{name} {kind} {place}") for place in range(count)]
            self.parts[kind] = parts
            if kind == "SEMVER":
                self.rules += [part >= 0 for part in parts]
            elif kind == "NUM":
                most = number_of("1.7976931348623157e308")
                self.rules += [parts[0] >= -most, parts[0] <= most]
            elif kind == "DATE":
                self.rules += [parts[0] >= moment_of("0001-01-01"), parts[0] <= moment_of("9999-12-31")]
            else:
                self.rules += [s.Or(parts[0] == 4, parts[0] == 6), parts[1] >= 0]
                self.rules.append(parts[1] < s.If(parts[0] == 4, s.IntVal(1 << 32), s.IntVal(1 << 128)))
        for one in self.kinds:
            self.rules += [s.Not(s.And(self.has[one], self.has[other])) for other in self.kinds if other > one]
        for text in self.listed if self.kinds else []:
            for kind in self.kinds:
                value = KINDS[kind](text)
                said = [self.has[kind]] if value is not None else [s.Not(self.has[kind])]
                if value is not None:
                    said += [a == b for a, b in zip(self.parts[kind], value if isinstance(value, tuple) else (value,))]
                self.rules.append(s.Implies(self.is_listed(text), s.And(*said)))
                if kind == "IP" and value and value[0] == 4:
                    # an address of this family is written in one way
                    self.rules.append(s.Implies(s.And(self.set, *said), self.is_listed(text)))
        self.rules += self.of_present()

    def of_texts(self):
        """How the tests answer together: as for a listed text, or as for the sample of an atom. That no other text answers
        otherwise is asked of the theory of texts by itself."""
        s = self.s
        tests = [test for test in self.tests if test.kind in ("STR", "REGEX")]
        self.answers = {test.key(): s.Bool(f"{self.name} {test.key()}") for test in tests}
        alike = lambda text: s.And(*[self.answers[test.key()] == test.matches(text, None) for test in tests])
        for text in self.listed:
            self.rules.append(s.Implies(self.is_listed(text), alike(text)))
        others = {sample for sample in self.samples if sample is not None} - set(self.listed)
        self.rules.append(s.Or(self.which < len(self.listed), *[alike(text) for text in others], s.BoolVal(False)))
        self.text = s.String(self.name)
        known = []
        for sample in sorted(others):
            same = [self.found(test) if test.matches(sample, None) else s.Not(self.found(test)) for test in tests]
            known.append(s.And(*same, s.BoolVal(True)))
        unlisted = [s.Not(s.InRe(self.text, s.Re(one))) for one in ["", *self.listed]]
        self.lemma = s.And(*unlisted, s.Not(s.Or(*known, s.BoolVal(False))))

    def of_present(self):
        return [self.now >= moment_of("0001-01-01"), self.now <= moment_of("9999-12-31")]

    def is_listed(self, text):
        s = self.s
        return s.And(self.set, self.which == self.listed.index(text))

    def holds(self, test):
        found = self.matches(test)
        return self.s.Not(found) if test.inverted else found

    def matches(self, test):
        s = self.s
        if test.operator in ("IN", "NOT_IN"):
            found = s.Or(*[self.is_listed(text) for text in sorted(set(test.values))], s.BoolVal(False))
            return found if test.operator == "IN" else s.Not(found)
        if test.kind == "IP":
            family, address = self.parts["IP"]
            inside = [s.And(family == v, address >= first, address <= last) for v, first, last in test.networks]
            return s.And(self.set, self.has["IP"], s.Or(*inside, s.BoolVal(False)))
        if test.kind in KINDS:
            own = s.And(self.set, self.has[test.kind], self.compared(test, self.parts[test.kind]))
            if test.kind == "DATE" and self.name == "currentTime":
                return s.Or(own, s.And(s.Not(self.set), self.compared(test, [self.now])))
            return own
        return s.And(self.set, self.answers[test.key()])

    def found(self, test):
        """Whether a test for texts finds what it looks for, in the theory of texts."""
        s = self.s
        if test.operator == "REGEX":
            return s.InRe(self.text, searched(s, test.value))
        needles = sorted({needle.lower() if test.ignore_case else needle for needle in test.values})
        # a text that holds another that is looked for says nothing more
        if test.operator == "STR_CONTAINS":
            needles = [one for one in needles if not any(other != one and other in one for other in needles)]
        return s.Or(*[self.looked_for(test, needle) for needle in needles], s.BoolVal(False))

    def looked_for(self, test, needle):
        s = self.s
        letters = [one_of(s, {letter.lower(), letter.upper()}) for letter in needle] if test.ignore_case else [s.Re(needle)]
        anything = [s.Star(s.AllChar(*any_letter(s)))]
        before = anything if test.operator != "STR_STARTS_WITH" else []
        behind = anything if test.operator != "STR_ENDS_WITH" else []
        return s.InRe(self.text, joined(s, before + letters + behind))

    def compared(self, test, parts):
        s = self.s
        bound = test.bound if isinstance(test.bound, tuple) else (test.bound,)
        how = test.operator.split("_")[1]
        equal = s.And(*[part == value for part, value in zip(parts, bound)])
        less = more = s.BoolVal(False)
        for part, value in reversed(list(zip(parts, bound))):
            less = s.Or(part < value, s.And(part == value, less))
            more = s.Or(part > value, s.And(part == value, more))
        return {
            "EQ": equal,
            "GT": more,
            "AFTER": more,
            "GTE": s.Or(more, equal),
            "LT": less,
            "BEFORE": less,
            "LTE": s.Or(less, equal),
        }[how]


def any_letter(s):
    """What z3 wants to know, and cvc5 does not."""
    return [s.ReSort(s.StringSort())] if s.__name__ == "z3" else []


def one_of(s, letters):
    all = [s.Re(letter) for letter in sorted(letters)]
    return all[0] if len(all) == 1 else s.Union(*all)


def joined(s, parts):
    return s.Re("") if not parts else parts[0] if len(parts) == 1 else s.Concat(*parts)


def searched(s, pattern):
    """The texts in which a pattern is found."""
    tree = list(patterns.parse(pattern))
    anything = s.Star(s.AllChar(*any_letter(s)))
    at_start = bool(tree) and tree[0] == (patterns.AT, patterns.AT_BEGINNING)
    at_end = bool(tree) and tree[-1] == (patterns.AT, patterns.AT_END)
    inner = tree[at_start : len(tree) - at_end]
    parts = ([] if at_start else [anything]) + [expression(s, node) for node in inner] + ([] if at_end else [anything])
    return joined(s, parts)


def expression(s, node):
    what, given = node
    if what == patterns.LITERAL:
        return s.Re(chr(given))
    if what == patterns.ANY:
        return s.AllChar(*any_letter(s))
    if what == patterns.IN:
        sets = []
        for kind, value in given:
            if kind == patterns.LITERAL:
                sets.append(s.Re(chr(value)))
            elif kind == patterns.RANGE:
                sets.append(s.Range(chr(value[0]), chr(value[1])))
            elif kind == patterns.CATEGORY and value == patterns.CATEGORY_DIGIT:
                sets.append(s.Range("0", "9"))
            else:
                raise LeftOut("a class of letters")
        return sets[0] if len(sets) == 1 else s.Union(*sets)
    if what == patterns.MAX_REPEAT:
        least, most, inner = given
        inner = joined(s, [expression(s, node) for node in inner])
        if most == patterns.MAXREPEAT:
            return joined(s, [inner] * least + [s.Star(inner)])
        return s.Loop(inner, least, most)
    if what == patterns.SUBPATTERN:
        return joined(s, [expression(s, node) for node in given[-1]])
    if what == patterns.BRANCH:
        return s.Union(*[joined(s, [expression(s, node) for node in branch]) for branch in given[1]])
    raise LeftOut(f"{what} in a pattern")
