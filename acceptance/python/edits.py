"""Whether an SDK sees edits."""

import sys
import time
from urllib.request import Request, urlopen


def saw_edits(question, is_on, within):
    """Turns the flag `edited` on and off again; fails where `is_on` does not say so within so many seconds."""
    flag = f"{question['url']}/api/admin/projects/default/features/{question['edited']}/environments/development"
    for wanted, switch in ((True, "on"), (False, "off")):
        request = Request(f"{flag}/{switch}", method="POST", headers={"Authorization": question["adminToken"]})
        urlopen(request).close()
        begun = time.monotonic()
        while is_on() != wanted:
            if time.monotonic() - begun > within:
                raise TimeoutError(f"an edit was not seen within {within} s")
            time.sleep(0.01)
        print(f"{question['appName']} saw an edit after {time.monotonic() - begun:.3f} s", file=sys.stderr)
