"""Headless Chromium, driven over two pipes with the DevTools protocol: no driver, no socket, no package beside Python's own."""
import base64
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time


class Chromium:
    def __init__(self, program="chromium", arguments=()):
        self.profile = tempfile.mkdtemp(prefix="chromium")
        read_commands, self.writing = os.pipe()
        self.reading, write_answers = os.pipe()

        def pipes():
            # The protocol's descriptors are 3 and 4. Both are moved out of the way first: they may be 4 and 3.
            os.setsid()
            a, b = os.dup(read_commands), os.dup(write_answers)
            high_a, high_b = os.dup2(a, 50), os.dup2(b, 51)
            os.dup2(high_a, 3)
            os.dup2(high_b, 4)
        self.process = subprocess.Popen(
            [program, "--headless=new", "--remote-debugging-pipe", f"--user-data-dir={self.profile}", "--no-first-run", "--disable-background-networking",
             "--disable-component-update", "--disable-sync", "--disable-default-apps", "--no-default-browser-check", "--disable-gpu", "--hide-scrollbars",
             "--disable-dev-shm-usage", "--force-color-profile=srgb", "--lang=en-GB", "--accept-lang=en-GB", *(["--no-sandbox"] if os.getuid() == 0 else []), *arguments, "about:blank"],
            preexec_fn=pipes, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "LANGUAGE": "en_GB", "TZ": "Europe/Berlin"})
        os.close(read_commands)
        os.close(write_answers)
        self.buffer, self.number, self.events, self.answers = b"", 0, [], {}

    def _read(self, deadline):
        while b"\0" not in self.buffer:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.reading], [], [], left)[0]:
                return None
            piece = os.read(self.reading, 1 << 20)
            if not piece:
                raise RuntimeError("Chromium has gone")
            self.buffer += piece
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def _pump(self, deadline):
        message = self._read(deadline)
        if message is None:
            return False
        if "id" in message:
            self.answers[message["id"]] = message
        else:
            self.events.append(message)
        return True

    def call(self, method, parameters=None, session=None, seconds=20):
        self.number += 1
        number = self.number
        message = {"id": number, "method": method, "params": parameters or {}}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.writing, data):]
        deadline = time.monotonic() + seconds
        while number not in self.answers:
            if not self._pump(deadline):
                raise RuntimeError(f"{method}: no answer in {seconds} s")
        answer = self.answers.pop(number)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def drain(self):
        """Takes in what has arrived."""
        while self._pump(time.monotonic()):
            pass

    def page(self, width=1280, height=900, scale=1, dark=False, reduced=True, touch=False):
        context = self.call("Target.createBrowserContext")["browserContextId"]
        target = self.call("Target.createTarget", {"url": "about:blank", "browserContextId": context})["targetId"]
        session = self.call("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        return Page(self, session, target, context, width, height, scale, dark, reduced, touch)

    def close(self):
        try:
            self.call("Browser.close", seconds=5)
            self.process.wait(5)
        except (RuntimeError, OSError, subprocess.TimeoutExpired):
            pass
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        os.close(self.reading)
        os.close(self.writing)
        shutil.rmtree(self.profile, ignore_errors=True)


class Page:
    def __init__(self, browser, session, target, context, width, height, scale, dark, reduced, touch):
        self.browser, self.session, self.target, self.context = browser, session, target, context
        self.size = width, height, scale, touch
        for name in ("Page", "Runtime", "Network", "Log", "Audits", "Accessibility"):
            self.call(f"{name}.enable")
        self.call("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": touch})
        self.call("Emulation.setTimezoneOverride", {"timezoneId": "Europe/Berlin"})
        self.call("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}, {"name": "prefers-reduced-motion", "value": "reduce" if reduced else "no-preference"}]})

    def call(self, method, parameters=None, seconds=20):
        return self.browser.call(method, parameters, self.session, seconds)

    def run(self, expression):
        """The value of an expression of JavaScript, awaited."""
        answer = self.call("Runtime.evaluate", {"expression": expression, "awaitPromise": True, "returnByValue": True, "userGesture": True})
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise RuntimeError(f"{expression[:200]}: {details.get('exception', {}).get('description', details['text'])}")
        return answer["result"].get("value")

    def open(self, address):
        self.call("Page.navigate", {"url": address})

    def wait(self, expression, seconds=10):
        """Until an expression is true; its value."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                value = self.run(f"((value) => value instanceof Node ? true : value)({expression})")
            except RuntimeError:
                value = None  # Between two documents there is nothing to ask.
            if value:
                return value
            if time.monotonic() > deadline:
                text = self.run("document.body?.innerText.slice(0, 600)")
                raise AssertionError(f"after {seconds} s not so: {expression}\nThe page says: {text}")
            time.sleep(0.02)

    def key(self, name, modifiers=0):
        codes = {"Tab": 9, "Enter": 13, "ArrowLeft": 37, "ArrowRight": 39, "ArrowUp": 38, "ArrowDown": 40, "Home": 36, "End": 35, "Escape": 27, " ": 32}
        common = {"key": name, "code": "Space" if name == " " else name, "windowsVirtualKeyCode": codes[name], "modifiers": modifiers}
        text = {"Enter": "\r", " ": " "}.get(name)
        self.call("Input.dispatchKeyEvent", {"type": "keyDown", **common, **({"text": text} if text else {})})
        self.call("Input.dispatchKeyEvent", {"type": "keyUp", **common})

    def type(self, text):
        self.call("Input.insertText", {"text": text})

    def shot(self, path, full=True):
        width, height, scale, touch = self.size
        if full:
            tall = self.run("Math.max(document.documentElement.scrollHeight, innerHeight)")
            self.call("Emulation.setDeviceMetricsOverride", {"width": width, "height": tall, "deviceScaleFactor": scale, "mobile": touch})
        self.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        data = self.call("Page.captureScreenshot", {"format": "png"}, 30)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
        if full:
            self.call("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": touch})

    def taken(self, *methods):
        """The events of these methods so far."""
        self.browser.drain()
        return [event["params"] for event in self.browser.events if event.get("sessionId") == self.session and event["method"] in methods]

    def close(self):
        self.browser.call("Target.closeTarget", {"targetId": self.target})
        self.browser.call("Target.disposeBrowserContext", {"browserContextId": self.context})
