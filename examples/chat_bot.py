"""Shows what players say, and says in the game what you type.

It needs the package websockets (Debian: python3-websockets): API_KEY=… python3 chat_bot.py
"""

import asyncio
import json
import os
import re
import signal
import sys

import websockets

# A character that the terminal or file cannot have is shown as \u2764, instead of ending the bot.
sys.stdout.reconfigure(errors="backslashreplace")
sys.stdin.reconfigure(errors="replace")

API = os.environ.get("API", "http://127.0.0.1:8080")
URL = API.replace("http", "ws", 1) + "/ws"
KEY = os.environ.get("API_KEY")
AUTHOR = os.environ.get("BOT_NAME", "Bot")
RECONNECT_SECONDS = float(os.environ.get("RECONNECT_SECONDS", "5"))
HEARTBEAT_SECONDS = 30
# Players can write line breaks, and control characters that a terminal obeys.
UNSAFE = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


class Bot:
    def __init__(self):
        self.socket = None
        self.cursor = None
        self.next_id = 1

    async def send(self, type, **payload):
        await self.socket.send(json.dumps({"type": type, "payload": payload}))

    def show(self, chat):
        try:
            print(UNSAFE.sub(" ", f"{chat['playerName']}: {chat['message']}"), flush=True)
        except BrokenPipeError:
            # Nobody reads any more, as after `| head`. It must not pass for the end of a connection.
            os._exit(1)
        self.cursor = chat["cursor"]

    async def run(self):
        while True:
            try:
                # The library keeps the line alive with pings of the protocol itself.
                async with websockets.connect(URL, ping_interval=HEARTBEAT_SECONDS) as self.socket:
                    if KEY:
                        await self.send("auth", token=KEY)
                    await self.send("resume", **({"cursor": self.cursor} if self.cursor else {}))
                    await self.listen()
            except (OSError, asyncio.TimeoutError, websockets.WebSocketException) as error:
                print(f"disconnected ({error})", file=sys.stderr, flush=True)
                # The key is wrong, or has ended: there is no use in coming back with it.
                if self.socket is not None and self.socket.close_code in (1008, 4001):
                    os._exit(1)
            self.socket = None
            await asyncio.sleep(RECONNECT_SECONDS)

    async def listen(self):
        held = []
        to_come = None
        async for text in self.socket:
            message = json.loads(text)
            type, payload = message["type"], message.get("payload", {})
            if type == "chat" and to_come is None:
                held.append(payload)
            elif type == "chat":
                self.show(payload)
                to_come = max(0, to_come - 1)
            elif type == "resumed":
                if payload["gap"]:
                    print("some messages are lost", file=sys.stderr, flush=True)
                to_come = payload["missed"]
                if to_come == 0:
                    self.cursor = payload["cursor"]
            elif type in ("chat_sent", "auth_failed", "error"):
                print(json.dumps(payload), file=sys.stderr, flush=True)
            if to_come == 0:
                for chat in held:
                    self.show(chat)
                held.clear()

    async def speak(self):
        while line := await asyncio.to_thread(sys.stdin.readline):
            try:
                if self.socket is None:
                    raise ConnectionError
                await self.send("chat_send", author=AUTHOR, message=line.rstrip("\n"), id=str(self.next_id))
                self.next_id += 1
            except (OSError, websockets.ConnectionClosed):
                print("not connected", file=sys.stderr, flush=True)


async def main():
    bot = Bot()
    await asyncio.gather(bot.run(), bot.speak())


# Python would end only after the thread that reads, with the next line that you type.
signal.signal(signal.SIGINT, signal.SIG_DFL)
asyncio.run(main())
