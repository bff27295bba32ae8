import { existsSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { traitsOf } from '../../src/schema/driver.ts';
import { agentLab, recordsIn, resultOf, stateFile } from '../support/e2e-agent.ts';
import { FOLDER, GAME, HELLO, type Walkthrough } from '../support/e2e-goals.ts';
import { MODEL, MODES, overOllama, plansAsked, serve, worker } from '../support/e2e-model.ts';
import {
  expectGame,
  expectHello,
  expectPackage,
  PACKAGE,
  unless,
} from '../support/e2e-walkthroughs.ts';
import type { FakeOllama } from '../support/fake-ollama.ts';
import { hasPytest, hasPython } from '../support/installed.ts';
import { inOneReply, workingModel } from '../support/models.ts';

const lab = agentLab();
/** What the answer of FOLDER tells. */
const FRUIT = { 'apples.txt': 'a', 'pears.txt': 'p' };
let server: FakeOllama;
afterEach(() => server?.close());

/** What a person sees of one goal, worked on in a fresh folder. */
async function walk(work: Walkthrough, mode: string, folder = lab.folder(), ...more: string[]) {
  return walkBy(lab.here, work, mode, folder, ...more);
}

async function walkBy(
  start: typeof lab.agent,
  work: Walkthrough,
  mode: string,
  folder = lab.folder(),
  ...more: string[]
) {
  // One whose answer is wanted has to see first.
  const script = workingModel(work);
  server = await serve(overOllama(work.answer ? script : inOneReply(script)));
  const where = ['--host', server.url, '--model', MODEL, '--tool-mode', mode];
  return { folder, ...(await start([work.goal, ...where, ...more], { in: folder })) };
}

describe.each(MODES)('in %s mode', (mode) => {
  test.runIf(hasPython)(
    `a hello world script is written in 2 or 3 rounds${unless(hasPython, 'python')}`,
    async () => {
      // As a process in one of the modes: the others tell what is done and said, not how it is started.
      const walked = await walkBy(mode === 'native' ? lab.agent : lab.here, HELLO, mode);
      await expectHello(walked);
      expect(server.violations).toEqual([]);
      const settings = recordsIn(walked.folder, 'settings_changed');
      expect(settings.map((one) => traitsOf(one).mode)).toEqual([mode]);
    },
  );

  test.runIf(hasPython)(
    `a game is written and played through stdin in at most 8 rounds${unless(hasPython, 'python')}`,
    async () => await expectGame(await walk(GAME, mode)),
  );

  test.runIf(hasPytest)(
    `a package with tests is made in at most 12 rounds${unless(hasPytest, 'python with pytest')}`,
    async () => await expectPackage(await walk(PACKAGE, mode), mode !== 'native'),
  );

  test('a goal whose result is a text has it on stdout', async () => {
    const folder = lab.folder(FRUIT);
    const { exitCode, stdout, stderr } = await walk(FOLDER, mode, folder);
    expect(stderr).toContain('Answered in');
    expect(stdout).toBe(`${FOLDER.answer}\n`);
    expect(exitCode).toBe(10);
    const shown = server.chats.some((chat) => chat.includes('pears.txt'));
    expect(shown).toBe(true);
  });

  test('--json ends with the result as its last line', async () => {
    const start = mode === 'json' ? lab.agent : lab.here;
    const end = await walkBy(start, FOLDER, mode, lab.folder(FRUIT), '--json');
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
});

test('without any option it takes the installed model, leads it as it is small, and records why', async () => {
  server = await serve(worker(FOLDER));
  const folder = lab.folder(FRUIT);
  const { exitCode, stderr } = await lab.agent([FOLDER.goal], {
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
