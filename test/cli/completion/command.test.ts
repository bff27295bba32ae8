import { expect, test } from 'vitest';
import { SCRIPTS } from '../../../src/cli/completion/command.ts';
import { main } from '../../../src/cli/main.ts';
import { SHELLS } from '../../../src/options/commands.ts';
import { type FakeTerminalOptions, fakeEngine, fakeTerminal } from '../support.ts';

async function agent(words: readonly string[], options: FakeTerminalOptions = {}) {
  const terminal = fakeTerminal(options);
  const exitCode = await main(['completion', ...words], terminal, async () => fakeEngine());
  return { exitCode, stdout: terminal.stdout.text(), stderr: terminal.stderr.text() };
}

test.each(SHELLS)('agent completion %s prints the script, and nothing else', async (shell) => {
  const stdout = SCRIPTS[shell];
  expect(await agent([shell])).toEqual({ exitCode: 0, stdout, stderr: '' });
});

test.each([
  ['/usr/bin/zsh', 'linux', 'eval "$(agent completion zsh)"'],
  ['/usr/local/bin/fish', 'darwin', 'agent completion fish | source'],
  ['/opt/bin/pwsh', 'linux', 'agent completion powershell | Out-String | Invoke-Expression'],
  [undefined, 'win32', 'agent completion powershell | Out-String | Invoke-Expression'],
] as const)(
  'without a word it says what the shell in use (%s on %s) needs',
  async (SHELL, platform, line) => {
    const { exitCode, stdout } = await agent([], { env: { SHELL }, platform });
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`\n  ${line}\n`);
    expect(stdout.match(/put this line into/g)).toHaveLength(1);
  },
);

test('where the shell is not known it says so of all four', async () => {
  const { stdout } = await agent([], { env: { SHELL: '/bin/dash' }, platform: 'linux' });
  expect(stdout.match(/put this line into/g)).toHaveLength(SHELLS.length);
});

test('another word is refused with those that there are', async () => {
  const { exitCode, stdout, stderr } = await agent(['tcsh']);
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toContain('bash, zsh, fish, powershell');
});
