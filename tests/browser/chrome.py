"""A small client of the Chrome DevTools Protocol: a real browser, driven by one WebSocket, without a driver program."""

import base64
import itertools
import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from websockets.sync.client import ClientConnection, connect

START_S = 30.0
ANSWER_S = 30.0
WAIT_S = 15.0
STOP_S = 10.0
MESSAGE_BYTES_MAX = 64 * 1024 * 1024

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--headless=new",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--remote-debugging-port=0",
    "about:blank",
)


class PageError(AssertionError):
    """The page threw, or did not come to what was waited for."""


def find_browser() -> str:
    """The path of a browser. Its absence is a failure, never a reason to skip."""
    for name in (os.environ.get("TURNLOG_BROWSER", ""), *BROWSERS):
        found = shutil.which(name) if name else None
        if found is not None:
            return found
    raise PageError("There is no Chromium or Chrome: run tests/browser/install.sh, or set TURNLOG_BROWSER.")


class Browser:
    """A browser process with an empty profile, and the connection to it."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection
        self._ids = itertools.count(1)
        self._pages: dict[str, Page] = {}

    @classmethod
    @contextmanager
    def open(cls) -> Iterator[Self]:
        """Start one; it ends with the context."""
        with tempfile.TemporaryDirectory(prefix="turnlog-browser-", ignore_cleanup_errors=True) as profile:
            sandbox = ("--no-sandbox",) if os.geteuid() == 0 else ()
            command = (find_browser(), f"--user-data-dir={profile}", *sandbox, *FLAGS)
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                address = _address(process, Path(profile))
                with connect(address, max_size=MESSAGE_BYTES_MAX, compression=None) as connection:
                    yield cls(connection)
            finally:
                process.terminate()
                process.wait(STOP_S)

    def page(self, **size: int) -> "Page":
        """A new page in a profile of its own: another player."""
        context = self.call("Target.createBrowserContext")["browserContextId"]
        target = self.call("Target.createTarget", url="about:blank", browserContextId=context)["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = self._pages[session] = Page(self, session, context)
        for domain in ("Page", "Runtime", "Log", "Network"):
            page.call(f"{domain}.enable")
        page.resize(**({"width": 1280, "height": 900} | size))
        return page

    def call(self, method: str, session: str | None = None, **parameters: Any) -> dict[str, Any]:
        """Call a method of the protocol and wait for its answer; events that come meanwhile go to their pages."""
        number = next(self._ids)
        message = {"id": number, "method": method, "params": parameters}
        self._connection.send(json.dumps(message | ({"sessionId": session} if session else {})))
        while True:
            told = json.loads(self._connection.recv(ANSWER_S))
            if told.get("id") == number:
                if "error" in told:
                    raise PageError(f"{method}: {told['error']['message']}")
                result: dict[str, Any] = told["result"]
                return result
            page = self._pages.get(told.get("sessionId", ""))
            if page is not None and "method" in told:
                page.take(told["method"], told["params"])


def _address(process: "subprocess.Popen[bytes]", profile: Path) -> str:
    """Where the browser listens: it says so in a file of its profile, port and path, once it does."""
    told = profile / "DevToolsActivePort"
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline:
        lines = told.read_text().split() if told.exists() else []
        if len(lines) == 2:
            return f"ws://127.0.0.1:{lines[0]}{lines[1]}"
        try:
            process.wait(0.05)
        except subprocess.TimeoutExpired:
            continue
        break
    raise PageError(f"The browser did not start (exit status {process.poll()}).")


class Page:
    """A page as a person uses it: looks for texts, presses what is there. What went wrong in it is kept in `faults`."""

    def __init__(self, browser: Browser, session: str, context: str) -> None:
        self._browser = browser
        self._session = session
        self._context = context
        self.faults: list[str] = []
        self.addresses: list[str] = []

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Call a method of the protocol on this page."""
        return self._browser.call(method, self._session, **parameters)

    def take(self, method: str, told: dict[str, Any]) -> None:
        """Note an event: faults (each once), and every address that was asked for."""
        if method == "Runtime.exceptionThrown":
            details = told["exceptionDetails"]
            self._fault(str(details.get("exception", {}).get("description", details["text"])))
        elif method == "Runtime.consoleAPICalled" and told["type"] in ("error", "assert"):
            self._fault(" ".join(str(part.get("description", part.get("value"))) for part in told["args"]))
        elif method == "Log.entryAdded" and told["entry"]["source"] in ("security", "violation", "javascript"):
            self._fault(told["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.addresses.append(told["request"]["url"])
        elif method == "Network.webSocketCreated":
            self.addresses.append(told["url"])

    def _fault(self, text: str) -> None:
        if text not in self.faults:
            self.faults.append(text)

    def go(self, address: str) -> None:
        """Open an address."""
        self.call("Page.navigate", url=address)

    def run(self, script: str) -> Any:
        """The value of an expression in the page; promises are awaited."""
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise PageError(str(details.get("exception", {}).get("description", details["text"])))
        return answer["result"].get("value")

    def wait(self, condition: str, wait_s: float = WAIT_S) -> Any:
        """Wait until an expression is true in the page, looking at each frame; its value."""
        script = f"""new Promise((resolve, reject) => {{
            const end = performance.now() + {wait_s * 1000};
            const look = () => {{
                let value;
                try {{ value = ({condition}); }} catch (error) {{ value = false; }}
                if (value) resolve(value instanceof Node ? true : value);
                else if (performance.now() > end) reject(new Error("waited in vain"));
                else setTimeout(look, 30);
            }};
            look();
        }})"""
        while True:
            try:
                return self.run(script)
            except PageError as error:
                if "context" in str(error).lower() or "navigated" in str(error).lower():
                    continue  # the page was being changed under the expression: look in the new one
                raise PageError(f"{error}: {condition}\n{self.text()[:2000]}\nfaults: {self.faults}") from None

    def text(self) -> str:
        """All that the page says."""
        return str(self.run("document.body.innerText"))

    def sees(self, text: str) -> None:
        """Wait until the page says something."""
        self.wait(f"document.body.innerText.includes({json.dumps(text)})")

    def press(self, name: str, within: str = "body") -> None:
        """Press the first button or link of this name (its beginning will do), with the mouse, once it can be."""
        self.wait(f"window.__found = {_named(name, within)}")
        self._press_found()

    def press_element(self, selector: str) -> None:
        """Press the first element of a selector."""
        self.wait(f"window.__found = document.querySelector({json.dumps(selector)})")
        self._press_found()

    def _press_found(self) -> None:
        spot = self.run(
            """(() => {
                window.__found.scrollIntoView({block: "center", behavior: "instant"});
                const box = window.__found.getBoundingClientRect();
                return {x: box.x + box.width / 2, y: box.y + box.height / 2};
            })()"""
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, button="left", clickCount=1, **spot)

    def key(self, key: str, code: int, text: str = "") -> None:
        """Press a key of the keyboard."""
        told = {"key": key, "code": key, "windowsVirtualKeyCode": code}
        self.call("Input.dispatchKeyEvent", type="keyDown", **told, **({"text": text} if text else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", **told)

    def write(self, selector: str, text: str) -> None:
        """Write into a field."""
        self.wait(f"document.querySelector({json.dumps(selector)})")
        self.run(f"document.querySelector({json.dumps(selector)}).focus()")
        self.call("Input.insertText", text=text)

    def choose(self, label: str, value: str) -> None:
        """Choose in a list that has this label."""
        self.wait(
            f"""(() => {{
                const labels = [...document.querySelectorAll("label")];
                const label = labels.find((one) => one.innerText.startsWith({json.dumps(label)}));
                const field = label?.querySelector("select");
                if (!field || ![...field.options].some((one) => one.value === {json.dumps(value)})) return false;
                field.value = {json.dumps(value)};
                field.dispatchEvent(new Event("change", {{bubbles: true}}));
                return true;
            }})()"""
        )

    def files(self, selector: str, path: Path) -> None:
        """Put a file into a file field."""
        self.call("DOM.enable")
        root = self.call("DOM.getDocument")["root"]["nodeId"]
        node = self.call("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        self.call("DOM.setFileInputFiles", files=[str(path)], nodeId=node)

    def resize(self, *, width: int, height: int) -> None:
        """Make the window so large."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def scheme(self, name: str) -> None:
        """`light` or `dark`."""
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def close(self) -> None:
        """Close the page."""
        self._browser.call("Target.disposeBrowserContext", browserContextId=self._context)

    def shot(self, path: Path) -> None:
        """Save a picture of what is on the screen."""
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))


def _named(name: str, within: str) -> str:
    all_named = f'document.querySelector({json.dumps(within)})?.querySelectorAll("button, a, summary") ?? []'
    return f"""[...({all_named})].find((one) =>
        !one.disabled && one.offsetParent !== null && (one.innerText.trim().startsWith({json.dumps(name)})
        || one.getAttribute("aria-label") === {json.dumps(name)}))"""
