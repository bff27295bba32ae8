import { describe, expect, it } from 'vitest';
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
    ['win32', 'cmd.exe /c *', 'cmd.exe /c "echo a b"'],
    ['win32', 'cmd.exe /c dir', 'cmd /c dir'],
  ] as const)('on %s %s allows %s', (platform, rule, cmd) => {
    const said = policyIn({ platform, rules: { user: { allow: [rule] } } }).judgeLine(cmd);
    expect(said.kind).toBe('allow');
  });
});
