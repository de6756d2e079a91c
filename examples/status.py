"""Prints how the farm is and who plays, and tells the players when it is late. Only the standard library.

API_KEY=… python3 status.py
"""

import json
import os
import re
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

# A character that the terminal or file cannot have is shown as \u2764, instead of ending the script.
sys.stdout.reconfigure(errors="backslashreplace")

API = os.environ.get("API", "http://127.0.0.1:8080")
KEY = os.environ.get("API_KEY")
# Players can write line breaks, and control characters that a terminal obeys.
UNSAFE = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def ask(method, path, **parameters):
    request = urllib.request.Request(f"{API}{path}?{urllib.parse.urlencode(parameters)}", method=method)
    if KEY:
        request.add_header("Authorization", f"Bearer {KEY}")
    if method != "GET":
        # The same with each try: the server carries it out once, also where only its answer was lost.
        request.add_header("Idempotency-Key", str(uuid.uuid4()))
    for pause in (1, 2, 4, None):
        try:
            with urllib.request.urlopen(request, timeout=40) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            if error.code not in (429, 502, 503) or pause is None:
                if error.headers.get_content_type() != "application/problem+json":
                    raise SystemExit(f"{error.code} from {API}, not from Steward") from None
                problem = json.load(error)
                raise SystemExit(f"{problem['code']}: {problem['detail']}") from None
            asked = error.headers.get("Retry-After", "")
            time.sleep(int(asked) if asked.isdigit() else pause)
        except OSError as error:
            if pause is None:
                raise SystemExit(f"no answer from {API}: {error}") from None
            time.sleep(pause)


status = ask("GET", "/status")
players = ask("GET", "/players")["players"]
print(f"{status['farmName']}: day {status['day']} of {status['season']}, {status['timeOfDay']}")
for player in players:
    # Python keeps every digit of an id.
    print(UNSAFE.sub(" ", f"{player['name']} ({player['id']})"))
if players and status["timeOfDay"] >= 2400:
    ask("POST", "/chat", author="Robin", message="It is late. Go to bed!")
