"""Asks z3 and cvc5 whether any context changes outside of the regions of a proof, or changes otherwise than its region says.

Reads changes with their proofs from standard input, as `cargo run -p vexil-preview --example proofs` prints them. What a
strategy, a constraint and a region mean is written down here once more, from the documentation, in the solvers' own theories of
texts and numbers: nothing that found the proofs is used. An atom of a proof is all values for which every test answers as it does
for the sample.

What is not written down here is told and counted; the run fails where that is more than one flag in twenty.
"""

import importlib
import json
import sys
from collections import Counter

from changes import SECONDS, Change, NoAnswer
from tests import LeftOut

TOLD_EVERY = 200
MOST_LEFT_OUT = 0.05
MOST_UNANSWERED = 0.15


def main():
    solvers = [importlib.import_module(name) for name in ("z3", "cvc5.pythonic")]
    proven, unanswered, left_out = Counter(), Counter(), Counter()
    flags = wrong = 0
    for text in sys.stdin:
        line = json.loads(text)
        flags += 1
        if line["proof"] is None:
            left_out["without a proof"] += 1
            continue
        for solver in solvers:
            try:
                found = Change(solver, line).counterexample()
            except LeftOut as why:
                left_out[str(why)] += 1
                break
            except NoAnswer as why:
                unanswered[f"{solver.__name__}: {why}"] += 1
                continue
            if found is None:
                proven[solver.__name__] += 1
            else:
                wrong += 1
                print(f"change {line['change']}, {line['flag']}: {solver.__name__} says {found}", flush=True)
        if flags % TOLD_EVERY == 0:
            print(f"solvers: {flags} flags, so far {dict(proven)} proven, {wrong} counterexamples", flush=True)
    print(
        f"solvers: of {flags} flags {dict(proven)} proven, {wrong} counterexamples, without an answer within {SECONDS} s: "
        f"{dict(unanswered)}, left out: {dict(left_out)}"
    )
    few = sum(left_out.values()) > MOST_LEFT_OUT * flags or sum(unanswered.values()) > MOST_UNANSWERED * 2 * flags
    sys.exit(1 if wrong or few or not flags else 0)


main()
