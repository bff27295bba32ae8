/** What a command does to files that were there before. No word of the goal decides anything. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RunGoalOptions, runGoal } from '../../../src/agent.ts';
import { commandFiles } from '../../../src/run/stream/changed-files.ts';
import type { JournalRecord } from '../../../src/schema/records.ts';
import { diligentModel } from '../../support/models.ts';
import { realMachine } from '../../support/real-run.ts';
import { SCRIPTED_MODEL, scriptedProvider } from '../../support/scripted-provider.ts';
import { someKills } from '../../support/some-kills.ts';

const NOTES = 'call Ole\n';
const GOAL = 'Write step.mjs and run it';

let workspace = '';
const place = (path: string): string => join(workspace, path);
const read = (path: string): string => readFileSync(place(path), 'utf8');
beforeEach(() => {
  workspace = realpathSync(mkdtempSync(join(tmpdir(), 'guard-files-')));
  writeFileSync(place('notes.txt'), NOTES);
  writeFileSync(place('moved.txt'), 'here\n');
  writeFileSync(place('added.txt'), 'mine\n');
  writeFileSync(place('.gitignore'), 'secret.txt\nignored.csv\n');
  writeFileSync(place('ignored.csv'), 'mine\n');
  writeFileSync(place('secret.txt'), 'mine\n');
  writeFileSync(place('picture.bin'), Buffer.from([0, 255, 1, 254]));
  mkdirSync(place('old/deep'), { recursive: true });
  writeFileSync(place('old/deep/a.txt'), 'a\n');
  writeFileSync(place('old/b.txt'), 'b\n');
});
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

/** A model that writes a script and runs it. */
async function run(
  code: string,
  toolMode: 'json' | 'native',
  { goal = GOAL, more = {} as Partial<RunGoalOptions>, cmd = 'node step.mjs' } = {},
) {
  const script = `import fs from 'node:fs';\n${code}\nconsole.log('done');\n`;
  const provider = scriptedProvider(
    diligentModel({
      subtasks: [
        { action: 'write_file', file: 'step.mjs', purpose: 'the script' },
        { action: 'run_cmd', cmd, purpose: 'run it' },
      ],
      verify: { cmd, prints: 'done' },
      files: { 'step.mjs': [script] },
    }),
  );
  const told: JournalRecord[] = [];
  const notices: string[] = [];
  const result = await runGoal({
    ...{ goal, workspace, provider, toolMode, model: SCRIPTED_MODEL, machine: realMachine() },
    // What is not proved stays, so that only what was put back at once is as before.
    keep: true,
    emit: (event) => {
      if (event.type === 'notice') notices.push(event.text);
      if (event.type === 'record') told.push(event.record);
    },
    ...more,
  });
  return { result, notices, told };
}

/** Each way to lose a file, of which each line is one. */
const LOSES = `
fs.rmSync('picture.bin', { force: true });
fs.writeFileSync('notes.txt', 'gone');
fs.writeFileSync('ignored.csv', 'gone');
fs.rmSync('secret.txt', { force: true });
fs.rmSync('old', { recursive: true, force: true });
if (fs.existsSync('moved.txt')) fs.renameSync('moved.txt', 'said.txt');
fs.writeFileSync('said.txt', 'x');
fs.appendFileSync('added.txt', 'more\\n');`;
const LOST = [
  ...['ignored.csv', 'moved.txt', 'notes.txt', 'old/b.txt', 'old/deep/a.txt', 'picture.bin'],
  'secret.txt',
];

describe('a command', () => {
  it('that removes files, a folder or what is no text, or writes over one, is made good where the engine leads', async () => {
    const before = LOST.map((path) => readFileSync(place(path)));
    for (const path of LOST) chmodSync(place(path), 0o751);
    const { result, notices } = await run(LOSES, 'json');
    expect(LOST.map((path) => readFileSync(place(path)))).toEqual(before);
    // What was only added to it is not taken from it.
    expect(read('added.txt').startsWith('mine\nmore\n')).toBe(true);
    if (process.platform !== 'win32')
      for (const path of LOST)
        expect([path, statSync(place(path)).mode & 0o777]).toEqual([path, 0o751]);
    expect(notices.join('\n')).toMatch(/as before again/);
    for (const path of LOST) expect(result.detail).not.toContain(path);
    expect([...commandFiles(result.state).putBack].sort()).toEqual(LOST);
    // Where what it was is kept, as somebody else may have written it.
    const [, blob = ''] = /notes\.txt: (blobs\/[0-9a-f]{64})/.exec(notices.join('\n')) ?? [];
    expect(read(join('.agent_context', blob))).toBe('gone');
    expect(notices.join('\n')).toContain('ignored.csv and notes.txt were changed');
  });

  it('that does so is told, and keeps a model that leads from a claim', async () => {
    const { result, notices } = await run(LOSES, 'native');
    expect(result).toMatchObject({ ending: 'unverified' });
    const { changed, removed } = commandFiles(result.state);
    expect([...changed, ...removed].sort()).toEqual(['added.txt', ...LOST]);
    expect(result.detail).toContain('notes.txt');
    expect(notices.join('\n')).toContain('notes.txt');
    expect(notices.join('\n'), 'is said to the model alone').not.toContain('Put back');
  });

  it('may change a file that the goal names, and not remove it', async () => {
    const goal = 'Write step.mjs for notes.txt';
    const changed = await run("fs.writeFileSync('notes.txt', 'new');", 'native', { goal });
    expect(changed.result.detail).not.toContain('a command');
    expect(read('notes.txt')).toBe('new');
    writeFileSync(place('notes.txt'), NOTES);
    rmSync(place('.agent_context'), { recursive: true });
    rmSync(place('step.mjs'));
    const removed = await run("fs.rmSync('notes.txt', { force: true });", 'json', { goal });
    expect(read('notes.txt')).toBe(NOTES);
    expect(removed.notices.join('\n')).toContain('notes.txt');
  });

  it('that moves a file, adds to a log, and removes what it made, loses nothing', async () => {
    writeFileSync(place('app.log'), 'old\n');
    const { result, notices } = await run(
      `if (fs.existsSync('moved.txt')) fs.renameSync('moved.txt', 'said.txt');
fs.appendFileSync('app.log', 'x');
fs.writeFileSync('x.txt', '1'); fs.rmSync('x.txt');`,
      'json',
    );
    expect(result.detail).not.toContain('a command');
    expect(notices.join('\n')).not.toContain('a command ran');
    expect([existsSync(place('moved.txt')), read('said.txt')]).toEqual([false, 'here\n']);
  });

  it.each(someKills(['json', 'native'] as const, 2))(
    'that a rule of the user names may do it (%s)',
    async (toolMode) => {
      const given = { allow: ['node step.mjs'] };
      const { result, notices } = await run("fs.rmSync('notes.txt', { force: true });", toolMode, {
        more: given,
      });
      expect(existsSync(place('notes.txt'))).toBe(false);
      expect(notices.join('\n')).not.toContain('a command ran');
      expect(result.detail).not.toContain('a command ran');
    },
  );

  it('whose program alone a rule names may not', async () => {
    const { result } = await run("fs.rmSync('notes.txt', { force: true });", 'native', {
      more: { allow: ['node *'] },
    });
    expect(result.detail).toContain('while a command ran, notes.txt was removed');
  });

  it.skipIf(process.platform === 'win32').each(['rm notes.txt', 'git rm notes.txt'])(
    'that asks and that nobody allowed removes nothing: %s',
    async (cmd) => {
      const { result } = await run('', 'native', { cmd });
      expect(read('notes.txt')).toBe(NOTES);
      expect(result.ending).not.toBe('achieved');
    },
  );

  it.skipIf(process.platform === 'win32')(
    'that a rule lets run which asks else may do it',
    async () => {
      const { notices } = await run('', 'json', { cmd: 'rm notes.txt', more: { allow: ['rm *'] } });
      expect(existsSync(place('notes.txt'))).toBe(false);
      expect(notices.join('\n')).not.toContain('a command ran');
    },
  );

  it('may remove what a rule lets go', async () => {
    const { result } = await run("fs.rmSync('old', { recursive: true, force: true });", 'native', {
      more: { allow: ['remove(old/**)'] },
    });
    expect(existsSync(place('old'))).toBe(false);
    expect(result.detail).not.toContain('a command');
  });
});
