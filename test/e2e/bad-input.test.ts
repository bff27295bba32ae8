import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CHAIN_START, encodeLine } from '../../src/journal/lines/framing.ts';
import { decodeSnapshot } from '../../src/journal/snapshot.ts';
import { type AgentEnd, agentLab, journalOf, recordsIn, stateFile } from '../support/e2e-agent.ts';
import { HELLO_NODE } from '../support/e2e-goals.ts';
import { MODEL, serve, worker } from '../support/e2e-model.ts';
import type { FakeOllama } from '../support/fake-ollama.ts';

const lab = agentLab();
const { goal } = HELLO_NODE;
let server: FakeOllama;
beforeAll(async () => {
  server = await serve(worker(HELLO_NODE));
});
afterAll(() => server.close());

const command = () => [goal, '--host', server.url, '--model', MODEL];

/** One clear message with the next step, no stack, nothing on stdout. */
function expectRefusal(end: AgentEnd, exitCode: number, message: RegExp): void {
  expect(end.stderr).toMatch(message);
  expect(end.stderr).toMatch(/^ {2}Next: \S/m);
  expect(end.stderr.match(/^Error: /gm)).toHaveLength(1);
  expect(end.stderr).not.toMatch(/^\s+at .+:\d+/m);
  expect(end.stdout).toBe('');
  expect(end.exitCode).toBe(exitCode);
}

/** Every file of a folder with its bytes; the lock comes and goes with each start. */
function bytesBelow(folder: string): { readonly [path: string]: string } {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.endsWith('lock'))
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(files.sort().map((file) => [file, readFileSync(file).toString('hex')]));
}

describe('a command line that says nothing usable is refused with exit code 2', () => {
  test.each([
    ['an empty goal', [''], /No goal was given/],
    ['a goal of blanks', ['   '], /No goal was given/],
    ['no goal', [], /No goal was given/],
    ['an unknown flag', [goal, '--modle', 'x'], /--modle/],
    ['a workspace that is a file', [goal, '--workspace', 'a file.txt'], /is a file, not a folder/],
    ['a workspace that is not there', [goal, '-w', 'nowhere'], /does not exist/],
    ['a host that is nonsense', [goal, '--host', 'ht!tp://x y'], /Ollama host .* cannot be used/],
    [
      'a number that is none',
      [goal, '--max-rounds', 'many'],
      /--max-rounds must be a whole number/,
    ],
    ['nothing to resume', ['resume'], /no run to resume/],
  ] as const)('%s', async (_, args, message) => {
    const folder = lab.folder({ 'a file.txt': 'precious' });
    expectRefusal(await lab.here(args, { in: folder }), 2, message);
    expect(readdirSync(folder)).toEqual(['a file.txt']);
  });

  test('a folder that cannot hold the state', async () => {
    const folder = lab.folder({ '.agent_context': 'precious' });
    expectRefusal(
      await lab.here(command(), { in: folder }),
      2,
      /\.agent_context is a file; the state of a run is kept in a folder of that name/,
    );
    expect(readFileSync(join(folder, '.agent_context'), 'utf8')).toBe('precious');
  });
});

describe('a model that cannot be had is exit code 7', () => {
  test('Ollama does not run', async () => {
    const folder = lab.folder();
    const gone = await serve(worker(HELLO_NODE));
    await gone.close();
    const end = await lab.here([goal, '--host', gone.url, '--model', MODEL], { in: folder });
    expectRefusal(end, 7, new RegExp(`${gone.url.slice('http://'.length)}`));
    expect(end.stderr).toMatch(/^ {2}(?:Again|Resume): agent /m);
  });

  test('the model is not installed', async () => {
    const folder = lab.folder();
    const end = await lab.here([goal, '--host', server.url, '--model', 'nope:1b'], { in: folder });
    expectRefusal(end, 7, /no model nope:1b/);
    expect(end.stderr).toContain('ollama pull nope:1b');
    expect(end.stderr).toContain(`Installed: ${MODEL}`);
  });

  test('no model is installed at all', async () => {
    const empty = await serve(worker(HELLO_NODE), { models: [] });
    const end = await lab.here([goal, '--host', empty.url], { in: lab.folder() });
    await empty.close();
    expectRefusal(end, 7, /No model is installed/);
  });
});

describe('state that cannot be used is left as it is, with exit code 8', () => {
  /** A folder with a run that stands in the middle. */
  async function pausedRun(): Promise<string> {
    const folder = lab.folder();
    await lab.here([...command(), '--tool-mode', 'native', '--max-rounds', '1'], { in: folder });
    return folder;
  }

  function flip(file: string, at: number): void {
    const bytes = readFileSync(file);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(file, bytes);
  }

  test('a flipped byte in the journal; agent repair then saves what is good', async () => {
    const folder = await pausedRun();
    const history = stateFile(folder, 'history.jsonl');
    flip(history, Math.floor(statSync(history).size / 2));
    const before = bytesBelow(folder);
    for (const args of [command(), ['resume', '--host', server.url], ['undo', '--yes']]) {
      const end = await lab.here(args, { in: folder });
      expectRefusal(end, 8, /history\.jsonl is damaged at byte \d+/);
      expect(end.stderr).toContain('agent repair');
      expect(bytesBelow(folder)).toEqual(before);
    }
    const repair = await lab.here(['repair', '--yes'], { in: folder });
    expect(repair.stdout).toMatch(/^Repaired: \d+ records? kept/);
    const end = await lab.here(command(), { in: folder });
    // What cannot be read is bridged by the state that has seen it, or cut off.
    expect(end.stderr).toContain('Continuing');
    expect(end.exitCode).toBe(0);
  });

  test('a newer version wrote the journal', async () => {
    const folder = await pausedRun();
    const history = stateFile(folder, 'history.jsonl');
    const [opened] = journalOf(folder);
    const { c: _, ...record } = { ...opened, format: 99 } as unknown as { c: string };
    writeFileSync(history, encodeLine(record as never, CHAIN_START).bytes);
    const before = bytesBelow(folder);
    const end = await lab.here(command(), { in: folder });
    expectRefusal(end, 8, /written by a newer version/);
    expect(bytesBelow(folder)).toEqual(before);
  });

  test('a journal that is gone, while its snapshot is there', async () => {
    const folder = await pausedRun();
    renameSync(stateFile(folder, 'history.jsonl'), join(folder, 'elsewhere'));
    const before = bytesBelow(folder);
    expectRefusal(await lab.here(command(), { in: folder }), 8, /history\.jsonl is missing/);
    expect(bytesBelow(folder)).toEqual(before);
  });
});

test('a flipped byte in the snapshot costs nothing: the journal counts, and the next view takes its place', async () => {
  const folder = lab.folder();
  const paused = await lab.here([...command(), '--tool-mode', 'native', '--max-rounds', '1'], {
    in: folder,
  });
  expect(paused.exitCode).toBe(4);
  const state = stateFile(folder, 'state.json');
  const bytes = readFileSync(state);
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
  writeFileSync(state, bytes);
  const end = await lab.here(['resume', '--host', server.url], { in: folder });
  expect(end.stderr).toContain('Done in');
  expect(end.exitCode).toBe(0);
  expect(readdirSync(stateFile(folder, 'quarantine'))).toEqual([]);
  expect(decodeSnapshot(readFileSync(state))).toMatchObject({ synced: true });
});

describe('a full disk', () => {
  const disks: string[] = [];
  afterEach(() => {
    for (const disk of disks.splice(0)) spawnSync('umount', ['-l', disk]);
  });

  /** A file system of its own, of this size; `null` where we may not mount one. */
  function smallDisk(size: string): string | null {
    const disk = join(dirname(lab.folder()), `disk ${disks.length}`);
    mkdirSync(disk, { recursive: true });
    const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', disk]);
    if (status !== 0) return null;
    disks.push(disk);
    return disk;
  }

  test('pauses the run with exit code 8; with space again it goes on', async (context) => {
    const disk = smallDisk('100k');
    if (disk === null) return context.skip('no small file system can be mounted here');
    // Every line another one: a model that repeats itself is cut off.
    const filler = Array.from({ length: 5000 }, (_, index) => `// filler ${index * index}\n`);
    const huge = { 'hello.mjs': [`${filler.join('')}console.log('Hello');\n`] };
    const write = worker({ ...HELLO_NODE, files: huge });
    const filling = await serve((request, n) => ({ ...write(request, n), pieceLength: 8000 }));
    const where = ['--host', filling.url, '--model', MODEL, '--tool-mode', 'json'];
    const end = await lab.here([goal, ...where], { in: disk });
    expect(end.stderr).toMatch(/disk is full|no space/i);
    expect(end.exitCode).toBe(8);
    expect(end.stderr).toMatch(/(?:Again|Resume): agent /);
    expect(end.stderr).not.toMatch(/^\s+at .+:\d+/m);
    const before = readFileSync(stateFile(disk, 'history.jsonl'));
    spawnSync('mount', ['-o', 'remount,size=8m', disk]);
    const again = await lab.here([goal, ...where], { in: disk });
    await filling.close();
    expect(again.stderr).toContain('Done in');
    expect(again.exitCode).toBe(0);
    const after = readFileSync(stateFile(disk, 'history.jsonl'));
    expect(after.subarray(0, before.length)).toEqual(before);
    // Only the turn whose answer found no room was asked again.
    const askedTwice = filling.chats.length - recordsIn(disk, 'turn_finished').length;
    expect(askedTwice).toBeLessThanOrEqual(1);
  });
});
