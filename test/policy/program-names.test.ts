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
  ['linux', './run.sh x'],
  ['linux', 'sub/.venv/bin/mytool'],
  ['win32', '.\\build.cmd x'],
  ['win32', 'C:\\ws\\build.bat'],
] as const)('on %s no rule is offered for %s, since none would run it', (platform, cmd) => {
  const said = policyIn({ platform }).judgeLine(cmd);
  expect(said).toMatchObject({
    ...{ kind: 'deny', reason: expect.stringContaining('files there are not run as programs') },
    hint: expect.stringMatching(/^Name the program that runs it, and it as a file: .*node FILE/),
  });
  expect(said).not.toHaveProperty('rules');
});

test.each([
  ['linux', '.venv/bin/mytool'],
  ['win32', '.venv\\Scripts\\mytool.exe'],
] as const)('on %s one is offered for %s, which may be run', (platform, cmd) => {
  const said = policyIn({ platform }).judgeLine(cmd);
  expect(said).toMatchObject({
    kind: 'deny',
    rules: [expect.stringMatching(/^run_cmd\(.*mytool/)],
  });
});
