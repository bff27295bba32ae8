import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ScriptedReply } from '../../support/scripted-provider.ts';
import { chatFolder, talk, write } from './talking.ts';

/** One message whose model does this, as a script would give it. */
async function say(folder: string, text: string, ...work: readonly ScriptedReply[]) {
  const script = (_: unknown, n: number) => work[n - 1] ?? 'Done.';
  const argv = ['--exec', text, '--session', 'talk'];
  const talking = talk(script, { folder, argv, isTerminal: false });
  expect(await talking.ended).toBe(0);
}

async function agent(folder: string, ...argv: readonly string[]) {
  const { ended, terminal } = talk(() => 'not asked', { folder, argv, isTerminal: false });
  const exitCode = await ended;
  return { exitCode, stdout: terminal.stdout.text(), stderr: terminal.stderr.text() };
}

const read = (name: string) => ({ calls: [{ name: 'read_file', args: { path: name } }] });

async function twoMessages(): Promise<{ folder: string; text: (name: string) => string | null }> {
  const folder = chatFolder();
  writeFileSync(join(folder, 'hello.txt'), 'as it was\r\n');
  await say(folder, 'Edit the greeting', read('hello.txt'), write('hello.txt', 'first\n'));
  await say(folder, 'And once more', write('hello.txt', 'second\n'), write('new.txt', 'new\n'));
  const text = (name: string): string | null =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : null;
  return { folder, text };
}

describe('a conversation seen from the shell', () => {
  test('is undone message by message, the last that changed files first, and each undo says so', async () => {
    const { folder, text } = await twoMessages();
    const first = await agent(folder, 'undo', '--yes');
    expect(first.stdout).toContain('its last message that changed files: "And once more"');
    expect([first.exitCode, text('hello.txt'), text('new.txt')]).toEqual([0, 'first\r\n', null]);
    const second = await agent(folder, 'undo', '--yes');
    expect(second.stdout).toContain('"Edit the greeting"');
    expect(text('hello.txt')).toBe('as it was\r\n');
    const third = await agent(folder, 'undo', '--yes');
    expect([third.exitCode, third.stdout]).toEqual([
      0,
      expect.stringContaining('There is nothing to put back'),
    ]);
  });

  test('goes back as a whole with --all, and one file alone by its name', async () => {
    const one = await twoMessages();
    await agent(one.folder, 'undo', 'hello.txt', '--yes');
    expect([one.text('hello.txt'), one.text('new.txt')]).toEqual(['as it was\r\n', 'new\n']);
    const all = await twoMessages();
    const { stdout } = await agent(all.folder, 'undo', '--all', '--yes');
    expect(stdout).toContain('1 file put back, 1 file removed');
    expect([all.text('hello.txt'), all.text('new.txt')]).toEqual(['as it was\r\n', null]);
  });

  test('shows what its messages changed, and how it stands', async () => {
    const { folder } = await twoMessages();
    const { stdout } = await agent(folder, 'diff');
    expect(stdout).toMatch(/hello\.txt \(changed.*\n[\s\S]*-as it was\r?[\s\S]*\+second/);
    const status = await agent(folder, 'status', '1');
    expect(status.stdout).toMatch(/Talk +1 {2}talk\nState +waits for you/);
    expect(status.stdout).toContain('files, by 2 messages');
    await agent(folder, 'undo', '--all', '--yes');
    expect((await agent(folder, 'diff')).stderr).toContain(
      'Nothing is different from before the conversation.',
    );
  });

  test('is told its undo, so that the model reads a file again before it writes it', async () => {
    const { folder } = await twoMessages();
    await agent(folder, 'undo', '--yes');
    const argv = ['--exec', 'What now?', '--session', 'talk'];
    const talking = talk(() => 'Fine.', { folder, argv, isTerminal: false });
    await talking.ended;
    const said = talking.model.requests[0]?.messages.map(({ content }) => content).join('\n');
    expect(said).toContain('The user has put these files back');
  });

  test('is put back from the copies of this user where .agent_context is gone', async () => {
    const { folder, text } = await twoMessages();
    rmSync(join(folder, '.agent_context'), { recursive: true });
    writeFileSync(join(folder, 'hello.txt'), 'by hand\n');
    const asked = await agent(folder, 'undo');
    expect([asked.exitCode, asked.stderr]).toEqual([
      2,
      expect.stringContaining('The state of this folder is lost; these copies are used: '),
    ]);
    const { exitCode, stdout } = await agent(folder, 'undo', '--yes');
    const beside = 'hello.txt.before-session-1';
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining(`hello.txt: ${beside}`)]);
    expect([text('hello.txt'), text(beside), text('new.txt')]).toEqual([
      'by hand\n',
      'as it was\r\n',
      null,
    ]);
  });

  test('an undo in a folder where nothing was done is no success', async () => {
    const { exitCode, stderr } = await agent(chatFolder(), 'undo', '--yes');
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('There is no run in this')]);
  });
});
