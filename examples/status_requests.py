"""Prints how the farm is and who plays, and tells the players when it is late. With the package requests.

API_KEY=… python3 status_requests.py
"""

import os
import re
import sys
import uuid

import requests
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

# A character that the terminal or file cannot have is shown as \u2764, instead of ending the script.
sys.stdout.reconfigure(errors="backslashreplace")

API = os.environ.get("API", "http://127.0.0.1:8080")
# Players can write line breaks, and control characters that a terminal obeys.
UNSAFE = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")

http = requests.Session()
if "API_KEY" in os.environ:
    http.headers["Authorization"] = f"Bearer {os.environ['API_KEY']}"
# Tried again, and not before the server asks for it.
retry = Retry(4, backoff_factor=1, status_forcelist=[429, 502, 503], allowed_methods=None, raise_on_status=False)
http.mount(API, HTTPAdapter(max_retries=retry))


def ask(method, path, **parameters):
    # The same with each try: the server carries it out once, also where only its answer was lost.
    headers = {} if method == "GET" else {"Idempotency-Key": str(uuid.uuid4())}
    answer = http.request(method, API + path, params=parameters, headers=headers, timeout=40)
    if not answer.ok and not answer.headers.get("Content-Type", "").startswith("application/problem+json"):
        raise SystemExit(f"{answer.status_code} from {API}, not from Steward")
    if not answer.ok:
        raise SystemExit(f"{answer.json()['code']}: {answer.json()['detail']}")
    return answer.json()


status = ask("GET", "/status")
players = ask("GET", "/players")["players"]
print(f"{status['farmName']}: day {status['day']} of {status['season']}, {status['timeOfDay']}")
for player in players:
    # Python keeps every digit of an id.
    print(UNSAFE.sub(" ", f"{player['name']} ({player['id']})"))
if players and status["timeOfDay"] >= 2400:
    ask("POST", "/chat", author="Robin", message="It is late. Go to bed!")
