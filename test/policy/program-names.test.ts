import { describe, expect, it, test } from 'vitest';
import { policyIn } from './support.ts';

describe('a rule names a program as a call does', () => {
  it.each([
    ['linux', 'python3', 'python3 a.py'],
    ['linux', 'python3', 'python a.py'],
    ['linux', 'python3*', 'python3.12 a.py'],
    ['linux', 'pip3 list *', 'pip3 list'],
    ['linux', 'run_cmd(pip3 *)', 'pip list'],
    ['linux', '/usr/bin/node', '/usr/bin/node a.mjs'],
    ['win32', 'node.exe', 'node a.mjs'],
    ['win32', 'Node', 'node.exe a.mjs'],
    ['win32', 'npm.cmd test', 'npm test'],
  ] as const)('on %s a denial of %s holds back %s', (platform, rule, cmd) => {
    const said = policyIn({ platform, rules: { user: { deny: [rule] } } }).judgeLine(cmd);
    expect(said).toMatchObject({ kind: 'deny', reason: expect.stringContaining('A rule of') });
  });

  it.each([
    ['linux', 'pip3 install *', 'pip3 install zod'],
    ['linux', "'git commit *'", 'git commit -m x'],
    ['win32', '"make all"', 'make all'],
    ['win32', 'cmd.exe /c *', 'cmd.exe /c "echo a b"'],
    ['win32', 'cmd.exe /c dir', 'cmd /c dir'],
  ] as const)('on %s %s allows %s', (platform, rule, cmd) => {
    const said = policyIn({ platform, rules: { user: { allow: [rule] } } }).judgeLine(cmd);
    expect(said.kind).toBe('allow');
  });
});

test.each([
  ['linux', './run x', /^Name the program that runs it, and it as a file: .*node FILE/],
  ['linux', 'sub/.venv/bin/mytool', /^Name the program that runs it/],
  ['linux', './run.sh x', /^It can be asked for as sh \.\/run\.sh, which needs a yes\.$/],
  ['win32', '.\\build.cmd x', /^It can be asked for as cmd \/c build\.cmd, which needs/],
  ['linux', './gradlew test', /^It can be asked for as bash \.\/gradlew, which needs a yes\.$/],
  ['linux', 'bin/rails test', /: ruby bin\/rails$/],
  ['linux', 'bin/odd', /: .*node FILE/],
  ['win32', 'C:\\ws\\build.exe', /^Name the program that runs it/],
  ['win32', './gradlew test', /^It can be asked for as cmd \/c gradlew\.bat, which needs/],
] as const)('on %s no rule is offered for %s, since none would run it', (platform, cmd, hint) => {
  const files = {
    gradlew: '#!/usr/bin/env bash\nexec java\n',
    'gradlew.bat': '@echo off\r\n',
    'bin/rails': '#!/usr/bin/env -S RUBYOPT=-w ruby --yjit\n',
    'bin/odd': '#!/bin/ba;sh "x"\n',
  };
  const said = policyIn({ platform, files }).judgeLine(cmd);
  expect(said).toMatchObject({
    ...{ kind: 'deny', reason: expect.stringContaining('files there are not run as programs') },
    hint: expect.stringMatching(hint),
  });
  expect(said).not.toHaveProperty('rules');
  const ofShell = said.kind === 'deny' && /as (.*), which needs/.exec(said.hint)?.[1];
  if (ofShell) expect(policyIn({ platform, files }).judgeLine(ofShell).kind).toBe('ask');
});

test.each([
  ['linux', 'npm run build'],
  ['linux', 'timeout 5 ./run.sh'],
  ['linux', 'sh -c ./run.sh'],
  ['linux', '.venv/bin/mytool'],
  ['win32', '.venv\\Scripts\\mytool.exe'],
] as const)('on %s one is offered for %s, which may be run', (platform, cmd) => {
  const files = { 'package.json': '{"scripts":{"build":"./run.sh"}}', 'run.sh': '' };
  const { kind, rules = [] } = { rules: [], ...policyIn({ platform, files }).judgeLine(cmd) };
  expect([kind, rules.length]).toEqual(['deny', 1]);
  const allowed = policyIn({ platform, files, rules: { user: { allow: rules } } }).judgeLine(cmd);
  expect(allowed.kind).not.toBe('deny');
});

test.each([
  ['npx jest tests/format/js', 'npx jest *'],
  ['npx biome format .', 'npx biome *'],
  ['uv run ruff format .', 'uv run *'],
  ['env X=1 pytest tests/shutdown', 'env *'],
  ['timeout 60 pytest -k reboot', 'pytest'],
  ['bash -c "npx jest tests/format"', 'bash'],
  ['bash tests/format/run.sh', 'bash'],
])('in %j an argument is not taken for a program that never runs', (line, rule) => {
  const allow = [rule, 'npx jest *', 'pytest'];
  expect(policyIn({ rules: { user: { allow } } }).judgeLine(line).kind).not.toBe('deny');
});
