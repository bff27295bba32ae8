"""The look at a Python file, by Python: its report for sources that are right and that are not.

Run by look-script.test.ts; by hand: python -m unittest test_look.py in this folder.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import traceback
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
SCRIPT = os.path.join(HERE, "..", "..", "..", "src", "languages", "python", "look.py")
MARK = "PROBE-LOOK:"

with open(SCRIPT, encoding="utf-8") as script:
    TEXT = script.read()


def started(folder, data):
    """As it is started by the program; look.test.ts does so everywhere."""
    ran = subprocess.run(
        [sys.executable, "-I", "-B", "-W", "ignore", "-c", TEXT],
        input=data,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=60,
    )
    return ran.returncode, ran.stdout


CODE = compile(TEXT, "<string>", "exec")


def forked(folder, data):
    """In a process of its own, too, but without a new start of Python."""
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as said:
        given.write(data.encode("utf-8"))
        given.seek(0)
        pid = os.fork()
        if pid == 0:
            code = 1
            try:
                signal.alarm(60)
                for number, file in ((0, given), (1, said), (2, said)):
                    os.dup2(file.fileno(), number)
                os.chdir(folder)
                sys.path[:] = [one for one in sys.path if one not in ("", HERE)]
                exec(CODE, {"__name__": "__main__"})
                code = 0
            except SystemExit as end:
                code = end.code or 0
            except BaseException:
                traceback.print_exc()
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(code)
        _, status = os.waitpid(pid, 0)
        said.seek(0)
        return status, said.read().decode("utf-8")


def look(source, path="a.py", files=None, planned=()):
    """The report on a source that stands at `path`, beside `files`, in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in {path: source, **(files or {})}.items():
            target = os.path.join(folder, name)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "w", encoding="utf-8") as file:
                file.write(text)
        before = sorted(os.listdir(folder))
        data = json.dumps({"path": path, "source": source, "planned": list(planned)})
        code, said = (forked if hasattr(os, "fork") else started)(folder, data)
        if code != 0 or sorted(os.listdir(folder)) != before:
            raise AssertionError("the look failed or wrote: " + said)
    (line,) = [line for line in said.splitlines() if line.startswith(MARK)]
    return json.loads(line[len(MARK) :])


class LookTest(unittest.TestCase):
    def assert_problem(self, text, report):
        found = [problem for problem in report["problems"] if text in problem]
        self.assertTrue(found, "%r is not among %r" % (text, report["problems"]))

    def assert_fine(self, report):
        self.assertIsNone(report["error"])
        self.assertEqual(report["problems"], [])


class Report(LookTest):
    def test_has_these_keys(self):
        self.assertEqual(set(look("x = 1\n")), {"error", "problems", "defines", "prompts"})

    def test_names_the_place_of_a_syntax_error_and_nothing_else(self):
        report = look("import nowhere\nprint(\n")
        self.assertEqual(report["error"]["line"], 2)
        self.assertEqual(report["problems"], [])

    def test_tells_what_the_file_offers_and_asks(self):
        report = look("def add(a, b=2, *rest, **more):\n    return a\n\nname = input(f'Name {1}? ')\nprint(name)\n")
        self.assertEqual(report["defines"], [{"name": "add", "signature": "add(a, b=2, *rest, **more)"}])
        self.assertEqual(report["prompts"], ["Name …? "])

    def test_tells_of_a_class_how_it_is_made_and_used(self):
        source = "class Stack:\n    def __init__(self, size=3):\n        self.size = size\n    def push(self, item):\n        return item\n"
        self.assertEqual(look(source)["defines"][0]["signature"], "Stack(size=3) with .push(item)")

    def test_tells_what_is_called_on_the_class_itself_and_what_is_not_called(self):
        source = (
            "class Shape:\n    @staticmethod\n    def add(a, b):\n        return a + b\n"
            "    @classmethod\n    def of(cls, text):\n        return cls()\n"
            "    @property\n    def area(self):\n        return 1\n"
        )
        self.assertEqual(
            look(source)["defines"][0]["signature"], "Shape() with @staticmethod add(a, b), @classmethod of(text), .area"
        )

    def test_knows_what_a_module_of_python_itself_has(self):
        self.assertEqual(
            look("import sys\nprint(sys.random.randint(0, 2))\n")["problems"],
            ["line 2: sys has no random: import random and use it by itself"],
        )
        self.assertEqual(
            look("import math as m\nprint(m.average([1]))\n")["problems"], ["line 2: math has no average: use what is there"]
        )

    def test_is_silent_where_a_part_may_be_there(self):
        for source in (
            "import random\nprint(random.choice([1]))\n",
            "import sys\nif hasattr(sys, 'gone'):\n    print(sys.gone)\n",
            "import math\nmath.twice = 2\nprint(math.twice)\n",
            "import random\n\n\ndef of(random):\n    return random.whatever\n\n\nprint(of(random))\n",
            "import json\n\njson = None\nprint(json.whatever)\n",
        ):
            self.assertEqual(look(source)["problems"], [], source)

    def test_holds_at_most_twelve_problems_in_the_order_of_lines(self):
        report = look("".join("print(name%d)\n" % index for index in range(20)))
        self.assertEqual(len(report["problems"]), 12)
        self.assertTrue(report["problems"][0].startswith("line 1: "))

    def test_never_runs_the_file(self):
        self.assert_fine(look("open('made.txt', 'w').write('x')\nraise SystemExit(3)\n"))


class Stubs(LookTest):
    def test_are_found(self):
        for body in ("pass", "...", "raise NotImplementedError", "'''Later.'''"):
            self.assert_problem("write its whole body", look("def work():\n    %s\n\nwork()\n" % body))

    def test_are_no_fault_where_they_are_meant(self):
        abstract = "from abc import ABC, abstractmethod\n\nclass Shape(ABC):\n    @abstractmethod\n    def area(self):\n        ...\n"
        self.assert_fine(look(abstract))
        self.assert_fine(look("def noop():\n    pass\n\nnoop()\n"))

    def test_a_file_without_code_is_one(self):
        self.assert_problem("holds no code", look("# to come\nimport os\n"))
        self.assert_fine(look("", path="pkg/__init__.py"))


class Imports(LookTest):
    def test_of_what_is_nowhere(self):
        self.assert_problem("neither a file here nor installed", look("import nowhere\nprint(nowhere)\n"))

    def test_of_what_is_planned(self):
        self.assert_fine(look("import later\nprint(later)\n", planned=["later.py"]))

    def test_of_a_name_that_the_file_does_not_define(self):
        report = look("from m import add\nprint(add)\n", files={"m.py": "def sub():\n    return 1\n"})
        self.assert_problem("m.py does not define add (it defines: sub)", report)

    def test_of_a_file_in_another_folder(self):
        report = look("import core\nprint(core)\n", files={"pkg/core.py": "x = 1\n"})
        self.assert_problem("import it as pkg.core", report)

    def test_that_are_tried_or_guarded_are_no_fault(self):
        self.assert_fine(look("try:\n    import nowhere\nexcept ImportError:\n    nowhere = None\nprint(nowhere)\n"))


class Names(LookTest):
    def test_that_a_file_here_defines_come_with_their_import(self):
        report = look("print(add(1))\n", files={"pkg/m.py": "def add(a):\n    return a\n"})
        self.assertEqual(report["problems"], ["line 1: add is not defined: add: from pkg.m import add"])

    def test_of_the_standard_library_come_with_theirs(self):
        self.assertEqual(look("print(math.pi)\n")["problems"], ["line 1: math is not defined: add: import math"])

    def test_that_are_made_in_ways_that_cannot_be_followed_are_no_fault(self):
        self.assert_fine(look("globals()['x'] = 1\nprint(x)\n"))


class Tests(LookTest):
    CODE = {"m.py": "def add(a, b):\n    return a + b\n"}

    def test_are_known_by_the_names_that_runners_pick_up(self):
        for path in ("test_m.py", "m_test.py", "tests/test_m.py"):
            self.assert_problem("holds no tests", look("x = 1\n", path=path))
        for path in ("conftest.py", "latest.py", "tests/helpers.py", "contest/a.py"):
            self.assert_fine(look("x = 1\n", path=path))

    def test_must_assert_something(self):
        source = "from m import add\n\ndef test_add():\n    add(1, 2)\n"
        self.assert_problem("no test asserts anything", look(source, "test_m.py", self.CODE))

    def test_must_test_what_is_here(self):
        source = "def test_it():\n    assert 1 + 1 == 2\n"
        self.assert_problem("the tests import nothing from this folder", look(source, "test_m.py", self.CODE))

    def test_do_not_define_again_what_they_test(self):
        source = "def add(a, b):\n    return a + b\n\ndef test_add():\n    assert add(1, 2) == 3\n"
        self.assert_problem("remove it and add: from m import add", look(source, "test_m.py", self.CODE))

    def test_of_both_runners_are_right(self):
        self.assert_fine(look("from m import add\n\ndef test_add():\n    assert add(1, 2) == 3\n", "test_m.py", self.CODE))
        unit = "import unittest\nfrom m import add\n\nclass AddTest(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(1, 2), 3)\n"
        self.assert_fine(look(unit, "test_m.py", self.CODE))


if __name__ == "__main__":
    unittest.main()
