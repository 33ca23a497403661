"""A real server with an invented year in it, one without data, and tokens for both."""
import json
import pathlib
import re
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request


class Failure(Exception):
    pass


class RealServer:
    """`server demo`, or `server init` where `days` is None, and `server serve` on free ports of the loopback address."""

    def __init__(self, program, days):
        self.program = str(program)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="dashboard"))
        self.data = self.folder / "data"
        self.log = open(self.folder / "log", "w+", encoding="utf-8")
        self.process = None
        try:
            if days is None:
                self.run("init", "phone")
            else:
                self.run("demo", "--days", str(days))
            self.process = subprocess.Popen(
                [self.program, "serve", "--data", self.data, "--bind", "127.0.0.1", "--port", "0", "--api-bind", "127.0.0.1:0"],
                stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
            self.base = self.address()
        except BaseException:
            self.close()
            raise

    def run(self, *arguments):
        done = subprocess.run([self.program, *arguments, "--data", self.data], capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL, check=False)
        if done.returncode:
            raise Failure(f"server {' '.join(arguments)}: status {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def token(self, name, *options):
        """A new token, once the running server takes it: it looks at its settings every second."""
        token = self.run("token", "add", name, *options).strip()
        deadline = time.monotonic() + 10
        while True:
            request = urllib.request.Request(f"{self.base}session", headers={"Authorization": f"Bearer {token}"})
            try:
                with urllib.request.urlopen(request, timeout=20):
                    return token
            except urllib.error.HTTPError as error:
                if error.code != 401 or time.monotonic() > deadline:
                    raise Failure(f"the new token {name}: {error.code}") from error
            time.sleep(0.6)  # Many wrong tokens from one address are answered with 429.

    def address(self):
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            found = re.search(r"dashboard and API on (http://\S+?)/?(\s|$)", pathlib.Path(self.log.name).read_text(encoding="utf-8"))
            if found:
                return f"{found[1]}/"
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        raise Failure(f"the server did not say where it listens:\n{pathlib.Path(self.log.name).read_text(encoding='utf-8')}")

    def deliver(self, endpoint, token, body):
        """A native delivery, tried until the running server knows the endpoint."""
        port = re.search(r"listening on \S+:(\d+)", pathlib.Path(self.log.name).read_text(encoding="utf-8"))[1]
        deadline = time.monotonic() + 20
        while True:
            request = urllib.request.Request(f"http://127.0.0.1:{port}/hook/{endpoint}", json.dumps(body).encode(), {
                "Authorization": f"Bearer {token}", "Content-Type": "application/json", "X-Syncky-Format": "native", "X-Syncky-Delivery": "d" * 32})
            try:
                with urllib.request.urlopen(request, timeout=20) as answer:
                    return answer.status
            except urllib.error.HTTPError as error:
                if time.monotonic() > deadline or error.code not in (401, 404):
                    raise Failure(f"the delivery: {error.code} {error.read().decode(errors='replace')}") from error
            time.sleep(0.1)

    def close(self):
        if self.process:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class API:
    """What a page shows is compared with what the API says to a token."""

    def __init__(self, base, token):
        self.base, self.token = base, token

    def get(self, path, **parameters):
        status, value = self.ask(path, **parameters)
        if status != 200:
            raise Failure(f"GET {path} {parameters}: {status} {value}")
        return value

    def ask(self, path, **parameters):
        parameters = {name.rstrip("_"): value for name, value in parameters.items()}
        query = urllib.parse.urlencode(parameters)
        request = urllib.request.Request(f"{self.base}api/v1/{path}{'?' if query else ''}{query}", headers={"Authorization": f"Bearer {self.token}", "Accept": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode(errors="replace")
