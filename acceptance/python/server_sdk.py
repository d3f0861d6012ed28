"""The server SDK for Python, unchanged: reads flags, decides in this process, reports usage.

Standard input: { url, appName, clientToken, flags: [name], contexts: [context], scratch }.
Standard output: { decisions: [{ flag, context (its index), enabled, variant }] }.
"""

import json
import sys

from UnleashClient import UnleashClient

question = json.load(sys.stdin)
client = UnleashClient(
    url=f"{question['url']}/api",
    app_name=question["appName"],
    custom_headers={"Authorization": question["clientToken"]},
    refresh_interval=3600,
    metrics_interval=3600,
    cache_directory=question["scratch"],
)
client.initialize_client()
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
