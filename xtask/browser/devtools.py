"""Chromium without a window, driven by its DevTools protocol over a pipe, with the standard library alone."""

import base64
import fcntl
import json
import os
import shutil
import signal
import tempfile
import time

FLAGS = [
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
    "--disable-extensions", "--disable-component-update", "--disable-background-networking",
    "--remote-debugging-pipe",
]


def high(descriptor):
    """Returns a copy of a descriptor that does not collide with those of the pipe."""
    copy = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 20)
    os.close(descriptor)
    return copy


class Browser:
    """A running browser; use it as a context manager."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="pellucid-browser-")
        their_input, self.commands = (high(end) for end in os.pipe())
        self.answers, their_output = (high(end) for end in os.pipe())
        program = shutil.which("chromium")
        actions = [
            (os.POSIX_SPAWN_DUP2, their_input, 3),
            (os.POSIX_SPAWN_DUP2, their_output, 4),
            (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
            (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
        ]
        arguments = [program, *FLAGS, f"--user-data-dir={self.folder}", "about:blank"]
        self.process = os.posix_spawn(program, arguments, os.environ, file_actions=actions)
        os.close(their_input)
        os.close(their_output)
        self.buffer = b""
        self.number = 0
        self.events = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.commands)
        deadline = time.monotonic() + 5
        while os.waitpid(self.process, os.WNOHANG) == (0, 0):
            if time.monotonic() > deadline:
                os.kill(self.process, signal.SIGKILL)
                os.waitpid(self.process, 0)
                break
            time.sleep(0.05)
        os.close(self.answers)
        shutil.rmtree(self.folder, ignore_errors=True)

    def read(self):
        """Returns the next message."""
        while b"\0" not in self.buffer:
            part = os.read(self.answers, 1 << 16)
            if not part:
                raise RuntimeError("the browser has ended")
            self.buffer += part
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, session=None, **parameters):
        """Sends a command and returns its result. Events on the way are kept."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.commands, data):]
        while True:
            answer = self.read()
            if answer.get("id") != self.number:
                self.events.append(answer)
            elif "error" in answer:
                raise RuntimeError(f"{method}: {answer['error']['message']}")
            else:
                return answer["result"]

    def page(self, path, width=1200, dark=False):
        """Opens a file."""
        return Page(self, path, width, dark)


class Page:
    """An open page."""

    def __init__(self, browser, path, width, dark):
        self.browser = browser
        self.target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        attached = browser.call("Target.attachToTarget", targetId=self.target, flatten=True)
        self.session = attached["sessionId"]
        for domain in ["Page", "Runtime", "Log", "Network"]:
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1,
                  mobile=width < 600)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        self.call("Page.navigate", url=path.resolve().as_uri())
        deadline = time.monotonic() + 20
        # A page may read its content after it is loaded. It has a heading when its beginning is drawn, and is
        # not busy any more when all of it is.
        loaded = "document.readyState === 'complete' && location.protocol === 'file:'"
        drawn = "document.querySelector('h1') !== null && document.querySelector('[aria-busy]') === null"
        while not self.evaluate(f"{loaded} && {drawn}"):
            if time.monotonic() > deadline:
                raise RuntimeError(f"{path} does not finish loading")
            time.sleep(0.02)

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def evaluate(self, expression):
        """Returns the value of an expression in the page."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description") or details["text"])
        return result["result"].get("value")

    def complaints(self):
        """Returns errors, messages on the console, and requests of anything but the page itself."""
        found = []
        for event in self.browser.events:
            if event.get("sessionId") != self.session:
                continue
            parameters = event["params"]
            if event["method"] == "Runtime.exceptionThrown":
                found.append(parameters["exceptionDetails"].get("exception", {}).get("description"))
            elif event["method"] in ("Runtime.consoleAPICalled", "Log.entryAdded"):
                found.append(json.dumps(parameters)[:500])
            elif event["method"] == "Network.requestWillBeSent":
                address = parameters["request"]["url"]
                if not address.startswith(("file:", "data:", "blob:")):
                    found.append(f"requested {address}")
        return found

    def screenshot(self, path):
        """Saves a picture of the whole page."""
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 15000), "scale": 1}
        picture = self.call("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)["data"]
        path.write_bytes(base64.b64decode(picture))

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)
