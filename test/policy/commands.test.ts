import { describe, expect, it } from 'vitest';
import { judgeIn, policyIn } from './support.ts';

const judge = judgeIn({});
const judgeOnWindows = judgeIn({ platform: 'win32' });

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
  'npm ls zod',
  'npm list --depth=0 --json',
  'npm explain zod',
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
  'npm start',
  'npm start -- --port 0',
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
  'git grep -n "old name"',
  'git grep -l --untracked name -- src',
  'git reflog',
  'git reflog show -n5',
  'git remote',
  'git remote -v',
  'git stash list --oneline',
];

const REFUSED = [
  'curl http://x',
  'bash x.sh',
  'env X=1 python x.py',
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
  'git checkout .',
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
  'git branch -v new',
  'git branch --set-upstream-to=x',
  'git tag v1',
  'git tag -d v1',
  'git config --list',
  'git stash',
  'git stash drop',
  'git stash list -p',
  'git stash pop list',
  'git remote add o https://x.example',
  'git remote set-url origin https://x.example',
  'git remote show origin',
  'git remote update',
  'git reflog drop',
  'git reflog -p',
  'git grep -O name',
  'git grep -nOless name',
  'git grep --open-files-in-pager=less name',
  'git grep --open name',
  'git grep --no-index name',
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
  'git grep name ../b.txt',
  'git grep -f/etc/passwd name',
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
    expect(judge(line).kind).toBe('allow');
  });

  it.each(REFUSED)('asks for %j and says how it can be allowed', (line) => {
    const verdict = judge(line);
    expect(verdict.kind).toBe('ask');
    expect(verdict.hint).toMatch(/Allowed are: python.*--allow/);
  });

  it.each(OUTSIDE)('refuses %j, which leads out of the workspace, even when allowed', (line) => {
    for (const allow of [[], ['python', 'pytest', 'ruff', 'node', 'git'], ['run_cmd']]) {
      const verdict = judge(line, allow);
      expect(verdict.kind).toBe('deny');
      expect(verdict.reason).toContain('outside the workspace');
    }
  });

  it.each([
    ['make all', 'make'],
    ['bash x.sh', 'bash'],
    ['pip install x', 'pip'],
    ['python -m pip install x', 'pip'],
    ['python -m pip install x', 'pip install *'],
    ['git commit -m x', 'git'],
    ['git commit -m x', 'git commit *'],
    ['git -C sub commit -m x', 'git commit *'],
    ['git push origin dev', 'git push origin dev'],
    ['git push origin dev', 'git push *'],
    ['env X=1 make', 'env X=1 make'],
    ['npx cowsay hi', 'npx cowsay *'],
  ])('allows %j by %j', (line, rule) => {
    expect(judge(line).kind).not.toBe('allow');
    expect(judge(line, [rule]).kind).toBe('allow');
  });

  it.each([
    ['makex', 'make'],
    ['python3 -m pip install x', 'python'],
    ['git push origin dev', 'git'],
    ['git push origin dev', 'run_cmd'],
    ['git -C sub push', 'git *'],
    ['env git push', 'env *'],
    ['env X=1 make', 'make'],
    ['npx cowsay hi', 'cowsay'],
    ['xargs make', 'make'],
    ['git commit --amend', 'git commit *'],
    ['bash -c "git push"', 'bash'],
    ['./make', 'make'],
  ])('does not allow %j by %j', (line, rule) => {
    expect(judge(line, [rule]).kind).not.toBe('allow');
  });

  it.each([
    'sudo ls',
    'su root',
    'doas x',
    'mkfs.ext4 /dev/sda',
    'shutdown now',
    '/usr/bin/sudo x',
  ])('never runs %j, even when it is allowed', (line) => {
    for (const allow of [line, 'run_cmd']) {
      const verdict = judge(line, [allow]);
      expect(verdict.kind).toBe('deny');
      expect(verdict.reason).toContain('never');
    }
  });

  it('looks for such programs behind shells and wrappers too', () => {
    expect(judge('env sudo ls', ['env']).kind).toBe('deny');
    expect(judge('env --unheard-of sudo ls', ['env']).kind).toBe('deny');
    expect(judge('bash --unheard-of "sudo ls"', ['bash']).kind).toBe('deny');
    expect(judge('bash -c "ls; sudo rm x"', ['bash']).kind).toBe('deny');
    expect(judge('bash -c "ls; echo x"', ['bash']).kind).toBe('allow');
    expect(judge('bash -c "ls | $(echo) /usr/bin/sudo x"', ['bash']).kind).toBe('deny');
    expect(judge('bash -c "echo `sudo x`"', ['bash']).kind).toBe('deny');
  });

  it('says how a file is run to one who would make it runnable', () => {
    expect(judge('chmod +x a.py').hint).toMatch(
      /^Files need no permission to be run: python FILE\.py or node FILE\.js Allowed are: python,/,
    );
  });

  it('knows Windows names and paths', () => {
    expect(judgeOnWindows('Python.EXE hello.py').kind).toBe('allow');
    expect(judgeOnWindows('python C:\\ws\\a.py').kind).toBe('allow');
    expect(judgeOnWindows('python D:\\a.py').kind).toBe('deny');
    expect(judgeOnWindows('python ..\\a.py').kind).toBe('deny');
    expect(judgeOnWindows('FORMAT.COM c:', ['format']).kind).toBe('deny');
    expect(judgeOnWindows('cmd /c dir').kind).toBe('ask');
    expect(judgeOnWindows('cmd /c "git push"', ['cmd']).kind).toBe('deny');
    expect(judgeOnWindows('cat a.txt')).toMatchObject({
      kind: 'deny',
      hint: expect.stringContaining('read_file'),
    });
  });

  it.each([
    'cat /etc/passwd',
    'node /etc/x.js',
    'python -m zipfile -e a.zip /etc',
    'git -C / log',
    'git diff /etc/hosts /etc/passwd',
    'timeout 5 python /etc/x.py',
  ])('says for %s that the work lies in the workspace', (line) => {
    expect(judge(line).hint).toContain('Work with files of the workspace.');
  });

  it.each([
    ['touch a', 'write_file'],
    ['sed -i x', 'edit_file'],
    ['cd x', 'already starts in the workspace'],
  ])('names what does what %j would', (line, tool) => {
    expect(judge(line).hint).toContain(tool);
  });
});

describe('what was allowed since', () => {
  const given = ['npm install *', 'git commit *', 'npm install *', 'edit(/a.txt)'];

  it('stands in the reason of another call of its program, for a model and a person', () => {
    expect(judge('npm view zod version', given).reason).toBe(
      'npm view is not allowed, only npm test, npm run NAME and npm ls. Rules allow npm install *.',
    );
    expect(judge('git add -A', given).reason).toBe(
      'git add is not allowed, only git that reads. Rules allow git commit *.',
    );
    expect(judge('curl x', given).reason).not.toContain('Rules allow');
  });

  it('stands in the list of what is allowed', () => {
    expect(judge('curl x', given).hint).toContain(
      'ls-files, npm install *, git commit *. The user',
    );
  });
});

it('a run of tests by cargo is a look, and its builds are none', () => {
  const { isReadOnly } = policyIn({});
  expect(['cargo test -p text', 'cargo t'].map((cmd) => isReadOnly(cmd))).toEqual([true, true]);
  expect(['cargo build', 'cargo add test'].map((cmd) => isReadOnly(cmd))).toEqual([false, false]);
});

describe('a command that only shows what is installed or known', () => {
  it.each([
    ...['npm ls zod', 'npm -s list', 'npm view zod version', 'npm exec npm ls'],
    ...['pip list', 'pip3 show zod', 'python -m pip check'],
  ])('is a look: %s', (cmd) => {
    expect(policyIn({}).isReadOnly(cmd)).toBe(true);
  });

  it.each([
    ...['npm install zod', 'npm ls --prefix /x', 'npm view x --userconfig y', 'npm run ls'],
    ...['pip install x', 'pip list --log=x', 'npm'],
  ])('is none: %s', (cmd) => {
    expect(policyIn({}).isReadOnly(cmd)).toBe(false);
  });

  it('is asked about all the same where it asks a server', () => {
    expect(judge('npm view zod').kind).toBe('ask');
  });
});

it('a denial names what is denied, since other commands of its program may run', () => {
  expect(judge('npm publish --access public').reason).toBe('npm publish is never run unasked.');
  expect(judge('systemctl stop x').reason).toBe('systemctl is never run unasked.');
});
