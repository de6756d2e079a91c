"""The smallest game that keeps every rule of the bridge: it has a clock, and a save. Copy it, and put your game in its place.

It speaks over standard input and output, for GAME_BRIDGE=spawn. Python 3.8 or newer, no packages.
A thread reads; the loop of the game does everything else, as in a mod.
"""

import json
import os
import queue
import sys
import threading
import time

FILE = os.environ.get("FARM_FILE", "smallest-farm.json")
STARTED = time.monotonic()


class Farm:
    """The journal is part of the farm: whatever saves, loads or loses the one does so with the other."""

    def __init__(self):
        self.kept = {"farmId": "Smallest_1", "saveGeneration": 0, "timeOfDay": 600, "journal": []}
        if os.path.exists(FILE):
            with open(FILE, encoding="utf-8") as file:
                self.kept = json.load(file)

    def save(self):
        # Another file first, and then its name: a crash leaves the old save or the new one, never half of one.
        with open(FILE + ".new", "w", encoding="utf-8") as file:
            json.dump(self.kept, file)
        os.replace(FILE + ".new", FILE)

    def applied(self, command):
        """The outcome of a command that is in the journal."""
        return next((entry["outcome"] for entry in self.kept["journal"] if entry["command"] == command), None)

    def remember(self, command, outcome):
        self.kept["journal"] = [*self.kept["journal"], {"command": command, "outcome": outcome}][-1000:]

    def identity(self):
        return {"farmId": self.kept["farmId"], "saveGeneration": self.kept["saveGeneration"]}

    def status(self):
        return {
            "playerCount": 0, "maxPlayers": 4, "serverVersion": "1.0.0", "gameVersion": "1.6.15",
            "isOnline": True, "isReady": True, "dayTransitionComplete": True, "isPaused": True,
            "farmName": "Smallest", "farmTypeKey": "Standard",
            "day": 1, "season": "spring", "year": 1, "timeOfDay": self.kept["timeOfDay"],
        }  # fmt: skip

    def whole_state(self):
        return {
            "farm": self.identity(),
            "status": self.status(),
            "players": [],
            "farmhands": [],
            "cabins": {"strategy": "None", "cabins": [], "savedPositionPlayerIds": []},
            "rendering": {"fps": 0},
            "stats": {
                "fps": 0, "tps": 10, "targetTps": 10, "avgTickMs": 0, "memoryMb": 20,
                "gcGen0": 0, "gcGen1": 0, "gcGen2": 0, "pendingActions": 0, "gameThreadWaitMs": 0,
                "uptimeSeconds": int(time.monotonic() - STARTED),
            },
            "networks": {"relay": {}, "network": {"signedIn": False}, "directIp": {"listening": False}},
        }  # fmt: skip


class Game:
    def __init__(self, farm):
        self.farm = farm
        self.is_live = False
        self.is_over = False
        self.ticks = 0
        self.requests = 0
        self.waiting = {}  # our requests: what to do with the answer
        self.in_hand = {}  # commands that wait for their claim: the requests that gave them
        # Nobody can play here. Where somebody does, refuse `save` as `players-online`, and let `stop` save nothing.
        self.commands = {"setTime": self.set_time, "save": self.save, "stop": self.stop}

    # The three commands. Each says what is wrong, or gives what was before, and what to do once it is granted.

    def set_time(self, params):
        value = params.get("value")
        if not isinstance(value, int) or not 600 <= value <= 2600:
            return {"outcome": "refused", "code": "out-of-range", "message": "the time is 600 to 2600"}

        def apply(command):
            before = {"timeOfDay": self.farm.kept["timeOfDay"]}
            self.farm.kept["timeOfDay"] = value
            return self.applied(command, before, {"timeOfDay": value})

        return apply

    def save(self, _params):
        def apply(command):
            before = self.farm.kept["saveGeneration"]
            self.farm.kept["saveGeneration"] = before + 1
            # Into the journal before the save is written: that save has this command, too.
            outcome = self.applied(command, {"saveGeneration": before}, {"saveGeneration": before + 1})
            self.farm.save()
            return outcome

        return apply

    def stop(self, params):
        save = self.save(params)

        def apply(command):
            self.is_over = True
            return save(command)

        return apply

    def applied(self, command, before, after):
        outcome = {"outcome": "applied", "before": before, "after": after}
        self.farm.remember(command, outcome)
        return outcome

    # The claim rule: looked up, looked at, claimed, applied once.

    def take(self, request, name, params):
        command = params["command"]
        known = self.farm.applied(command)
        if known is not None:
            return self.send(id=request, result=known)
        if command in self.in_hand:
            return self.in_hand[command].append(request)
        change = self.commands[name](params)
        if isinstance(change, dict):
            return self.send(id=request, result=change)
        self.in_hand[command] = [request]

        def answered(answer):
            # Given up meanwhile: the journal has called it absent.
            if command not in self.in_hand:
                return
            is_granted = answer.get("result", {}).get("granted", False)
            self.finish(command, change(command) if is_granted else {"outcome": "void"})
            self.send(method="state", params={"farm": self.farm.identity(), "status": self.farm.status()})

        self.ask("claim", {"command": command}, answered)

    def finish(self, command, outcome):
        for request in self.in_hand.pop(command, []):
            self.send(id=request, result=outcome)

    def journal_entry(self, command):
        known = self.farm.applied(command)
        if known is not None:
            return {"command": command, "state": "applied", "outcome": known}
        self.finish(command, {"outcome": "void"})
        return {"command": command, "state": "absent"}

    # The wire: a JSON text a line.

    def send(self, **message):
        line = json.dumps({"jsonrpc": "2.0", **message}) + "\n"
        sys.stdout.buffer.write(line.encode())
        sys.stdout.buffer.flush()

    def ask(self, method, params, answered):
        self.requests += 1
        self.waiting[str(self.requests)] = answered
        self.send(id=str(self.requests), method=method, params=params)

    def fail(self, request, code, message):
        self.send(id=request, error={"code": code, "message": message})

    def read(self, line):
        try:
            message = json.loads(line)
        except ValueError:
            return self.fail(None, -32700, "this line is no JSON")
        if not isinstance(message, dict):
            return self.fail(None, -32600, "this line is no message")
        request, method = message.get("id"), message.get("method")
        params = message.get("params", {})
        if method is None and request in self.waiting:
            self.waiting.pop(request)(message)
        elif method == "journal":
            entries = [self.journal_entry(command) for command in params["commands"]]
            self.send(id=request, result={"entries": entries})
        elif method in self.commands:
            self.take(request, method, params)
        elif method is None:
            self.fail(None, -32600, "this line is no message")
        elif request is not None:
            self.fail(request, -32601, f"this game knows no {method}")

    def hello(self):
        def answered(answer):
            if "error" in answer:
                print(answer["error"]["message"], file=sys.stderr, flush=True)
                return
            self.send(method="state", params=self.farm.whole_state())
            self.is_live = True

        params = {
            "protocol": {"major": 1, "minor": 1},
            "game": {"name": "Smallest game", "version": "1.0.0"},
            "capabilities": list(self.commands),
            "farm": self.farm.identity(),
        }
        self.ask("hello", params, answered)

    def turn(self, lines):
        """Once around the loop of the game: what has come is carried out here, and a loop that hangs falls silent."""
        while not lines.empty() and not self.is_over:
            line = lines.get()
            if line is None:
                # Standard input has ended: the control API is gone.
                self.farm.kept["saveGeneration"] += 1
                self.farm.save()
                self.is_over = True
            else:
                self.read(line)
        if self.is_live:
            self.ticks += 1
            self.send(method="tick", params={"count": self.ticks})


def read_lines(lines):
    for line in sys.stdin.buffer:
        lines.put(line)
    lines.put(None)


def main():
    lines = queue.Queue()
    threading.Thread(target=read_lines, args=(lines,), daemon=True).start()
    game = Game(Farm())
    game.hello()
    while not game.is_over:
        game.turn(lines)
        time.sleep(0.1)
    # At once: the thread still waits for a line, and Python would wait for the thread.
    os._exit(0)


main()
