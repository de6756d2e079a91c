"""Sends each request of each line of its input by every way that Python's clients have of sending nothing, or the JSON that it has,
with what they add by default, and prints what became of each, and an empty line behind the last of each line."""

import http.client
import json
import ssl
import sys
import urllib.error
import urllib.parse
import urllib.request

import requests

JSON = {"Content-Type": "application/json"}
PATIENCE = 10


def by_urllib(method, url, headers, data=None):
    request = urllib.request.Request(url, data=data, headers=headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def by_http_client(method, url, headers, body=None):
    parts = urllib.parse.urlsplit(url)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = kind(parts.netloc, timeout=PATIENCE)
    connection.request(method, f"{parts.path}?{parts.query}", body=body, headers=headers)
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def by_requests(method, url, headers, **more):
    answer = requests.request(method, url, headers=headers, timeout=PATIENCE, **more)
    return answer.status_code, answer.text


def ways_of(request):
    method, url, auth = request["method"], request["url"], request["auth"]
    typed = {**auth, **JSON}
    if "body" in request:
        written = json.dumps(request["body"]).encode()
        return {
            "urllib with JSON": lambda: by_urllib(method, url, typed, written),
            "http.client with JSON": lambda: by_http_client(method, url, typed, written),
            "http.client with JSON in chunks": lambda: by_http_client(method, url, typed, iter([written])),
            "requests with JSON": lambda: by_requests(method, url, auth, json=request["body"]),
        }
    return {
        "urllib": lambda: by_urllib(method, url, auth),
        "urllib with a default JSON header": lambda: by_urllib(method, url, typed),
        "urllib with empty data": lambda: by_urllib(method, url, auth, b""),
        "urllib with {}": lambda: by_urllib(method, url, typed, b"{}"),
        "http.client": lambda: by_http_client(method, url, auth),
        "http.client with a default JSON header": lambda: by_http_client(method, url, typed),
        "http.client with an empty body": lambda: by_http_client(method, url, typed, ""),
        "http.client with no chunk": lambda: by_http_client(method, url, typed, iter([])),
        "http.client with {}": lambda: by_http_client(method, url, typed, "{}"),
        "requests": lambda: by_requests(method, url, auth),
        "requests with a default JSON header": lambda: by_requests(method, url, typed),
        "requests with json={}": lambda: by_requests(method, url, auth, json={}),
        "requests with data={}": lambda: by_requests(method, url, auth, data={}),
        "requests with empty data": lambda: by_requests(method, url, typed, data=""),
    }


for line in sys.stdin:
    for each in json.loads(line):
        for way, send in ways_of(each).items():
            try:
                status, body = send()
            except (OSError, ssl.SSLError, http.client.HTTPException) as error:
                status, body = 0, repr(error)
            print(json.dumps({"way": way, "method": each["method"], "url": each["url"], "status": status, "body": body}))
    print(flush=True)
