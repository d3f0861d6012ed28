"""The server SDK for Python, unchanged: reads flags, decides in this process, reports usage.

Standard input: { url, appName, adminToken, clientToken, edited, flags: [name], contexts: [context], scratch }.
Standard output: { decisions: [{ flag, context (its index), enabled, variant }] }.
"""

import json
import sys

from edits import saw_edits
from UnleashClient import UnleashClient

question = json.load(sys.stdin)
client = UnleashClient(
    url=f"{question['url']}/api",
    app_name=question["appName"],
    custom_headers={"Authorization": question["clientToken"]},
    # the shortest that it knows, in seconds
    refresh_interval=1,
    metrics_interval=3600,
    cache_directory=question["scratch"],
)
client.initialize_client()
saw_edits(question, lambda: client.is_enabled(question["edited"]), within=3)
decisions = [
    {
        "flag": flag,
        "context": index,
        "enabled": client.is_enabled(flag, context),
        "variant": client.get_variant(flag, context),
    }
    for index, context in enumerate(question["contexts"])
    for flag in question["flags"]
]
client.destroy()
json.dump({"decisions": decisions}, sys.stdout)
