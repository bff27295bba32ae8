import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandsSaid } from '../../src/languages/allowed-commands.ts';
import { judgeCommandLine } from '../../src/policy/commands.ts';
import { builtinTools } from '../../src/tools/registry.ts';
import type { RunCmdOptions } from '../../src/tools/run-cmd.ts';
import { splitCommand } from '../../src/tools/split-command.ts';
import { insteadOf } from '../../src/tools/toolset.ts';

function judge(line: string, allow: readonly string[] = [], platform: NodeJS.Platform = 'linux') {
  const split = splitCommand(line, platform);
  if (!split.ok) throw new Error(split.reason);
  const paths = platform === 'win32' ? path.win32 : path.posix;
  const workspace = platform === 'win32' ? 'C:\\ws' : '/ws';
  return judgeCommandLine(split, {
    ...{ platform, allow, insteadOf: insteadOf(builtinTools({} as RunCmdOptions)) },
    said: commandsSaid(''),
    isOutside: (given) =>
      !`${paths.resolve(workspace, given)}${paths.sep}`.startsWith(workspace + paths.sep),
  });
}

const ALLOWED = [
  'python hello.py',
  'python3 -u -X utf8 pkg/main.py ../data.csv',
  'python3.12 hello.py',
  'py -3.11 hello.py',
  'python /ws/hello.py',
  `python -c "import os; print(os.getcwd())"`,
  'python -m pytest -q tests',
  'python -m http.server --help',
  'python -m mathx',
  'python --version',
  'python -V',
  'python',
  'python -m pip list',
  'python -W ignore -m pip show requests',
  'pytest',
  'pytest -q tests/test_x.py::test_a',
  'pytest "tests/test_x.py::test_p[a/../../b]"',
  'ruff check . --select E9,F',
  'ruff check --fix src',
  'pip list',
  'pip -q list --local',
  'pip3 show pytest',
  'pip --version',
  'node game.js ../x',
  'node -e "console.log(1)"',
  'node -e "console.log(process.argv)" /path ../x.js',
  'node --eval=1 /path',
  'node -p 1 ../x',
  'node - ../x',
  'node --test tests/a.test.js',
  'node --test --test-name-pattern "/api/" tests/a.test.js',
  'node --env-file=.env a.js ../x',
  'node --max-old-space-size=4096 a.js',
  'pytest --base-url=http://127.0.0.1:3000 -k "a/b" -o cache_dir=.cache',
  'pytest -p no:cacheprovider --tb=short -W ignore::UserWarning',
  'python -X importtime -X pycache_prefix=.cache a.py',
  'python -m mathx "3 / 4" http://127.0.0.1/x data/in.csv',
  'npm test -- --rootDir /x',
  'node --check a.mjs',
  'node --import tsx a.mjs',
  'npm test',
  'npm run build -- --prefix /x',
  'npm -s run lint',
  'npm --version',
  'git status --short',
  'git --no-pager log --oneline -5',
  'git -C sub diff',
  'git diff HEAD~1 -- --output',
  'git show HEAD:a.py',
  'git branch',
  'git branch --list "feature/*"',
  'git branch -a -vv',
  'git branch --contains HEAD',
  'git tag -l',
  'git blame -L 1,5 a.py',
  'git rev-parse HEAD',
  'git ls-files',
  '/usr/bin/git log',
  'git -C sub diff ../a.py',
  'git log main..HEAD -- src',
  'git log --grep /api/users -S /etc -L 1,5:a.py',
  'git status -sb -uno',
  'git show HEAD:sub/../a.py',
];

const REFUSED = [
  'ls -la',
  'cat a.txt',
  'rm -rf /',
  'curl http://x',
  'bash x.sh',
  'env python x.py',
  'npx cowsay',
  'make',
  'pip install requests',
  'pip',
  'python -m pip install requests',
  'python -mpip install requests',
  'python -Im pip install requests',
  'python -um pip._internal install requests',
  'python -X utf8 -m pip uninstall x',
  'py -3 -m pip install requests',
  'python -m ensurepip',
  'pip --log x list',
  'pip list --log=/var/x',
  'pip list --log-f x',
  'pip3.12 install x',
  'npm install',
  'npm ci',
  'npm',
  'npm exec x',
  'npm run build --prefix /x',
  'npm test --script-shell ./x',
  'npm --prefix .. test',
  'npm test --cache /x',
  'npm run build --cac=/x',
  'npm run build -w ../x',
  'npm run build --some-option=/x',
  'pytest --basetemp=src',
  'pytest --base-temp=x --pastebin=all',
  'pytest @args.txt',
  'python -m http.server -d /',
  'python -m zipfile -e a.zip /x',
  'python -m venv ../x',
  'python -m unittest discover -s /x',
  'python -m json.tool a.json /etc/x',
  'git commit -m x',
  'git push',
  'git checkout .',
  'git reset --hard',
  'git',
  'git -c core.pager=x log',
  'git --exec-path=/x status',
  'git --git-dir=/x status',
  'git -p log',
  'git diff --output=x',
  'git diff --outpu=x',
  'git log --ext-diff',
  'git diff --no-index a b',
  'git branch new',
  'git branch -D main',
  'git branch -v new',
  'git branch --set-upstream-to=x',
  'git tag v1',
  'git tag -d v1',
  'git config --list',
  'git remote -v',
  'git stash',
  // The beginning of a flag, where git takes it for the whole.
  'git cat-file --tex HEAD:a.txt',
  'git cat-file --fil HEAD:a.txt',
  'git describe --di',
  'git log --remerge-diff',
  'git log --diff-merges=remerge',
  'git log --alternate-refs',
  'git diff --submodule=diff',
  'git ls-files --recurse-submodules',
  'git status --ignore-submodules=none',
  'git status -v',
  'git status -sv',
  'git describe --dirty=x',
].filter((line) => line !== 'pip');

const OUTSIDE = [
  'python ../x.py',
  'python /etc/x.py',
  'python -u ../x.py',
  'python sub/../../x.py',
  'pytest ..',
  'pytest --rootdir=/ x',
  'pytest --basetemp=../x',
  'ruff check ../other',
  'node ../x.js',
  'node -r ../x.js y.js',
  'node --require=/x.js y.js',
  'node --test ../x',
  'node --env-file=/etc/x a.js',
  'node --env-file ../x a.js',
  'node --test-reporter-destination=/x --test',
  'node --test-reporter /x.js --test',
  'node --import ../x.mjs a.mjs',
  'node --redirect-warnings ok.txt ../evil.js',
  'node --cpu-prof-dir sub/../../x a.js',
  'node --some-option=/x a.js',
  'node inspect ../x.js',
  'node -e 1 --require /x.js',
  'pytest -c /x.ini',
  'pytest -c/x.ini',
  'pytest -qc../x.ini',
  'pytest --rootdir /x',
  'pytest --confcutdir=/x',
  'pytest --junitxml=~/x.xml',
  'pytest --rootdir=$HOME',
  'pytest -o cache_dir=/x',
  'pytest --override-ini=cache_dir=../x',
  'pytest --cov-report=html:/x',
  'pytest --basetemp /x',
  'python -m pytest --basetemp=/x',
  'python -m py.test --rootdir=/x',
  'python -X pycache_prefix=/x a.py',
  'python -Xpycache_prefix=../x a.py',
  'ruff check . -o/x',
  'ruff check . --config "extend = \'/x\'"',
  'git -C .. status',
  'git -C sub -C ../.. status',
  'git diff /dev/null /etc/passwd',
  'git diff a.txt ../b.txt',
  'git diff -- a.txt /etc/passwd',
  'git -C sub diff ../../b.txt',
  'git blame --ignore-revs-file=/etc/passwd a.txt',
  'git blame --ignore-revs-file ../x a.txt',
  'git blame -S /etc/passwd a.txt',
  'git diff -O/etc/passwd',
  'git ls-files -X../x',
  'git ls-files --exclude-from=/etc/passwd',
];

describe('the command policy', () => {
  it.each(ALLOWED)('allows %j without asking', (line) => {
    expect(judge(line)).toEqual({ kind: 'allow' });
  });

  it.each(REFUSED)('refuses %j and says how more can be allowed', (line) => {
    const verdict = judge(line);
    expect(verdict.kind).toBe('deny');
    if (verdict.kind === 'deny') expect(verdict.hint).toMatch(/Allowed are: python.*--allow/);
  });

  it.each(OUTSIDE)('refuses %j, which leads out of the workspace, even when allowed', (line) => {
    for (const allow of [[], ['python', 'pytest', 'ruff', 'node', 'git']]) {
      const verdict = judge(line, allow);
      expect(verdict.kind).toBe('deny');
      if (verdict.kind === 'deny') expect(verdict.reason).toContain('outside the workspace');
    }
  });

  it('allows more on request: a program, a shell, what a rule held back', () => {
    expect(judge('make all', ['make']).kind).toBe('allow');
    expect(judge('bash x.sh', ['bash']).kind).toBe('allow');
    expect(judge('pip install x', ['pip']).kind).toBe('allow');
    expect(judge('python -m pip install x', ['pip']).kind).toBe('allow');
    expect(judge('python3 -m pip install x', ['python']).kind).toBe('deny');
    expect(judge('git commit -m x', ['git']).kind).toBe('allow');
    expect(judge('makex', ['make']).kind).toBe('deny');
  });

  it.each([
    'sudo ls',
    'su root',
    'doas x',
    'mkfs.ext4 /dev/sda',
    'shutdown now',
    '/usr/bin/sudo x',
  ])('never runs %j, even when it is allowed', (line) => {
    const name = path.posix.basename(line.split(' ')[0] ?? '');
    const verdict = judge(line, [name]);
    expect(verdict.kind).toBe('deny');
    if (verdict.kind === 'deny') expect(verdict.reason).toContain('never');
  });

  it('looks for such programs behind shells and wrappers too', () => {
    expect(judge('env sudo ls', ['env']).kind).toBe('deny');
    expect(judge('bash -c "ls; sudo rm x"', ['bash']).kind).toBe('deny');
    expect(judge('bash -c "ls; echo x"', ['bash']).kind).toBe('allow');
  });

  it('says how a file is run to one who would make it runnable', () => {
    const verdict = judge('chmod +x a.py');
    if (verdict.kind === 'allow') throw new Error('allowed');
    expect(verdict.hint).toMatch(
      /^Files need no permission to be run: python FILE\.py or node FILE\.js Allowed are: python,/,
    );
  });

  it('knows Windows names and paths', () => {
    expect(judge('Python.EXE hello.py', [], 'win32').kind).toBe('allow');
    expect(judge('python C:\\ws\\a.py', [], 'win32').kind).toBe('allow');
    expect(judge('python D:\\a.py', [], 'win32').kind).toBe('deny');
    expect(judge('python ..\\a.py', [], 'win32').kind).toBe('deny');
    expect(judge('FORMAT.COM c:', ['format'], 'win32').kind).toBe('deny');
    expect(judge('cmd /c dir', [], 'win32').kind).toBe('deny');
  });

  it.each([
    ['ls', 'list_dir'],
    ['cat a', 'read_file'],
    ['touch a', 'write_file'],
    ['sed -i x', 'edit_file'],
    ['cd x', 'already starts in the workspace'],
  ])('names the tool that does what %j would', (line, tool) => {
    const verdict = judge(line);
    if (verdict.kind === 'allow') throw new Error('allowed');
    expect(verdict.hint).toContain(tool);
  });
});
