"""What constraints ask of a text, and how values are read: written down once more, from the documentation."""

import datetime
import ipaddress
import re
import struct

FIRST = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


class LeftOut(Exception):
    """What is not written down here."""


def murmur3(text, seed):
    data = text.encode()
    state, mask = seed, 0xFFFFFFFF

    def scrambled(number):
        number = number * 0xCC9E2D51 & mask
        number = (number << 15 | number >> 17) & mask
        return number * 0x1B873593 & mask

    for place in range(0, len(data) - 3, 4):
        state ^= scrambled(int.from_bytes(data[place : place + 4], "little"))
        state = ((state << 13 | state >> 19) & mask) * 5 + 0xE6546B64 & mask
    rest = data[len(data) // 4 * 4 :]
    state ^= scrambled(int.from_bytes(rest, "little")) ^ len(data)
    state = (state ^ state >> 16) * 0x85EBCA6B & mask
    state = (state ^ state >> 13) * 0xC2B2AE35 & mask
    return state ^ state >> 16


# ---- values that are compared in an order, as whole numbers


def number_of(text):
    """The place of a number in the order of all doubles."""
    if not re.fullmatch(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*", text, re.ASCII):
        return None
    value = float(text)
    if value in (float("inf"), float("-inf")):
        return None
    bits = struct.unpack(">q", struct.pack(">d", value + 0.0))[0]
    return bits if bits >= 0 else -(bits & (1 << 63) - 1)


def moment_of(text):
    """Nanoseconds since 1970."""
    found = re.fullmatch(
        r"(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?([Zz]|[+-]\d\d:\d\d)?)?", text, re.ASCII
    )
    if not found:
        return None
    year, month, day, hour, minute, second, fraction, zone = found.groups()
    try:
        moment = datetime.datetime(
            int(year), int(month), int(day), int(hour or 0), int(minute or 0), int(second or 0), tzinfo=datetime.timezone.utc
        )
    except ValueError:
        return None
    since = moment - FIRST
    nanos = (since.days * 86400 + since.seconds) * 10**9 + int((fraction or "0").ljust(9, "0")[:9])
    if zone and zone not in "Zz":
        offset = (int(zone[1:3]) * 60 + int(zone[4:])) * 60 * 10**9
        nanos -= offset if zone[0] == "+" else -offset
    return nanos


def version_of(text):
    found = re.fullmatch(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(\+[0-9A-Za-z.-]+)?", text, re.ASCII)
    if found:
        return tuple(int(part) for part in found.groups()[:3])
    if re.fullmatch(r"\d+\.\d+\.\d+-.*", text):
        raise LeftOut("a version before a release")
    return None


def address_of(text):
    try:
        address = ipaddress.ip_address(text.strip())
    except ValueError:
        return None
    return (address.version, int(address))


def network_of(text):
    try:
        network = ipaddress.ip_network(text.strip(), strict=False)
    except ValueError:
        return None
    return (network.version, int(network.network_address), int(network.broadcast_address))


KINDS = {"NUM": number_of, "DATE": moment_of, "SEMVER": version_of, "IP": address_of}


# ---- tests of one field


class Test:
    """What is asked of one field, for a text and for a solver's value."""

    def __init__(self, constraint):
        self.operator = constraint["operator"]
        self.inverted = constraint.get("inverted") or False
        self.ignore_case = constraint.get("caseInsensitive") or False
        values = [value.strip() for value in constraint.get("values") or []]
        self.values = [value for value in values if value]
        single = constraint.get("value")
        self.value = single.strip() if single is not None else None
        self.kind = self.operator.split("_")[0]
        if self.kind in ("NUM", "DATE", "SEMVER"):
            if self.value is None:
                raise LeftOut("a comparison without a value")
            self.bound = KINDS[self.kind](self.value)
            if self.bound is None:
                raise LeftOut("a value that cannot be read")
        elif self.operator == "IN_CIDR":
            self.kind = "IP"
            self.networks = [network_of(value) for value in self.values]
            if None in self.networks:
                raise LeftOut("a network that cannot be read")
        elif self.operator == "REGEX":
            if self.ignore_case:
                raise LeftOut("a pattern without regard to case")
            self.pattern = re.compile(self.value)
        elif self.operator not in ("IN", "NOT_IN", "STR_STARTS_WITH", "STR_ENDS_WITH", "STR_CONTAINS"):
            raise LeftOut(f"the operator {self.operator}")
        if self.kind == "STR" and self.ignore_case and not all(value.isascii() for value in self.values):
            raise LeftOut("letters beyond ASCII without regard to case")

    def key(self):
        return (self.operator, self.inverted, self.ignore_case, tuple(self.values), self.value)

    def listed(self):
        return self.values if self.operator in ("IN", "NOT_IN") else []

    def holds(self, text, now):
        """For a text, or `None` where the field is unset."""
        return self.matches(text, now) != self.inverted

    def matches(self, text, now):
        if self.kind == "DATE" and text is None:
            return now is not None and compared(self.operator, now, self.bound)
        if text is None:
            return self.operator == "NOT_IN"
        if self.operator == "IN":
            return text in self.values
        if self.operator == "NOT_IN":
            return text not in self.values
        if self.kind == "IP":
            address = address_of(text)
            return address is not None and any(
                address[0] == version and first <= address[1] <= last for version, first, last in self.networks
            )
        if self.kind in KINDS:
            value = KINDS[self.kind](text)
            return value is not None and compared(self.operator, value, self.bound)
        if self.operator == "REGEX":
            return self.pattern.search(text) is not None
        if self.ignore_case:
            text = text.lower()
        needles = [value.lower() if self.ignore_case else value for value in self.values]
        found = {"STR_STARTS_WITH": str.startswith, "STR_ENDS_WITH": str.endswith, "STR_CONTAINS": str.__contains__}
        return any(found[self.operator](text, needle) for needle in needles)


def compared(operator, value, bound):
    how = operator.split("_")[1]
    return {
        "EQ": value == bound,
        "GT": value > bound,
        "GTE": value >= bound,
        "LT": value < bound,
        "LTE": value <= bound,
        "AFTER": value > bound,
        "BEFORE": value < bound,
    }[how]
