import { existsSync, readFileSync } from 'node:fs';
import { execa } from 'execa';
import { afterEach, describe, expect, test } from 'vitest';
import { agentLab, isInstalled, recordsIn, resultOf, stateFile } from '../support/e2e-agent.ts';
import { FOLDER, GAME, HELLO, MATHX, type Walkthrough } from '../support/e2e-goals.ts';
import { MODEL, MODES, plansAsked, serve, worker } from '../support/e2e-model.ts';
import type { FakeOllama } from '../support/fake-ollama.ts';

const lab = agentLab();
let server: FakeOllama;
afterEach(() => server?.close());

const hasPython = await isInstalled('python', '--version');
const hasTestTools =
  hasPython &&
  (await isInstalled('python', '-m', 'pytest', '--version')) &&
  (await isInstalled('ruff', '--version'));
const unless = (isThere: boolean, what: string) => (isThere ? '' : ` (skipped: no ${what} here)`);

/** What a person sees of one goal, worked on in a fresh folder. */
async function walk(work: Walkthrough, mode: string, folder = lab.folder(), ...more: string[]) {
  server = await serve(worker(work));
  const where = ['--host', server.url, '--model', MODEL, '--tool-mode', mode];
  return { folder, ...(await lab.agent([work.goal, ...where, ...more], { in: folder })) };
}

/** The rounds of a run, from its own journal. */
const roundsOf = (folder: string): number => recordsIn(folder, 'round_started').length;

describe.each(MODES)('in %s mode', (mode) => {
  test.runIf(hasPython)(
    `a hello world script is written in 2 or 3 rounds${unless(hasPython, 'python')}`,
    async () => {
      const { folder, exitCode, stdout, stderr } = await walk(HELLO, mode);
      expect(stderr).toContain(`Goal achieved: ${HELLO.goal}`);
      expect(exitCode).toBe(0);
      expect(stdout).toBe(`Goal achieved: ${HELLO.goal}\n`);
      expect(roundsOf(folder)).toBeGreaterThanOrEqual(2);
      expect(roundsOf(folder)).toBeLessThanOrEqual(3);
      const script = await execa('python', ['hello_world.py'], { cwd: folder });
      expect(script.stdout).toBe('Hello, World!');
      expect(server.violations).toEqual([]);
      expect(recordsIn(folder, 'settings_changed').map((one) => one.mode)).toEqual([mode]);
    },
  );

  test.runIf(hasPython)(
    `a game is written and played through stdin in at most 8 rounds${unless(hasPython, 'python')}`,
    async () => {
      const { folder, exitCode, stderr } = await walk(GAME, mode);
      expect(stderr).toContain('Goal achieved');
      expect(exitCode).toBe(0);
      expect(roundsOf(folder)).toBeLessThanOrEqual(8);
      const proof = recordsIn(folder, 'check_ran').find((check) => check.proof);
      expect(proof).toMatchObject({ passed: true, check: { stdin: 'rock\nquit\n' } });
      const program = ['rock_paper_scissors.py'];
      const game = await execa('python', program, { cwd: folder, input: 'paper\nquit\n' });
      expect(game.stdout).toContain('You chose paper');
      expect(game.stdout).toContain('Goodbye!');
    },
  );

  test.runIf(hasTestTools)(
    `a package with tests is made in at most 12 rounds${unless(hasTestTools, 'python with pytest and ruff')}`,
    async () => {
      const { folder, exitCode, stderr } = await walk(MATHX, mode);
      expect(stderr).toContain('Goal achieved');
      expect(exitCode).toBe(0);
      expect(roundsOf(folder)).toBeLessThanOrEqual(12);
      const ruff = recordsIn(folder, 'action_finished').filter((one) => one.tool === 'run_cmd');
      expect(ruff.map((one) => [one.status, one.facts.exitCode])).toEqual([['ok', 0]]);
      const proof = recordsIn(folder, 'check_ran').find((check) => check.proof);
      expect(proof).toMatchObject({ passed: true, check: { cmd: 'python -m pytest -q' } });
      const tests = await execa('python', ['-m', 'pytest', '-q'], { cwd: folder });
      expect(tests.stdout).toContain('3 passed');
    },
  );

  test('a goal whose result is a text has it on stdout', async () => {
    const folder = lab.folder({ 'apples.txt': 'a', 'pears.txt': 'p' });
    const { exitCode, stdout, stderr } = await walk(FOLDER, mode, folder);
    expect(stderr).toContain('Goal achieved');
    expect(stdout).toBe(`${FOLDER.answer}\n`);
    expect(exitCode).toBe(0);
    const shown = server.chats.some((chat) => chat.includes('pears.txt'));
    expect(shown).toBe(true);
  });

  test('--json ends with the result as its last line', async () => {
    const end = await walk(FOLDER, mode, lab.folder(), '--json');
    const lines = end.stdout.trimEnd().split('\n');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ type: 'run_opened', goal: FOLDER.goal });
    expect(resultOf(end)).toMatchObject({
      type: 'result',
      exitCode: 0,
      ending: 'achieved',
      answer: FOLDER.answer,
      error: null,
      resume: null,
    });
    const { folder } = end;
    const onDisk = readFileSync(stateFile(folder, 'history.jsonl'), 'utf8').trimEnd().split('\n');
    const records = lines.map((line) => JSON.parse(line)).filter((line) => 'seq' in line);
    expect(records).toHaveLength(onDisk.length);
  });
});

test('without any option it takes the installed model and says so', async () => {
  server = await serve(worker(FOLDER));
  const folder = lab.folder();
  const { exitCode, stderr } = await lab.agent([FOLDER.goal], {
    in: folder,
    env: { OLLAMA_HOST: server.url },
  });
  expect(stderr).toContain(`gpt-oss:20b is not installed; using ${MODEL}`);
  expect(stderr).toContain('native tool calls');
  expect(exitCode).toBe(0);
  expect(plansAsked(server)).toBe(1);
  for (const name of ['history.jsonl', 'state.json', 'loops.json', 'agent.log'])
    expect(existsSync(stateFile(folder, name)), name).toBe(true);
});
