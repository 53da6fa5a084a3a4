#!/usr/bin/python3
"""check_files.py PROGRAM [TEST...] - files that are written, and signals.

Whatever happens while a file is written, there is the older one or the new one, whole, and nothing
beside it; and a signal ends each command within a second, also as process 1. What needs root, mounts or
namespaces is skipped where they are not allowed, which is said.
"""
import contextlib
import gzip
import os
import random
import resource
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "fetch"))
from raw_server import Server, answering  # noqa: E402

PROGRAM = str(Path(sys.argv[1]).resolve())
WITHOUT_FETCH = "--without-fetch" in sys.argv
ROOT = os.geteuid() == 0
SLOW = 10 if "asan" in PROGRAM else 1
LIMIT = 1.0 * SLOW  # seconds until a signal has ended a command
STRANGER = 54321
FAULTY = """name: r
virtual_hosts:
- domains: ["*"]
  routes:
  - match: {prefix: ""}
    route: {clustr: a}
"""
FIXED = FAULTY.replace("clustr", "cluster")

done, failed, skipped = [], [], []
work = Path(tempfile.mkdtemp(prefix="xdscope-files."))
os.environ["TMPDIR"] = str(work / "tmp")
os.environ.pop("XDSCOPE_CONF", None)


# ---- the frame ---------------------------------------------------------------------------------

def check(good, what):
    if not good:
        raise AssertionError(what)


def test(function):
    """Runs it in a folder of its own."""
    folder = work / function.__name__
    folder.mkdir()
    os.chdir(folder)
    try:
        reason = function()
        if reason:
            skipped.append(f"{function.__name__}: {reason}")
        else:
            done.append(function.__name__)
    except Exception as error:  # pylint: disable=broad-except
        failed.append(function.__name__)
        print(f"files: {function.__name__}: {type(error).__name__}: {str(error)[:1000]}")
    os.chdir(work)


def run(*args, status=None, **more):
    more.setdefault("timeout", 60 * SLOW)
    got = subprocess.run([PROGRAM, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)
    if status is not None:
        check(got.returncode == status, f"{args}: exit {got.returncode}, not {status}: {got.stderr}")
    return got


def alone(*names, folder="."):
    found = sorted(os.listdir(folder))
    check(found == sorted(names), f"there is {found}, not {sorted(names)}")


def resources(n):
    """Many clusters with a finding each that --fix can correct; without it, see good()."""
    return "".join("- {name: c%d, type: EDS, eds_cluster_config: {eds_config: {ads: {}}}, lb_polcy: ROUND_ROBIN}\n" % i
                   for i in range(n))


def good(n):
    return resources(n).replace("lb_polcy", "lb_policy")


@contextlib.contextmanager
def mounted(*args):
    """None: not allowed here."""
    allowed = ROOT and subprocess.run(["mount", *args], stderr=subprocess.DEVNULL).returncode == 0
    try:
        yield True if allowed else None
    finally:
        if allowed:
            subprocess.run(["umount", "-l", args[-1]], check=False)


def has_namespaces():
    return subprocess.run(["unshare", "-pf", "--mount-proc", "true"], stderr=subprocess.DEVNULL).returncode == 0


# ---- what a file is stays ------------------------------------------------------------------------

def fix_keeps_mode_and_owner():
    Path("a.routes.yaml").write_text(FAULTY)
    os.chmod("a.routes.yaml", 0o640)
    if ROOT:
        os.chown("a.routes.yaml", STRANGER, STRANGER + 1)
    with contextlib.suppress(OSError):
        os.setxattr("a.routes.yaml", "user.origin", b"plane")
    before = os.stat("a.routes.yaml")
    names = os.listxattr("a.routes.yaml")
    got = run("lint", "--no-config", "--fix", "a.routes.yaml", status=0)
    after = os.stat("a.routes.yaml")
    check(got.stderr.startswith("a.routes.yaml: 1 edit\n"), got.stderr)
    check(Path("a.routes.yaml").read_text() == FIXED, "not corrected")
    for what in ("st_mode", "st_uid", "st_gid"):
        check(getattr(before, what) == getattr(after, what), what)
    check(os.listxattr("a.routes.yaml") == names, "attributes")
    alone("a.routes.yaml")


def fix_keeps_links():
    os.mkdir("real")
    Path("real/a.routes.yaml").write_text(FAULTY)
    os.link("real/a.routes.yaml", "real/hard")
    os.symlink("real/a.routes.yaml", "soft.routes.yaml")
    run("lint", "--no-config", "--fix", "soft.routes.yaml", status=0)
    check(os.path.islink("soft.routes.yaml"), "the symbolic link is gone")
    check(Path("real/hard").read_text() == FIXED, "the hard link has the older text")
    check(os.path.samefile("real/hard", "real/a.routes.yaml"), "the hard link is cut off")
    alone("real", "soft.routes.yaml")
    alone("a.routes.yaml", "hard", folder="real")


def output_goes_through_a_link_to_nothing():
    os.mkdir("real")
    os.symlink("real/later", "link")
    run("rule", "--man", "-o", "link", status=0)
    check(os.path.islink("link") and os.path.getsize("real/later") > 1000, "not through the link")
    os.symlink("loop", "loop")
    got = run("rule", "--man", "-o", "loop", status=3)
    check(got.stderr == "xdscope: rule: loop: Too many levels of symbolic links\n", got.stderr)
    alone("real", "link", "loop")


def new_files_follow_the_umask():
    run("rule", "--man", "-o", "page", status=0, umask=0o027)
    check(stat.S_IMODE(os.stat("page").st_mode) == 0o640, oct(os.stat("page").st_mode))


def names_may_be_as_long_as_names_can_be():
    for name in ("x" * 241, "x" * 250, "x" * 255, "\u00e4" * 127 + "x", "x" + "\u00e4" * 127):
        run("rule", "--man", "-o", name, status=0)
        run("rule", "--man", "-o", name, status=0)
        alone(name)
        os.unlink(name)
    got = run("rule", "--man", "-o", "x" * 256, status=3)
    check("File name too long" in got.stderr, got.stderr)
    alone()


def output_to_a_stream_of_ours_loses_nothing():
    with open("log", "ab") as log:
        log.write(b"before\n")
        log.flush()
        got = subprocess.run([PROGRAM, "cookie", "encode", "10.0.0.1:80", "-o", "/dev/stdout"], stdout=log,
                             stderr=subprocess.PIPE)
        log.write(b"after\n")
    lines = Path("log").read_text().splitlines()
    check(got.returncode == 0 and lines[0] == "before" and lines[-1] == "after" and len(lines) == 3, lines)
    alone("log")


def output_to_a_pipe():
    os.mkfifo("pipe")
    got = []
    reader = threading.Thread(target=lambda: got.append(Path("pipe").read_bytes()))
    reader.start()
    run("rule", "--man", "-o", "pipe", status=0)
    reader.join()
    check(got[0] == run("rule", "--man").stdout.encode(), "not all of it")
    alone("pipe")
    check(stat.S_ISFIFO(os.stat("pipe").st_mode), "no longer a pipe")


def a_pipe_is_not_edited():
    os.mkfifo("pipe.routes.yaml")
    for option in ("--fix", "--diff"):
        got = run("lint", "--no-config", option, "pipe.routes.yaml", status=2)
        check(got.stderr == f"xdscope: lint: {option}: pipe.routes.yaml is not a file on a disk\n", got.stderr)


def what_others_change_meanwhile_stays():
    text = "clusters:\n" + resources(30000)
    path = Path("a.yaml")
    path.write_text(text)
    begun = time.monotonic()
    run("lint", "--no-config", "-q", "-f", "json", "-o", "/dev/null", "a.yaml")
    lint = time.monotonic() - begun
    child = subprocess.Popen([PROGRAM, "lint", "--no-config", "--fix", "a.yaml"], stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE, text=True)
    time.sleep(lint * 1.7)  # a lint, and then each round of edits is one more
    child.send_signal(signal.SIGSTOP)
    path.write_text(text + "# mine\n")
    child.send_signal(signal.SIGCONT)
    err = child.communicate(timeout=120 * SLOW)[1]
    check(path.read_text().endswith("# mine\n"), "the comment of another program is lost: " + err)
    alone("a.yaml")


# ---- no room, no permission -------------------------------------------------------------------------

WRITERS = {
    "output": ("lint", "--no-config", "-f", "json", "--no-quiet", "-o", "{to}", "in.clusters.yaml"),
    "also": ("lint", "--no-config", "-q", "--also", "json={to}", "in.clusters.yaml"),
    "baseline": ("lint", "--no-config", "--write-baseline", "{to}", "static.clusters.yaml"),
    "convert": ("convert", "-f", "json", "-o", "{to}", "good.clusters.yaml"),
    "show": ("show", "-f", "json", "-o", "{to}", "good.clusters.yaml"),
    "rule": ("rule", "--man", "-o", "{to}"),
}


def writers_inputs(count):
    """The files that WRITERS read, of `count` resources each."""
    Path("in.clusters.yaml").write_text(resources(count))
    Path("good.clusters.yaml").write_text(good(count))
    Path("static.clusters.yaml").write_text(good(count).replace("type: EDS", "type: STATIC"))
    return ("in.clusters.yaml", "good.clusters.yaml", "static.clusters.yaml")


def no_room_keeps_the_older_file():
    os.mkdir("small")
    writers_inputs(3000)
    with mounted("-t", "tmpfs", "-o", "size=24k", "none", "small") as allowed:
        if not allowed:
            return "a file system of its own needs root and mount"
        for name, words in WRITERS.items():
            Path("small/there").write_text("before\n")
            for to in ("small/there", "small/new"):
                got = run(*(word.format(to=to) for word in words), status=3)
                check(got.stderr.endswith(f": {to}: No space left on device\n"), f"{name}: {got.stderr}")
                check(Path("small/there").read_text() == "before\n", name)
                alone("there", folder="small")
        Path("small/a.routes.yaml").write_text(FAULTY)
        Path("small/rest").write_bytes(b"x" * (24 << 10 - 3))
        with contextlib.suppress(OSError), open("small/rest", "ab") as rest:
            while True:
                rest.write(b"x" * 512)
                rest.flush()
        got = run("lint", "--no-config", "--fix", "small/a.routes.yaml", status=3)
        check("edit" not in got.stderr and "No space left" in got.stderr, got.stderr)
        check(Path("small/a.routes.yaml").read_text() == FAULTY, "half-written")
        alone("a.routes.yaml", "rest", "there", folder="small")
    return None


def a_mounted_file_is_written_over():
    Path("a.routes.yaml").write_text(FAULTY)
    os.mkdir("box")
    Path("box/b.routes.yaml").touch()
    with mounted("--bind", "a.routes.yaml", "box/b.routes.yaml") as allowed:
        if not allowed:
            return "a file that is a mount of its own needs root and mount"
        run("lint", "--no-config", "--fix", "box/b.routes.yaml", status=0)
        check(Path("a.routes.yaml").read_text() == FIXED, "not corrected")
        run("cookie", "encode", "10.0.0.1:80", "-o", "box/b.routes.yaml", status=0)
        check(len(Path("a.routes.yaml").read_text().splitlines()) == 1, "the rest of the older text is there")
        alone("b.routes.yaml", folder="box")
    return None


def a_mounted_file_of_a_full_disk_stays():
    os.mkdir("small")
    os.mkdir("box")
    Path("box/b").touch()
    with mounted("-t", "tmpfs", "-o", "size=16k", "none", "small") as allowed:
        if not allowed:
            return "a file system of its own needs root and mount"
        Path("small/a").write_text("before\n")
        with mounted("--bind", "small/a", "box/b"):
            got = run("rule", "--man", "-o", "box/b", status=3)
            check(got.stderr == "xdscope: rule: box/b: No space left on device\n", got.stderr)
            check(Path("small/a").read_text() == "before\n", "half-written")
            alone("b", folder="box")
    return None


def as_stranger():
    if ROOT:
        os.setgroups([])
        os.setgid(STRANGER)
        os.setuid(STRANGER)


def can_be_run_by_a_stranger():
    return not ROOT or subprocess.run([PROGRAM, "--version"], preexec_fn=as_stranger, stdout=subprocess.DEVNULL,
                                      stderr=subprocess.DEVNULL, check=False).returncode == 0


def a_folder_that_cannot_be_written():
    try:
        if not can_be_run_by_a_stranger():
            return "the program is in a folder of root's"
    except (PermissionError, subprocess.SubprocessError):
        return "the program is in a folder of root's"
    os.mkdir("box")
    Path("box/mine.routes.yaml").write_text(FAULTY)
    Path("box/theirs.routes.yaml").write_text(FAULTY)
    if ROOT:
        os.chown("box/mine.routes.yaml", STRANGER, STRANGER)
    os.chmod("box/theirs.routes.yaml", 0o444)
    os.chmod("box", 0o555)
    for folder in (work, work / "tmp", Path(".")):
        os.chmod(folder, 0o777 if folder.name == "tmp" else 0o755)
    got = run("lint", "--no-config", "--fix", "box/mine.routes.yaml", preexec_fn=as_stranger)
    check(got.returncode == 0 and Path("box/mine.routes.yaml").read_text() == FIXED, got.stderr)
    got = run("lint", "--no-config", "--fix", "box/theirs.routes.yaml", preexec_fn=as_stranger)
    check(got.returncode == 3 and got.stderr == "xdscope: lint: box/theirs.routes.yaml: Permission denied\n", got.stderr)
    got = run("rule", "-o", "box/new", preexec_fn=as_stranger)
    check(got.stderr == "xdscope: rule: box/new: Permission denied\n", got.stderr)
    alone("mine.routes.yaml", "theirs.routes.yaml", folder="box")
    alone(folder=work / "tmp")
    os.chmod("box", 0o755)
    return None


def no_folder_for_temporary_files():
    Path("in.clusters.yaml").write_text(resources(1))
    got = run("convert", "-f", "json", "-o", "out", "in.clusters.yaml", status=3,
              env={**os.environ, "TMPDIR": "/proc/nowhere"})
    check(got.stderr == "xdscope: convert: /proc/nowhere: No such file or directory\n", got.stderr)
    alone("in.clusters.yaml")


def two_runs_at_once():
    Path("in.clusters.yaml").write_text(resources(500))
    texts = set()
    for name in ("json", "sarif"):
        run("lint", "--no-config", "-f", name, "--no-quiet", "-o", name, "in.clusters.yaml")
        texts.add(Path(name).read_text())
        os.unlink(name)
    for _ in range(10):
        pair = [subprocess.Popen([PROGRAM, "lint", "--no-config", "-f", name, "--no-quiet", "-o", "out",
                                  "in.clusters.yaml"]) for name in ("json", "sarif")]
        check(all(child.wait() in (0, 1) for child in pair), "one of them failed")
        check(Path("out").read_text() in texts, "a mixture")
        alone("in.clusters.yaml", "out")


# ---- on the disk ------------------------------------------------------------------------------------

def disk_order(*words, status):
    """What is written to the disk and what is renamed, in this order: words of a line; or None where the
    program cannot be watched."""
    log = work / "tmp" / "order"
    with contextlib.suppress(FileNotFoundError):
        log.unlink()
    run(*words, status=status, env={**os.environ, "LD_PRELOAD": str(work / "disk_order.so"), "DISK_ORDER": str(log)})
    if not log.exists():
        return None
    lines = [line.split() for line in log.read_text().splitlines()]
    log.unlink()
    return [line for line in lines if line[0] != "begin"]


def is_ordered(calls, folder):
    """All of the new file is on the disk before it takes the place of the older one, and then its name is."""
    renames = [i for i, call in enumerate(calls) if call[0] == "rename"]
    return bool(renames) and all(["fsync", *calls[i][1:]] in calls[:i] and
                                 any(call[:2] == ["fsync", folder] for call in calls[i:]) for i in renames)


def a_new_file_is_on_the_disk_before_the_older_one_is_gone():
    if "asan" in PROGRAM:
        return "a sanitizer wants to be the first library"
    compiler = shutil.which("cc") or shutil.which("gcc")
    if not compiler:
        return "no compiler"
    subprocess.run([compiler, "-shared", "-fPIC", "-o", str(work / "disk_order.so"), str(HERE / "disk" / "order.c"), "-ldl"],
                   check=True)
    writers_inputs(300)
    Path("a.routes.yaml").write_text(FAULTY)
    folder = str(os.stat(".").st_ino)
    wanted = {name: (words, None) for name, words in WRITERS.items()}
    wanted["fix"] = (("lint", "--no-config", "--fix", "a.routes.yaml"), 0)
    for name, (words, status) in wanted.items():
        for _ in range(2):  # a new file, and one in the place of an older one
            calls = disk_order(*(word.format(to="out") for word in words), status=status)
            if calls is None:
                return "the program is static"
            check(is_ordered(calls, folder), f"{name}: {calls}")
            if name == "fix":
                break
    # The watch itself: each of these must be seen.
    good = [["fsync", "7", "10"], ["rename", "7", "10"], ["fsync", folder, "0"]]
    check(is_ordered(good, folder), "good")
    for bad in (good[1:], good[:2], [good[1], good[0], good[2]], [["fsync", "7", "9"], *good[1:]], []):
        check(not is_ordered(bad, folder), f"{bad} is taken")
    return None


# ---- signals while a file is written ----------------------------------------------------------------

SIGNALS = [signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGUSR1, signal.SIGUSR2,
           signal.SIGALRM, signal.SIGXCPU, signal.SIGPIPE]
FAULTS = [signal.SIGSEGV, signal.SIGBUS, signal.SIGABRT, signal.SIGFPE]


def without_cores():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for number in SIGNALS:
        signal.signal(number, signal.SIG_DFL)


def begin(*args, **more):
    more.setdefault("stdin", subprocess.PIPE)
    more.setdefault("stdout", subprocess.DEVNULL)
    more.setdefault("stderr", subprocess.DEVNULL)
    more.setdefault("preexec_fn", without_cores)
    return subprocess.Popen([PROGRAM, *args], **more)


def wait_until(good, what, seconds=10):
    end = time.monotonic() + seconds * SLOW
    while not good():
        check(time.monotonic() < end, "it does not come: " + what)
        time.sleep(0.005)


def begin_stream(**more):
    """It has begun to write, and waits for more input."""
    child = begin("lint", "--stream", "-", "-o", "out", **more)
    wait_until(lambda: len(os.listdir(".")) == 2, "a temporary file")
    return child


def ends(child, number, status, within=LIMIT):
    begun = time.monotonic()
    child.send_signal(number)
    try:
        got = child.wait(timeout=30 * SLOW)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
        raise AssertionError(f"{signal.Signals(number).name} does not end it") from None
    took = time.monotonic() - begun
    check(got == status, f"{signal.Signals(number).name}: status {got}, not {status}")
    check(took < within + 0.5, f"{signal.Signals(number).name}: only after {took:.1f} s")


def signals_leave_the_older_file():
    Path("out").write_text("before\n")
    for number in SIGNALS + ([] if SLOW > 1 else FAULTS):
        ends(begin_stream(), number, -number)
        check(Path("out").read_text() == "before\n", "half-written")
        alone("out")


def what_is_ignored_stays_ignored():
    Path("out").touch()

    def ignore():
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    child = begin_stream(preexec_fn=ignore)
    child.send_signal(signal.SIGHUP)
    child.send_signal(signal.SIGINT)
    child.stdin.write(b"{}\n")
    child.stdin.close()
    check(child.wait(timeout=20) in (0, 1), "it was ended")
    check(Path("out").read_text() != "", "nothing was written")


def a_killed_run_does_not_block_the_next():
    Path("out").write_text("before\n")
    for _ in range(2):
        child = begin_stream()
        child.kill()
        child.wait()
        check(Path("out").read_text() == "before\n", "half-written")
        for name in os.listdir("."):
            if name != "out":
                os.unlink(name)
    run("rule", "--man", "-o", "out", status=0)
    alone("out")


def a_killed_process_1_does_not_block_the_next():
    if not has_namespaces():
        return "a process 1 needs unshare"
    unshare = ["unshare", "-pf", "--mount-proc", "--kill-child=KILL"]
    child = subprocess.Popen([*unshare, PROGRAM, "lint", "--stream", "-", "-o", "out"], stdin=subprocess.PIPE)
    wait_until(lambda: len(os.listdir(".")) == 1, "a temporary file")
    child.kill()
    child.wait()
    time.sleep(0.1)
    left = os.listdir(".")
    for _ in range(3):
        check(subprocess.run([*unshare, PROGRAM, "rule", "--man", "-o", "out"]).returncode == 0, "blocked")
    alone("out", *left)
    return None


def each_moment():
    """A signal at any moment of a run that writes leaves the older file or the new one."""
    inputs = writers_inputs(2000)
    for name, words in WRITERS.items():
        words = [word.format(to="out") for word in words]
        begun = time.monotonic()
        run(*words)
        took = time.monotonic() - begun
        whole = Path("out").read_bytes()
        for i in range(12):
            Path("out").write_text("before\n")
            child = begin(*words)
            time.sleep(took * i / 10)
            child.send_signal(random.choice([signal.SIGTERM, signal.SIGINT, signal.SIGHUP]))
            child.wait(timeout=20 * SLOW)
            check(Path("out").read_bytes() in (b"before\n", whole), f"{name}: half-written")
            alone(*inputs, "out")
        os.unlink("out")
    alone(folder=work / "tmp")


def each_moment_of_fix():
    before, after = resources(1500), good(1500)
    path = Path("in.clusters.yaml")
    path.write_text(before)
    os.link(path, "other")
    for linked in (True, False):
        if not linked:
            os.unlink("other")
        path.write_text(before)
        begun = time.monotonic()
        run("lint", "--no-config", "-q", "--fix", str(path))
        took = time.monotonic() - begun
        check(path.read_text() == after, "not corrected")
        for i in range(12):
            path.write_text(before)
            child = begin("lint", "--no-config", "-q", "--fix", str(path))
            time.sleep(took * i / 10)
            child.send_signal(random.choice([signal.SIGTERM, signal.SIGINT]))
            child.wait(timeout=20 * SLOW)
            check(path.read_text() in (before, after), "half-written")
            alone(path.name, *(["other"] if linked else []))


# ---- signals while a command waits or works ------------------------------------------------------------

def busy_commands():
    """Name, words, what its standard input gets; None: nothing, it stays open."""
    Path("in.routes.yaml").write_text(FAULTY)
    Path("requests").touch()
    if not os.path.exists("pipe"):
        os.mkfifo("pipe")
    large = Path("large.json")
    if not large.exists():
        # A route of many regexes takes long whatever the machine is.
        large.write_text('{"resources": [' + ",".join(
            '{"@type": "type.googleapis.com/envoy.config.route.v3.RouteConfiguration", "name": "r%d", '
            '"virtual_hosts": [{"name": "v", "domains": ["*"], "routes": [{"match": {"safe_regex": '
            '{"regex": "(a|b%d)*c{1,9}"}}, "route": {"cluster": "c"}}]}]}' % (i, i) for i in range(150000)) + "]}")
    Path("good.routes.yaml").write_text("{name: r, virtual_hosts: [{domains: ['*'], routes: [{match: {prefix: ''}, route: {cluster: c}}]}]}\n")
    target = ("--route-config", "r", "--authority", "a", "good.routes.yaml")
    return [
        ("lint -", ("lint", "-")),
        ("lint --stream -", ("lint", "--stream", "-")),
        ("lint of a pipe", ("lint", "--no-config", "pipe")),
        ("lint --watch", ("lint", "--no-config", "--watch", "in.routes.yaml")),
        ("lint of a large file", ("lint", "--no-config", "large.json")),
        ("lint of a large file -j4", ("lint", "--no-config", "-j4", "large.json")),
        ("show of a large file", ("show", "large.json")),
        ("convert of a large file", ("convert", "-f", "yaml", "large.json")),
        ("diff of large files", ("diff", "large.json", "large.json")),
        ("lsp", ("lsp",)),
        ("explain --requests -", ("explain", "--requests", "-", *target)),
        ("show -", ("show", "-")),
        ("convert -", ("convert", "-f", "json", "-")),
        ("diff of a pipe", ("diff", "pipe", "in.routes.yaml")),
        ("simulate of a pipe", ("simulate", "pipe")),
        ("test of a pipe", ("test", "pipe")),
        ("rule to a pipe", ("rule", "--man", "-o", "pipe")),
    ]


def each_command_ends_by_signals():
    for name, words in busy_commands():
        for number in (signal.SIGTERM, signal.SIGINT):
            child = begin(*words)
            time.sleep(0.15 * SLOW)
            check(child.poll() is None, f"{name}: it has ended before")
            try:
                ends(child, number, -number)
            except AssertionError as error:
                raise AssertionError(f"{name}: {error}") from None


def a_reader_that_does_not_read():
    """The pipe of standard output is full."""
    for number in (signal.SIGTERM, signal.SIGINT):
        child = begin("rule", "--man", stdout=subprocess.PIPE)
        time.sleep(0.2 * SLOW)
        ends(child, number, -number)


def of_process_1(unshare):
    """Its number for us."""
    try:
        return int(Path(f"/proc/{unshare.pid}/task/{unshare.pid}/children").read_text().split()[0])
    except (OSError, IndexError):
        return 0


def is_program(pid):
    try:
        return os.readlink(f"/proc/{pid}/exe") == PROGRAM
    except OSError:
        return False


def end_process_1(words, number, **more):
    child = subprocess.Popen(["unshare", "-pf", "--mount-proc", PROGRAM, *words], stdin=subprocess.PIPE,
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **more)
    wait_until(lambda: is_program(of_process_1(child)), "process 1")
    pid = of_process_1(child)
    time.sleep(0.15 * SLOW)
    begun = time.monotonic()
    os.kill(pid, number)
    try:
        status = child.wait(timeout=10 * SLOW)
    except subprocess.TimeoutExpired:
        os.kill(pid, signal.SIGKILL)
        child.wait()
        raise AssertionError(f"{words}: {number.name} does not end process 1") from None
    check(status == 128 + number, f"{words}: {number.name}: status {status}")
    check(time.monotonic() - begun < LIMIT + 0.5, f"{words}: {number.name}: it takes too long")


def each_command_ends_as_process_1():
    if not has_namespaces():
        return "a process 1 needs unshare"
    for _, words in busy_commands():
        for number in (signal.SIGTERM, signal.SIGINT):
            end_process_1(words, number)
    return None


# ---- signals while a live system is asked -----------------------------------------------------------------

LISTENER = b"type.googleapis.com/envoy.config.listener.v3.Listener"


def bomb(n):
    """Empty resources, which are judged one by one."""
    return gzip.compress(b"\x22" + bytes([len(LISTENER)]) + LISTENER + b"\x2a\x01n\x0a\x01v" + b"\x12\x00" * n, mtime=0)


def fetch_ends_while_it_judges():
    if WITHOUT_FETCH:
        return "the program has no network"
    large = answering(bomb(1900000), ends=False)
    status = answering(gzip.compress(b"\x0a\x00" * (24 << 20), mtime=0))
    silent = Server([], ["settings"], None, None, None)
    ads, csds = f"localhost:{large.port}", f"localhost:{status.port}"
    target = ("--target", "xds:///x")
    for name, words in (
            ("ads", ("fetch", "ads", ads, *target, "-o", "out")),
            ("ads into a folder", ("fetch", "ads", ads, *target, "-o", "out/")),
            ("csds", ("fetch", "csds", csds, "-o", "out")),
            ("lint --from ads", ("lint", "--no-config", "--from", f"ads://{ads}", *target)),
            ("show --from csds", ("show", "--from", f"csds://{csds}")),
            ("no answer", ("fetch", "csds", f"localhost:{silent.port}")),
            ("no answer of ads", ("fetch", "ads", f"localhost:{silent.port}", *target))):
        for number in (signal.SIGTERM, signal.SIGINT):
            for after in (0.1, 0.4):
                child = begin(*words)
                time.sleep(after * SLOW)
                try:
                    if child.poll() is None:
                        ends(child, number, -number)
                except AssertionError as error:
                    raise AssertionError(f"{name}: {error}") from None
                alone()
    for number in (signal.SIGTERM, signal.SIGINT):
        child = begin("fetch", "ads", ads, *target, "--watch")
        time.sleep(0.4 * SLOW)
        ends(child, number, 1)  # what was asked for has not come
        if has_namespaces():
            end_process_1(("fetch", "ads", ads, *target, "-o", "out"), number)
            end_process_1(("fetch", "csds", f"localhost:{silent.port}"), number)
    alone()
    return None


# ---- folders of many files -------------------------------------------------------------------------------

def many_files(folder, count, ending, text):
    """Hard links, of which a file may have some ten thousand."""
    os.mkdir(folder)
    where = os.open(folder, os.O_RDONLY)
    for i in range(count):
        if i % 30000 == 0:
            first = f"{i}{ending}"
            Path(folder, first).write_text(text)
        else:
            os.link(first, f"{i}{ending}", src_dir_fd=where, dst_dir_fd=where)
    os.close(where)


def a_folder_of_many_files():
    """MANY_FILES=1000000: so many."""
    count = int(os.environ.get("MANY_FILES", 100000 // SLOW))
    commands = (("lint", "--no-config", "-q", "-f", "json", "-o", "/dev/null"), ("show", "-q", "-o", "/dev/null"),
                ("convert", "-f", "binary", "-o", "/dev/null"))
    for folder, ending, text in (("clusters", ".clusters.yaml", "name: c"), ("none", ".yaml", "[]"),
                                 ("others", ".md", "name: c")):
        many_files(folder, count, ending, text)
        for words in commands:
            child = begin(*words, folder, stderr=subprocess.DEVNULL)
            _, status, used = os.wait4(child.pid, 0)
            status = child.returncode = os.waitstatus_to_exitcode(status)
            check(0 <= status <= 3, f"{words} of {folder}: {status}")
            check(SLOW > 1 or used.ru_maxrss < 32 * 1024 + 3 * count, f"{words} of {folder}: {used.ru_maxrss} KB")
        for number in (signal.SIGTERM, signal.SIGINT):
            child = begin(*commands[0], folder, stderr=subprocess.DEVNULL)
            time.sleep(0.05 * SLOW)
            if child.poll() is None:
                ends(child, number, -number)
        shutil.rmtree(folder)


# ---- files that change while they are read, and threads that do not start ------------------------------------

def files_that_change():
    text = resources(3000)
    over = threading.Event()

    def change():
        turn = random.Random(1)
        while not over.is_set():
            what = turn.randrange(4)
            with open("a.clusters.yaml", "r+b") as file:
                if what == 0:
                    file.truncate(turn.randrange(len(text)))
                elif what == 1:
                    file.write(text.encode())
                elif what == 2:
                    file.seek(0, 2)
                    file.write(b"- {name: [}\n" * 50)
            if what == 3:
                Path("new").write_text(text[:turn.randrange(len(text))])
                os.rename("new", "a.clusters.yaml")
            time.sleep(0.001)

    Path("a.clusters.yaml").write_text(text)
    thread = threading.Thread(target=change)
    thread.start()
    try:
        end = time.monotonic() + 4 * SLOW
        while time.monotonic() < end:
            for words in (("lint", "--no-config"), ("lint", "--no-config", "-j4", "-f", "html"), ("show",), ("convert", "-f", "json"),
                          ("lint", "--no-config", "--diff")):
                got = run(*words, "a.clusters.yaml")
                check(got.returncode in (0, 1, 2, 3), f"{words}: {got.returncode} {got.stderr[-500:]}")
    finally:
        over.set()
        thread.join()


def threads_that_do_not_start():
    Path("in.clusters.yaml").write_text(resources(3000))
    os.chmod(".", 0o755)

    def limit():
        resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
        as_stranger()

    try:
        if not can_be_run_by_a_stranger():
            return "the program is in a folder of root's"
    except (PermissionError, subprocess.SubprocessError):
        return "the program is in a folder of root's"
    words = ("lint", "--no-config", "-f", "json", "in.clusters.yaml")
    usual, limited = run(*words, "-j8"), run(*words, "-j8", preexec_fn=limit)
    check(limited.returncode == usual.returncode and limited.stdout == usual.stdout and limited.stderr == usual.stderr,
          f"{limited.returncode}, not {usual.returncode}; {limited.stderr}")
    return None


def main():
    wanted = [word for word in sys.argv[2:] if not word.startswith("-")]
    (work / "tmp").mkdir()
    # A shell that starts us in the background lets us ignore it, and what we start.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        for function in (
                fix_keeps_mode_and_owner, fix_keeps_links, output_goes_through_a_link_to_nothing,
                new_files_follow_the_umask, names_may_be_as_long_as_names_can_be,
                output_to_a_stream_of_ours_loses_nothing, output_to_a_pipe, a_pipe_is_not_edited,
                what_others_change_meanwhile_stays, no_room_keeps_the_older_file, a_mounted_file_is_written_over,
                a_mounted_file_of_a_full_disk_stays, a_folder_that_cannot_be_written,
                no_folder_for_temporary_files, two_runs_at_once,
                a_new_file_is_on_the_disk_before_the_older_one_is_gone, signals_leave_the_older_file,
                what_is_ignored_stays_ignored, a_killed_run_does_not_block_the_next,
                a_killed_process_1_does_not_block_the_next, each_moment, each_moment_of_fix,
                each_command_ends_by_signals, a_reader_that_does_not_read, each_command_ends_as_process_1,
                fetch_ends_while_it_judges, a_folder_of_many_files, files_that_change,
                threads_that_do_not_start):
            if not wanted or function.__name__ in wanted:
                test(function)
    finally:
        os.chdir("/")
        shutil.rmtree(work, ignore_errors=True)
    for reason in skipped:
        print("  SKIPPED	" + reason)
    print(f"  FILES	{len(done)} passed, {len(failed)} failed, {len(skipped)} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
