"""A flag on both sides of a change in a solver, with the regions of its proof."""

import json
import os
import re
from collections import defaultdict

from fields import Field
from tests import LeftOut, Test, murmur3

HASHES = 1 << 32
VARIANT_SEED = 86028157
SECONDS = int(os.environ.get("SOLVER_SECONDS", "2"))


class NoAnswer(Exception):
    """What a solver does not find out in its time."""


class Change:
    """One flag on both sides, with its proof."""

    def __init__(self, s, line):
        self.s, self.line = s, line
        self.tests = defaultdict(dict)
        self.listed = defaultdict(set)
        self.hashes, self.draws, self.rules = {}, {}, []
        for side in line["sides"]:
            self.gather(side)
        samples = defaultdict(list)
        for dimension in dimensions_of(line):
            if "Field" in dimension["on"]:
                name = dimension["on"]["Field"]
                samples[name] = [atom["sample"] for atom in dimension["atoms"]]
                self.listed[name].update(atom["sample"] for atom in dimension["atoms"] if atom["alone"])
        self.fields = {}
        for name in set(self.tests) | set(self.listed) | {"userId", "sessionId", "remoteAddress"}:
            self.fields[name] = Field(s, name, list(self.tests[name].values()), self.listed[name], samples[name])
        self.codes = {}

    def gather(self, side):
        for flag in side["flags"].values():
            for strategy in asked(flag):
                for constraint in self.constraints(side, strategy) or []:
                    test = Test(constraint)
                    self.tests[constraint["contextName"]][test.key()] = test
                    self.listed[constraint["contextName"]].update(test.listed())
                self.listed["userId"].update(users(strategy))
            own = [strategy["variants"] for strategy in asked(flag)] + [flag["variants"]]
            for variant in [variant for variants in own for variant in variants]:
                for override in variant.get("overrides") or []:
                    self.listed[override["contextName"]].update(value for value in override["values"] if value)

    def constraints(self, side, strategy):
        """Its own and those of its segments; `None` where a segment is not there."""
        all = list(strategy["constraints"])
        for segment in strategy.get("segments") or []:
            if str(segment) not in side["segments"]:
                return None
            all += side["segments"][str(segment)]
        return all

    def hash(self, field, group, variants):
        key = (field, group, variants)
        if key not in self.hashes:
            s = self.s
            found = s.Int(f"hash {key}")
            self.rules += [found >= 0, found < HASHES]
            seed = VARIANT_SEED if variants else 0
            for text in self.fields[field].listed:
                known = murmur3(f"{group}:{text}", seed)
                self.rules.append(s.Implies(self.fields[field].is_listed(text), found == known))
            self.hashes[key] = found
        return self.hashes[key]

    def draw(self, strategy, group):
        key = (strategy, group)
        if key not in self.draws:
            self.draws[key] = self.s.Real(f"draw {key}")
            self.rules += [self.draws[key] >= 0, self.draws[key] < 1]
        return self.draws[key]

    def in_range(self, hash, modulus, first, last):
        return self.s.And(hash % modulus >= first, hash % modulus < last)

    def drawn(self, draw, modulus, first, last):
        return self.s.And(draw * modulus >= first, draw * modulus < last)

    def code(self, decision):
        return self.codes.setdefault(json.dumps(decision), len(self.codes))

    # what a flag is

    def decision(self, side):
        s, flag = self.s, side["flags"].get(self.line["flag"])
        if flag is None:
            return s.IntVal(self.code("Absent"))
        met = []
        for dependency in flag["dependencies"]:
            parent = side["flags"].get(dependency["feature"])
            if parent is None or parent["dependencies"]:
                return s.IntVal(self.code("Off"))
            if dependency.get("variants"):
                raise LeftOut("variants of a parent")
            on = self.is_on(side, parent)
            met.append(on if dependency.get("enabled", True) else s.Not(on))
        found = self.of_flag(side, self.line["flag"], flag)
        return s.If(s.And(*met, s.BoolVal(True)), found, s.IntVal(self.code("Off")))

    def is_on(self, side, flag):
        s, strategies = self.s, flag["strategies"]
        if not flag["enabled"] or (strategies and all(strategy["disabled"] for strategy in strategies)):
            return s.BoolVal(False)
        if not strategies:
            return s.BoolVal(True)
        name = next(name for name, known in side["flags"].items() if known is flag)
        used = [self.holds(side, name, strategy) for strategy in asked(flag)]
        return s.Or(*used, s.BoolVal(False))

    def of_flag(self, side, name, flag):
        s, strategies = self.s, flag["strategies"]
        off = s.IntVal(self.code("Off"))
        if not flag["enabled"] or (strategies and all(strategy["disabled"] for strategy in strategies)):
            return off
        shared = (flag["variants"], name, None)
        if not strategies:
            return self.variant([shared])
        found = off
        for strategy in reversed(asked(flag)):
            parameters = strategy["parameters"]
            own = (strategy["variants"], parameters.get("groupId", name), parameters.get("stickiness"))
            found = s.If(self.holds(side, name, strategy), self.variant([own, shared]), found)
        return found

    def holds(self, side, name, strategy):
        s = self.s
        constraints = self.constraints(side, strategy)
        if constraints is None:
            return s.BoolVal(False)
        all = [self.fields[one["contextName"]].holds(Test(one)) for one in constraints]
        return s.And(*all, self.rule(name, strategy))

    def rule(self, name, strategy):
        s, parameters = self.s, strategy["parameters"]
        if strategy["name"] == "default":
            return s.BoolVal(True)
        if strategy["name"] == "userWithId":
            return s.Or(*[self.fields["userId"].is_listed(user) for user in sorted(users(strategy))], s.BoolVal(False))
        if strategy["name"] != "flexibleRollout":
            raise LeftOut(f"the strategy {strategy['name']}")
        if not re.fullmatch(r"\d{1,3}", parameters.get("rollout", "")):
            raise LeftOut("a rollout that is no whole number")
        bound, group = int(parameters["rollout"]), parameters.get("groupId", name)
        sticky = parameters.get("stickiness") or "default"
        if bound == 0:
            return s.BoolVal(False)
        by_chance = self.drawn(self.draw(strategy["id"], group), 100, 0, bound)
        found = s.BoolVal(False) if sticky not in ("default", "random") else by_chance
        for field in reversed({"default": ["userId", "sessionId"], "random": []}.get(sticky, [sticky])):
            inside = self.in_range(self.hash(field, group, False), 100, 0, bound)
            found = s.If(self.fields[field].set, inside, found)
        return found

    def variant(self, lists):
        s = self.s
        if not lists:
            return s.IntVal(self.code({"On": None}))
        (variants, group, inherited), rest = lists[0], lists[1:]
        total = sum(variant["weight"] for variant in variants)
        found = None
        if total == 0:
            found = self.variant(rest)
        else:
            sticky = inherited or variants[0].get("stickiness") or "default"
            fields = {"default": ["userId", "sessionId", "remoteAddress"], "random": []}.get(sticky, [sticky])
            found = self.weighted(variants, lambda first, last: self.drawn(self.draw(None, group), total, first, last))
            for field in reversed(fields):
                own = self.weighted(
                    variants,
                    lambda first, last: self.in_range(self.hash(field, group, True), total, first, last),
                )
                found = s.If(self.fields[field].set, own, found)
        for variant in reversed(variants):
            for override in variant.get("overrides") or []:
                field = self.fields[override["contextName"]]
                listed = s.Or(*[field.is_listed(value) for value in override["values"] if value], s.BoolVal(False))
                found = s.If(listed, s.IntVal(self.named(variant)), found)
        return found

    def weighted(self, variants, inside):
        s, ways, first = self.s, [], 0
        for variant in variants:
            ways.append((variant, first, first + variant["weight"]))
            first += variant["weight"]
        ways = [way for way in ways if way[1] < way[2]]
        found = s.IntVal(self.named(ways[-1][0]))
        for variant, first, last in reversed(ways[:-1]):
            found = s.If(inside(first, last), s.IntVal(self.named(variant)), found)
        return found

    def named(self, variant):
        payload = variant.get("payload")
        payload = [payload["type"], payload["value"]] if payload else None
        return self.code({"On": [variant["name"], payload]})

    # what a region holds

    def region(self, region):
        s, dimensions = self.s, self.line["proof"]["dimensions"]
        inside = []
        for number, atoms in region["atoms"].items():
            dimension = dimensions[int(number)]
            inside.append(s.Or(*[self.atom(dimension, dimension["atoms"][atom]) for atom in atoms]))
        return s.And(*inside, s.BoolVal(True))

    def atom(self, dimension, atom):
        s, on = self.s, dimension["on"]
        if "Field" in on:
            field = self.fields[on["Field"]]
            sample, now = atom["sample"], atom["now"]
            if atom["alone"]:
                return field.is_listed(sample)
            same = [field.set if sample is not None else s.Not(field.set)]
            for test in field.tests:
                holds = test.holds(sample, int(now) if now is not None else None)
                same.append(field.holds(test) if holds else s.Not(field.holds(test)))
            for values in self.lists(on["Field"]):
                listed = s.Or(*[field.is_listed(value) for value in values], s.BoolVal(False))
                same.append(listed if sample in values else s.Not(listed))
            alone = [other["sample"] for other in dimension["atoms"] if other["alone"]]
            return s.And(*same, *[s.Not(field.is_listed(text)) for text in alone])
        if "Hash" in on:
            name, group, variants = on["Hash"]["field"], on["Hash"]["group"], on["Hash"]["variants"]
            field, hash = self.fields[name], self.hash(name, group, variants)
            own = [d for d in dimensions_of(self.line) if d["on"] == {"Field": name}]
            alone = [atom["sample"] for d in own for atom in d["atoms"] if atom["alone"]]
            inside = [s.And(*[self.in_range(hash, *part) for part in parts]) for parts in atom["ranges"]]
            return s.Or(s.Not(field.set), *[field.is_listed(text) for text in alone], *inside)
        if "Chance" in on:
            draw = self.draw(on["Chance"]["strategy"], on["Chance"]["group"])
            return s.Or(*[s.And(*[self.drawn(draw, *part) for part in parts]) for parts in atom["ranges"]])
        raise LeftOut(f"{on} in a proof")

    def lists(self, field):
        """The lists of users and overrides, which no constraint names."""
        for side in self.line["sides"]:
            for flag in side["flags"].values():
                for strategy in asked(flag):
                    if field == "userId" and users(strategy):
                        yield users(strategy)
                own = [strategy["variants"] for strategy in asked(flag)] + [flag["variants"]]
                for variant in [variant for variants in own for variant in variants]:
                    for override in variant.get("overrides") or []:
                        if override["contextName"] == field:
                            yield {value for value in override["values"] if value}

    def counterexample(self):
        """A context for which the proof is wrong; `None` where there is none."""
        s = self.s
        before, after = [self.decision(side) for side in self.line["sides"]]
        regions, wrong = [], []
        for region in self.line["proof"]["regions"]:
            inside = self.region(region)
            regions.append(inside)
            said = s.And(before == self.code(region["before"]), after == self.code(region["after"]))
            wrong.append(s.And(inside, s.Not(said)))
        outside = s.And(before != after, s.Not(s.Or(*regions, s.BoolVal(False))))
        solver = self.solver()
        for rule in self.rules + [rule for field in self.fields.values() for rule in field.rules]:
            solver.add(rule)
        for field in [field for field in self.fields.values() if field.lemma is not None and field.samples]:
            texts = self.solver()
            texts.add(field.lemma)
            found = texts.check()
            if found == s.sat:
                return f"a text of {field.name} in no atom: {texts.model()}"
            if found != s.unsat:
                raise NoAnswer("whether a text is in no atom")
        solver.add(s.Or(outside, *wrong))
        found = solver.check()
        if found == s.unsat:
            return None
        if found != s.sat:
            raise NoAnswer("whether a context changes elsewhere")
        return str(solver.model())

    def solver(self):
        solver = self.s.Solver()
        if self.s.__name__ == "z3":
            solver.set("timeout", SECONDS * 1000)
        else:
            solver.setOption("tlimit-per", str(SECONDS * 1000))
        return solver


def dimensions_of(line):
    return [dimension for dimension in line["proof"]["dimensions"] if isinstance(dimension["on"], dict)]


def asked(flag):
    """The strategies of a flag that are asked: none behind one that always holds."""
    strategies = []
    for strategy in flag["strategies"] if flag["enabled"] else []:
        if strategy["disabled"]:
            continue
        strategies.append(strategy)
        if strategy["name"] == "default" and not strategy["constraints"] and not strategy.get("segments"):
            break
    return strategies


def users(strategy):
    if strategy["name"] != "userWithId":
        return set()
    listed = (strategy["parameters"].get("userIds") or "").split(",")
    return {user.strip() for user in listed if user.strip()}
