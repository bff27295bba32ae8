import { appendFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compare } from '../../src/cli/demo/compare.ts';
import { main } from '../../src/cli/main.ts';
import type { ProgramRunner } from '../../src/host/engine-port.ts';
import type { ProcessRequest } from '../../src/processes/contract.ts';
import type { Resolution } from '../../src/processes/programs/locate.ts';
import { scriptedRun } from './script.ts';
import { fakeEngine, fakeTerminal } from './support.ts';

const RECORDS = scriptedRun().flatMap((event) => (event.type === 'record' ? [event.record] : []));
const LINES = RECORDS.map((record) => JSON.stringify(record));
const KILLED_AFTER = RECORDS.findIndex((record) => record.type === 'action_finished') + 1;

/** A child that writes a journal: up to its place and then waits for its death, or to the end. */
function fakeChild(kill: AbortSignal, second: readonly string[], here: readonly string[]) {
  const requests: ProcessRequest[] = [];
  const outcome = { signal: null, output: '', truncatedBytes: 0, durationMs: 1 };
  const runner: ProgramRunner = {
    run: async (request, hooks) => {
      requests.push(request);
      const state = join(request.cwd, '.agent_context');
      mkdirSync(state, { recursive: true });
      const write = (lines: readonly string[]) =>
        appendFileSync(join(state, 'history.jsonl'), lines.map((line) => `${line}\n`).join(''));
      hooks.onSpawn?.(4711, 'start');
      hooks.onOutput(`run ${requests.length} speaks\n✓ Done in 1 s\nDone in 1 s\n`);
      if (requests.length > 1) {
        write(second);
        return { ...outcome, kind: 'exited', exitCode: 0 };
      }
      write(LINES.slice(0, KILLED_AFTER));
      await new Promise<void>((resolve) => kill.addEventListener('abort', () => resolve()));
      return { ...outcome, kind: 'exited', exitCode: null };
    },
    place: { boot: 'today', pidNamespace: '', isGated: true },
    outside: { find: async (name) => foundIn(here, name), environment: () => ({}) },
  };
  return { runner, requests };
}

const foundIn = (here: readonly string[], name: string): Resolution =>
  here.includes(name)
    ? { kind: 'found', file: `/bin/${name}`, prefix: [], notice: '' }
    : { kind: 'missing', reason: `No ${name}.`, hint: '' };

const demo = (second: readonly string[], ...words: string[]) => demoWith(['node'], second, words);

async function demoWith(
  here: readonly string[],
  second: readonly string[],
  words: readonly string[],
  more: { readonly [name: string]: string } = {},
) {
  const killed = new AbortController();
  const child = fakeChild(killed.signal, second, here);
  const base = fakeTerminal({ env: { LANG: 'C.UTF-8', HOME: '/home/me', ...more } });
  const kills: number[] = [];
  const terminal = {
    ...base,
    clock: { ...base.clock, sleep: () => new Promise<void>((resolve) => setImmediate(resolve)) },
    kill: (pid: number) => {
      kills.push(pid);
      killed.abort();
    },
  };
  const engine = fakeEngine({ parts: { programs: async () => child.runner } });
  const exitCode = await main(['demo', ...words], terminal, () => Promise.resolve(engine));
  const folder = child.requests[0]?.cwd ?? '';
  const isKept = existsSync(folder);
  rmSync(folder, { recursive: true, force: true });
  return {
    exitCode,
    kills,
    isKept,
    stdout: base.stdout.text(),
    stderr: base.stderr.text(),
    ...child,
  };
}

test('the demo kills its run at a journalled moment, resumes it and says what was not repeated', async () => {
  const { exitCode, stdout, kills, requests, isKept } = await demo(LINES.slice(KILLED_AFTER));
  expect(exitCode).toBe(0);
  expect(kills).toEqual([4711]);
  expect(stdout).toContain("The model's answers in this demo are recorded");
  expect(stdout).toContain('    run 1 speaks\n    ✓ Done in 1 s\n\n2. ');
  expect(stdout).toMatch(/The last that was done: write/);
  expect(stdout).toContain(`Its journal has ${KILLED_AFTER} records`);
  expect(stdout).toMatch(/run again: +nothing/);
  expect(stdout).toContain('all there, unchanged');
  expect(stdout).toContain('with a model of your own');
  expect(isKept).toBe(true);
  const [first, second] = requests;
  expect(first?.args.slice(1, 2)).toEqual(['run']);
  expect(first?.env.TARDIGRADE_HOLD_AFTER).toBe('action_finished:1');
  expect(second?.args.slice(1, 2)).toEqual(['resume']);
  expect(second?.env).not.toHaveProperty('TARDIGRADE_HOLD_AFTER');
});

test('the demo pauses after each record as long as the eye needs, or as the environment says', async () => {
  const paceWith = async (more: { readonly [name: string]: string }) => {
    const { requests } = await demoWith(['node'], LINES.slice(KILLED_AFTER), [], more);
    return requests.map(({ env }) => env.TARDIGRADE_PACE_MS);
  };
  expect(await paceWith({})).toEqual(['120', '120']);
  expect(await paceWith({ TARDIGRADE_PACE_MS: '0' })).toEqual(['0', '0']);
});

test('the demo does not hide a repeated action: it names it and fails', async () => {
  const again = LINES.filter((line) => line.includes('"action_intended"')).slice(0, 1);
  const { exitCode, stdout } = await demo([...LINES.slice(KILLED_AFTER), ...again]);
  expect(stdout).toMatch(/run again: +action 1\.1#1#0 \(write_file\)/);
  expect(exitCode).toBe(3);
});

test('--clean removes the folder', async () => {
  const { exitCode, isKept } = await demo(LINES.slice(KILLED_AFTER), '--clean');
  expect([exitCode, isKept]).toEqual([0, false]);
});

test('a record that changed after the kill is noticed', () => {
  const parse = (line: string) => RECORDS.find((record) => JSON.stringify(record) === line) ?? null;
  const kept = LINES.slice(0, 3);
  expect(compare(kept, LINES, parse).isPrefixKept).toBe(true);
  expect(compare(kept, [...LINES.slice(0, 2), '{}'], parse).isPrefixKept).toBe(false);
});

test.each([
  [['node', 'python', 'pytest'], [], 'javascript.json'],
  [['python', 'pytest'], [], 'python.json'],
  [['python'], [], 'python-unittest.json'],
  [['node', 'python'], ['--python'], 'python-unittest.json'],
])('where %j is there, and %j is typed, the demo plays %s', async (here, words, recording) => {
  const { requests } = await demoWith(here, LINES.slice(KILLED_AFTER), words);
  expect(requests[0]?.args.find((word) => word.startsWith('recorded:'))).toMatch(
    new RegExp(`[/\\\\]${recording}$`),
  );
});

test('where neither Node nor Python is there, the demo begins nothing and says so in one line', async () => {
  const { exitCode, requests, stderr } = await demoWith([], [], []);
  expect([exitCode, requests.length]).toEqual([2, 0]);
  expect(stderr).toMatch(/^Error: The demo needs Node.js or Python, and neither was found\.\n/);
});
