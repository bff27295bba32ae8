"""Runs Python many times without starting or loading it each time: every run is a fork of this process.

Reads one request a line, as JSON: id, cwd, env, args, stdin, and the files for its two streams. The args are those
of Python: `-m pytest`, `-c` with a program, or a file. Writes `{"id", "pid"}` when
a run has begun, then `{"id", "code"}`; a run that a signal ended has no code.
"""

import gc
import importlib
import json
import os
import resource
import runpy
import select
import signal
import sys
import tempfile
import traceback

import _pytest.config
import pytest

# Enough of an endless loop's output.
MAX_OUTPUT = 200_000

for plugin in _pytest.config.default_plugins:
    importlib.import_module("_pytest." + plugin)
gc.freeze()


def say(answer):
    os.write(1, (json.dumps(answer) + "\n").encode())


def called(args, cwd):
    """Runs what the arguments name, and gives its exit code."""
    first, *rest = args
    sys.path[0] = "" if first == "-c" else cwd
    if args[:2] == ["-m", "pytest"]:
        sys.argv = [pytest.__file__, *args[2:]]
        return int(pytest.main(args[2:]))
    try:
        if first == "-c":
            sys.argv = ["-c", *rest[1:]]
            main = type(sys)("__main__")
            sys.modules["__main__"] = main
            exec(compile(rest[0], "<string>", "exec"), main.__dict__)
        else:
            sys.argv = args
            sys.path[0] = os.path.dirname(os.path.abspath(first))
            runpy.run_path(first, run_name="__main__")
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return end.code or 0
        print(end.code, file=sys.stderr)
        return 1
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


def given(text):
    file = tempfile.TemporaryFile()
    file.write(text.encode())
    file.seek(0)
    return file.fileno(), file


def run(request):
    """In the fork; never returns."""
    code = 70
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setsid()
        resource.setrlimit(resource.RLIMIT_FSIZE, (MAX_OUTPUT, MAX_OUTPUT))
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        stdin, _file = given(request["stdin"])
        os.dup2(stdin, 0)
        for number, name, flags in (
            (1, request["stdout"], os.O_WRONLY | os.O_CREAT | os.O_APPEND),
            (2, request["stderr"], os.O_WRONLY | os.O_CREAT | os.O_APPEND),
        ):
            file = os.open(name, flags, 0o600)
            os.dup2(file, number)
            os.close(file)
        os.chdir(request["cwd"])
        os.environ.clear()
        os.environ.update(request["env"])
        code = called(request["args"], request["cwd"])
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code)


def main():
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    running, pending = {}, b""
    while True:
        ready, _, _ = select.select([0, woken], [], [])
        if woken in ready:
            os.read(woken, 4096)
        while running:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                break
            code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else None
            say({"id": running.pop(pid), "code": code})
        if 0 not in ready:
            continue
        received = os.read(0, 1 << 16)
        if not received:
            return
        *lines, pending = (pending + received).split(b"\n")
        for line in lines:
            request = json.loads(line)
            pid = os.fork()
            if pid == 0:
                run(request)
            running[pid] = request["id"]
            say({"id": request["id"], "pid": pid})


main()
