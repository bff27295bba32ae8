import { existsSync, readFileSync } from 'node:fs';
import { execa } from 'execa';
import { afterEach, expect, test } from 'vitest';
import { traitsOf } from '../../src/schema/driver.ts';
import { agentLab, recordsIn, resultOf, stateFile } from '../support/e2e-agent.ts';
import { FOLDER, GAME, HELLO, type Walkthrough } from '../support/e2e-goals.ts';
import { MODEL, overOllama, plansAsked, serve, worker } from '../support/e2e-model.ts';
import type { FakeOllama } from '../support/fake-ollama.ts';
import { hasPython } from '../support/installed.ts';
import { inOneReply, workingModel } from '../support/models.ts';

const lab = agentLab();
/** What the answer of FOLDER tells. */
const FRUIT = { 'apples.txt': 'a', 'pears.txt': 'p' };
let server: FakeOllama;
afterEach(() => server?.close());

/** What a person sees of one goal, worked on in a fresh folder. */
async function walk(work: Walkthrough, mode: string, folder = lab.folder(), ...more: string[]) {
  // One whose answer is wanted has to see first.
  const script = workingModel(work);
  server = await serve(overOllama(work.answer ? script : inOneReply(script)));
  const where = ['--host', server.url, '--model', MODEL, '--tool-mode', mode];
  // As a process where a script is written: the others tell what is done and said, not how it is started.
  const start = work === HELLO ? lab.agent : lab.here;
  return { folder, ...(await start([work.goal, ...where, ...more], { in: folder })) };
}

const roundsOf = (folder: string): number => recordsIn(folder, 'round_started').length;

const unless = hasPython ? '' : ' (skipped: no python here)';

test.runIf(hasPython)(`a hello world script is written in 2 or 3 rounds${unless}`, async () => {
  const { folder, exitCode, stdout, stderr } = await walk(HELLO, 'native');
  expect(stderr).toContain('Done in');
  expect(exitCode).toBe(0);
  // What the model says of its work, where it does, stands below.
  expect(stdout).toMatch(/^Done in .*\n/);
  expect([2, 3]).toContain(roundsOf(folder));
  const script = await execa('python', ['hello_world.py'], { cwd: folder });
  expect(script.stdout).toBe('Hello, World!');
  expect(server.violations).toEqual([]);
  const settings = recordsIn(folder, 'settings_changed');
  expect(settings.map((one) => traitsOf(one).mode)).toEqual(['native']);
});

test.runIf(hasPython)(
  `a game is written and played through stdin in at most 8 rounds${unless}`,
  async () => {
    const { folder, exitCode, stderr } = await walk(GAME, 'json');
    // Nothing of the goal can be held against it.
    expect(exitCode, stderr).toBe(9);
    expect(roundsOf(folder)).toBeLessThanOrEqual(8);
    const proof = recordsIn(folder, 'check_ran').find((check) => check.proof);
    expect(proof).toMatchObject({ passed: true, check: { stdin: 'rock\nquit\n' } });
    const program = ['rock_paper_scissors.py'];
    const game = await execa('python', program, { cwd: folder, input: 'paper\nquit\n' });
    expect(game.stdout).toContain('You chose paper');
    expect(game.stdout).toContain('Goodbye!');
  },
);

test('a goal whose result is a text has it on stdout', async () => {
  const { exitCode, stdout, stderr } = await walk(FOLDER, 'native', lab.folder(FRUIT));
  expect(stderr).toContain('Answered in');
  expect(stdout).toBe(`${FOLDER.answer}\n`);
  expect(exitCode).toBe(10);
  expect(server.chats.some((chat) => chat.includes('pears.txt'))).toBe(true);
});

test('--json ends with the result as its last line', async () => {
  const end = await walk(FOLDER, 'json', lab.folder(FRUIT), '--json');
  const lines = end.stdout.trimEnd().split('\n');
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    ...{ type: 'started', goal: FOLDER.goal, resumed: false },
    permissions: { asks: 'nobody' },
  });
  expect(resultOf(end)).toMatchObject({
    type: 'result',
    exitCode: 10,
    ending: 'answered',
    answer: FOLDER.answer,
    error: null,
    resume: null,
  });
  const { folder } = end;
  const onDisk = readFileSync(stateFile(folder, 'history.jsonl'), 'utf8').trimEnd().split('\n');
  const records = lines.map((line) => JSON.parse(line)).filter(({ type }) => type === 'record');
  expect(records).toHaveLength(onDisk.length);
});

test('without any option it takes the installed model, leads it as it is small, and records why', async () => {
  server = await serve(worker(FOLDER));
  const folder = lab.folder(FRUIT);
  const { exitCode, stderr } = await lab.here([FOLDER.goal], {
    in: folder,
    env: { OLLAMA_HOST: server.url },
  });
  expect(stderr).not.toContain('gpt-oss');
  expect(stderr).toContain(MODEL);
  expect(readFileSync(stateFile(folder, 'history.jsonl'), 'utf8')).toMatch(
    /"why":"guided: it has 1\.5 billion parameters/,
  );
  // The first question is a plain try.
  expect(server.chat(0).format).toBeUndefined();
  expect(server.chat(1)).toMatchObject({ format: expect.anything() });
  expect(server.chat(1).tools).toBeUndefined();
  expect(exitCode).toBe(10);
  expect(plansAsked(server)).toBe(1);
  for (const name of ['history.jsonl', 'state.json', 'loops.json', 'agent.log'])
    expect(existsSync(stateFile(folder, name)), name).toBe(true);
});
