"""playground.py PAGE [FOLDER] - the page to try xdscope in a browser: chromium loads it from a server of ours, in a
frame, and a script beside it edits, clicks and sends what is seen, which playground.txt has. What else is asked for is
listed. UPDATE=1 rewrites that file. With FOLDER screenshots are left there, for people."""

import difflib
import http.server
import os
import subprocess
import sys
import tempfile
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
EXPECTED = os.path.join(HERE, "playground.txt")
SECONDS = 240
DRIVER = """<!DOCTYPE html><meta charset="utf-8"><iframe id="report" src="/page.html" width="1280" height="900"></iframe>
<script src="/driver.js"></script>"""
# The picture is taken after the load event, for which /wait is waited.
SHOT = """<!DOCTYPE html><meta charset="utf-8"><style>body{{margin:0}}iframe{{border:0;display:block}}</style>
<iframe id="report" src="/page.html" width="{width}" height="{height}"></iframe><img src="/wait" alt="">
<script>"use strict";
const tell = setInterval(() => {{
  const page = document.getElementById("report").contentDocument;
  if (page && page.body && page.body.dataset.ready) {{ clearInterval(tell); setTimeout(() => fetch("/ready"), 300); }}
}}, 50);</script>"""


class State:
    def __init__(self, page):
        with open(page, "rb") as stored:
            self.page = stored.read()
        self.seen, self.done, self.ready, self.asked, self.shot = "", threading.Event(), threading.Event(), [], ""


class Handler(http.server.BaseHTTPRequestHandler):
    state = None

    def log_message(self, *args):
        pass

    def answer(self, kind, body):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        state = self.state
        if self.path == "/page.html":
            self.answer("text/html; charset=utf-8", state.page)
        elif self.path == "/driver.html":
            self.answer("text/html; charset=utf-8", DRIVER.encode())
        elif self.path == "/shot.html":
            self.answer("text/html; charset=utf-8", state.shot.encode())
        elif self.path == "/driver.js":
            with open(os.path.join(HERE, "playground.js"), "rb") as script:
                self.answer("text/javascript; charset=utf-8", script.read())
        elif self.path == "/ready":
            state.ready.set()
            self.answer("text/plain", b"")
        elif self.path == "/wait":
            state.ready.wait(SECONDS)
            self.answer("image/svg+xml", b'<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')
        else:
            state.asked.append(self.path)
            self.send_error(404)

    def do_POST(self):
        self.state.seen = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.answer("text/plain", b"")
        self.state.done.set()


def browser(folder, *args):
    return subprocess.Popen(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                             "--no-first-run", "--disable-background-networking", f"--user-data-dir={folder}/profile",
                             "--enable-logging=stderr", *args],
                            stdout=subprocess.DEVNULL, stderr=open(os.path.join(folder, "log"), "ab"))


def end(process):
    process.terminate()
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def drive(state, folder, base):
    process = browser(folder, "--remote-debugging-port=0", base + "/driver.html")
    if not state.done.wait(SECONDS):
        state.seen = "nothing came back in time\n"
    end(process)
    with open(os.path.join(folder, "log"), encoding="utf-8", errors="replace") as log:
        lines = [line for line in log if "CONSOLE" in line]
    # The one refusal that the script asks for.
    complaints = [line for line in lines if "example.invalid" not in line]
    others = [path for path in state.asked if path != "/favicon.ico"]
    return state.seen + f"complaints of the browser: {len(complaints)}\nother requests: {len(others)}\n" + "".join(complaints)


def shoot(state, folder, base, shots):
    os.makedirs(shots, exist_ok=True)
    for name, width, height, dark in (("1280", 1280, 2600, False), ("390", 390, 4200, False), ("dark", 1280, 2000, True)):
        state.ready.clear()
        state.shot = SHOT.format(width=width, height=height)
        path = os.path.join(shots, f"playground-{name}.png")
        process = browser(folder, f"--window-size={max(width, 500)},{height}", f"--screenshot={path}", "--timeout=200000",
                          *(["--blink-settings=preferredColorScheme=0"] if dark else []), base + "/shot.html")
        try:
            process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            end(process)
        print(f"  SHOT	{path}" if os.path.exists(path) else f"  SHOT	{path}: none was taken")


def main():
    state = Handler.state = State(sys.argv[1])
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{server.server_address[1]}"
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        seen = drive(state, folder, base)
        if len(sys.argv) > 2:
            shoot(state, folder, base, sys.argv[2])
    if os.environ.get("UPDATE"):
        with open(EXPECTED, "w", encoding="utf-8") as out:
            out.write(seen)
    with open(EXPECTED, encoding="utf-8") as wanted:
        difference = list(difflib.unified_diff(wanted.read().splitlines(True), seen.splitlines(True), "wanted", "seen"))
    sys.stdout.writelines(difference)
    print("  PLAYGROUND	" + ("what is wanted, and what was seen, is above" if difference else "ok"))
    sys.exit(1 if difference else 0)


main()
