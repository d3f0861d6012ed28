"""OpenFeature for Python with its OFREP provider, unchanged: each flag is asked for.

Standard input: { url, appName, adminToken, clientToken, edited, flags: [name], contexts: [context] }.
Standard output: { decisions: [{ flag, context (its index), value, variant }] }.
"""

import json
import sys

from edits import saw_edits
from openfeature import api
from openfeature.contrib.provider.ofrep import OFREPProvider
from openfeature.evaluation_context import EvaluationContext
from openfeature.exception import ErrorCode

question = json.load(sys.stdin)
headers = {"Authorization": f"Bearer {question['clientToken']}"}
api.set_provider(OFREPProvider(question["url"], headers_factory=lambda: headers))
client = api.get_client()
saw_edits(question, lambda: client.get_boolean_value(question["edited"], False), within=1)


def asked(context):
    rest = {name: value for name, value in context.items() if name not in ("userId", "properties")}
    return EvaluationContext(context.get("userId"), {**rest, **context.get("properties", {})})


def told(flag, context):
    ways = [
        (client.get_boolean_details, False),
        (client.get_string_details, ""),
        (client.get_float_details, 0.0),
        (client.get_integer_details, 0),
        (client.get_object_details, {}),
    ]
    for ask, stand_in in ways:
        details = ask(flag, stand_in, context)
        if details.error_code != ErrorCode.TYPE_MISMATCH:
            return details
    raise ValueError(f"{flag} has a value of no type")


decisions = []
for index, context in enumerate(question["contexts"]):
    for flag in question["flags"]:
        details = told(flag, asked(context))
        decisions.append({"flag": flag, "context": index, "value": details.value, "variant": details.variant})
json.dump({"decisions": decisions}, sys.stdout)
