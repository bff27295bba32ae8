import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { agentLab, journalOf, recordsIn, resultOf, stateFile } from '../support/e2e-agent.ts';
import { HELLO_AND_USAGE, HELLO_NODE } from '../support/e2e-goals.ts';
import { MODEL, plansAsked, serve, worker } from '../support/e2e-model.ts';
import type { FakeOllama } from '../support/fake-ollama.ts';

const lab = agentLab();
let server: FakeOllama;
afterEach(() => server?.close());

const { goal } = HELLO_NODE;
const OTHER = 'llama3.2:3b';

async function serveHello(work = HELLO_NODE): Promise<void> {
  server = await serve(worker(work), { models: [{ name: MODEL }, { name: OTHER }] });
}

const where = (model = MODEL) => ['--host', server.url, '--model', model];
const runIdOf = (folder: string) => recordsIn(folder, 'run_opened')[0]?.run;

describe('goals', () => {
  test('A, then B, then A again goes on with the first A, by another model, which is journalled, and names what somebody changed', async () => {
    await serveHello(HELLO_AND_USAGE);
    const folder = lab.folder();
    await lab.here([goal, ...where(), '--max-rounds', '1'], { in: folder });
    const runA = runIdOf(folder);
    const asked = server.chats.length;

    const other = await lab.here(['Say hello, please', ...where()], { in: folder });
    expect(other.stderr).toContain('Finished in');
    expect(runIdOf(folder)).not.toBe(runA);
    const askedForB = server.chats.length - asked;

    const mine = "// Mine.\nconsole.log('Hello');\n";
    writeFileSync(join(folder, 'hello.mjs'), mine);
    const again = await lab.here([`  ${goal} `, ...where(OTHER)], { in: folder });
    expect(again.stderr).toContain('Continuing');
    expect(again.stderr).toContain('Changed by somebody else while the run was down: hello.mjs\n');
    expect(server.chats.at(-1)).toContain('Somebody changed these files');
    expect(readFileSync(join(folder, 'hello.mjs'), 'utf8')).toBe(mine);
    expect(again.stderr).toContain('Done in');
    expect(again.exitCode).toBe(0);
    expect(runIdOf(folder)).toBe(runA);
    expect(plansAsked(server)).toBe(2);
    // How the goal is read is asked in a turn of its own, which is none of the chats.
    expect(recordsIn(folder, 'turn_finished')).toHaveLength(1 + server.chats.length - askedForB);

    const models = server.chats.map((body) => JSON.parse(body).model);
    expect(new Set(models.slice(0, asked + askedForB))).toEqual(new Set([MODEL]));
    expect(new Set(models.slice(asked + askedForB))).toEqual(new Set([OTHER]));
    const settings = recordsIn(folder, 'settings_changed');
    expect(settings.map(({ model }) => model)).toEqual([MODEL, OTHER]);
    expect(settings[1]?.why).toContain('another model');

    const { stdout } = await lab.here(['runs', '--json'], { in: folder });
    const listed: { goal: string; isCurrent: boolean; status: string }[] = JSON.parse(stdout).runs;
    expect(listed.map(({ goal, isCurrent, status }) => [goal, isCurrent, status]).sort()).toEqual([
      ['Say hello, please', false, 'unverified'],
      [goal, true, 'achieved'],
    ]);
  });

  test('a finished one can be read, by people and by programs; it says so, and --again starts over', async () => {
    await serveHello();
    const folder = lab.folder();
    await lab.here([goal, ...where()], { in: folder });
    const run = runIdOf(folder);
    const asked = server.chats.length;
    const before = readFileSync(stateFile(folder, 'history.jsonl'));
    await expectRead(folder);

    const finished = await lab.here([goal, ...where(), '--json'], { in: folder });
    expect(finished.exitCode).toBe(0);
    expect(finished.stderr).toContain('This goal is already finished (achieved)');
    expect(finished.stderr).toContain('--again');
    expect(resultOf(finished)).toMatchObject({ ending: 'already_finished', exitCode: 0 });
    expect(server.chats).toHaveLength(asked);
    expect(readFileSync(stateFile(folder, 'history.jsonl'))).toEqual(before);

    const again = await lab.here([goal, ...where(), '--again', '--tool-mode', 'json'], {
      in: folder,
    });
    expect(again.stderr).toContain('this run changed nothing');
    expect(again.exitCode).toBe(9);
    expect(runIdOf(folder)).not.toBe(run);
    expect(readFileSync(stateFile(folder, join('runs', `${run}.jsonl`)))).toEqual(before);
  });
});

async function expectRead(folder: string): Promise<void> {
  const read = async (...args: string[]) => {
    const { exitCode, stdout } = await lab.here(args, { in: folder });
    expect(exitCode).toBe(0);
    return stdout;
  };

  const status = await read('status');
  expect(status).toContain(goal);
  expect(status).toContain('finished, achieved');
  expect(status).toContain('hello.mjs');
  expect(JSON.parse(await read('status', '--json'))).toMatchObject({
    standing: 'achieved',
    resume: null,
    state: { goal },
  });

  expect(await read('plan')).toContain('write hello.mjs');
  const { plan } = JSON.parse(await read('plan', '--json'));
  expect(plan.proof).toMatchObject({ cmd: 'node ./hello.mjs' });

  const history = (await read('history', '--raw')).trimEnd().split('\n');
  expect(history).toHaveLength(journalOf(folder).length);
  expect(history[0]).toContain(`"goal":${JSON.stringify(goal)}`);
  const file = readFileSync(stateFile(folder, 'history.jsonl'), 'utf8');
  expect(await read('history', '--json')).toBe(file);

  expect(await read('runs')).toMatch(new RegExp(`^\\* {3}1 {2}achieved .* ${goal}\n$`));
}

describe('undo', () => {
  const original = Buffer.from('\ufeffold\r\n\u00e9 no newline at the end');
  const two = {
    subtasks: [
      { action: 'write_file', file: 'diary.txt', purpose: 'holds the notes' },
      { action: 'write_file', file: 'deep/er/more.txt', purpose: 'holds more notes' },
    ],
    files: { 'diary.txt': ['new notes\n'], 'deep/er/more.txt': ['more notes\n'] },
  };
  const GOAL = 'Write my notes into two files';

  async function ranOver(before: Buffer): Promise<string> {
    server = await serve(worker(two));
    const folder = lab.folder();
    writeFileSync(join(folder, 'diary.txt'), before, { mode: 0o640 });
    const command = [GOAL, ...where(), '--tool-mode', 'json', '--keep'];
    const end = await lab.here(command, { in: folder });
    expect(end.stderr).toContain('nothing was run that shows');
    expect(readFileSync(join(folder, 'diary.txt'), 'utf8')).toContain('new notes');
    return folder;
  }

  const expectUndone = (folder: string, before: Buffer) => {
    expect(readFileSync(join(folder, 'diary.txt'))).toEqual(before);
    expect(readdirSync(folder).sort()).toEqual(['.agent_context', 'diary.txt']);
    expect(recordsIn(folder, 'undo_finished')).toHaveLength(1);
    expect(recordsIn(folder, 'file_restored')).toHaveLength(2);
  };

  test('puts back every byte, and asks first', async () => {
    const folder = await ranOver(original);
    const asked = await lab.here(['undo'], { in: folder });
    expect(asked.exitCode).toBe(2);
    expect(asked.stderr).toContain('diary.txt (will be put back)');
    expect(asked.stderr).toContain('agent undo --yes');
    expect(recordsIn(folder, 'undo_started')).toEqual([]);

    const end = await lab.here(['undo', '--yes', '--json'], { in: folder });
    expect(end.exitCode).toBe(0);
    expect(JSON.parse(end.stdout)).toMatchObject({
      outcome: 'undone',
      restored: ['diary.txt'],
      removed: ['deep/er/more.txt'],
      leftAlone: [],
    });
    expectUndone(folder, original);
    const twice = await lab.here(['undo', '--yes'], { in: folder });
    expect(twice.stdout).toContain('undone already');
    const status = await lab.here(['status'], { in: folder });
    expect(status.stdout).toContain('finished, undone');
  });

  test('killed in the middle, it is finished by agent undo, agent resume and the same goal', async () => {
    const folder = await ranOver(original);
    const undo = await lab.startUntil('file_restored:1', ['undo', '--yes'], { in: folder });
    await undo.kill();
    expect(recordsIn(folder, 'undo_finished')).toEqual([]);
    cpSync(folder, `${folder}.killed`, { recursive: true });
    for (const words of [
      ['undo', '--yes'],
      ['resume', ...where()],
      [GOAL, ...where()],
    ]) {
      rmSync(folder, { recursive: true });
      cpSync(`${folder}.killed`, folder, { recursive: true });
      const options = words[0] === 'undo' ? [] : ['--tool-mode', 'json'];
      const end = await lab.here([...words, ...options], { in: folder });
      expect(end.exitCode, words[0]).toBe(0);
      expectUndone(folder, original);
    }
  });
});

test('a file that somebody else makes while the run is down is not overwritten before it was read again', async () => {
  await serveHello();
  const folder = lab.folder();
  const command = [goal, ...where(), '--tool-mode', 'json'];
  // Example and program were tried in the copy; the write is announced and not done.
  const running = await lab.startUntil('action_intended:3', command, { in: folder });
  await running.kill();
  expect(existsSync(join(folder, 'hello.mjs'))).toBe(false);
  writeFileSync(join(folder, 'hello.mjs'), '// mine, and precious\n');
  const end = await lab.here(command, { in: folder });
  expect(end.stderr).toContain('was changed meanwhile and is left alone');
  expect(end.exitCode).toBe(0);
  const [conflict, ...after] = recordsIn(folder, 'action_finished');
  expect(conflict).toMatchObject({ tool: 'write_file', status: 'conflict' });
  const next = after.findIndex((one) => one.tool === 'write_file' && one.status === 'ok');
  const read = after.findIndex((one) => one.tool === 'read_file' && one.status === 'ok');
  expect(read).toBeGreaterThanOrEqual(0);
  expect(next).toBeGreaterThan(read);
  expect(server.chats.some((body) => body.includes('mine, and precious'))).toBe(true);
});
