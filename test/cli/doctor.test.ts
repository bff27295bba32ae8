import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { judgeDisk, judgeSandbox, judgeStarts, lookAtNode } from '../../src/cli/doctor/machine.ts';
import { judgeWindow } from '../../src/cli/doctor/model.ts';
import { judgeMode, judgeOwner } from '../../src/cli/doctor/state.ts';
import { main } from '../../src/cli/main.ts';
import type { Engine } from '../../src/host/engine-port.ts';
import { TardigradeError } from '../../src/lib/errors.ts';
import { ProviderError } from '../../src/llm/provider.ts';
import { sandboxMode } from '../../src/options/option-values.ts';
import type { RunState } from '../../src/schema/state.ts';
import { fakeEngine, fakeTerminal, runState } from './support.ts';

const FOREIGN = {
  provider: 'openai',
  model: 'm',
  digest: null,
  driver: 'free',
  numCtx: 4096,
  temperature: 0,
  seed: 0,
  mayChangeDriver: true,
  systemPrompt: '',
  tools: '[]',
  why: '',
} as const satisfies RunState['settings'];

/** Somebody has chosen a model. */
const CHOSEN = { LANG: 'C.UTF-8', OLLAMA_MODEL: 'small:1b' };

let cwd = '';
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'doctor-'));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

async function doctor(parts: Partial<Engine> = {}, ...more: string[]) {
  const terminal = fakeTerminal({ cwd, env: CHOSEN });
  const engine = fakeEngine({ parts });
  const exitCode = await main(['doctor', '-v', ...more], terminal, () => Promise.resolve(engine));
  return { exitCode, stdout: terminal.stdout.text() };
}

test('every part of a run gets its line, and a healthy machine exits with 0', async () => {
  mkdirSync(join(cwd, '.agent_context'), { mode: 0o700 });
  const { exitCode, stdout } = await doctor();
  const names = stdout.match(/^(?:ok|warn|fail) +(\S+)/gm)?.map((line) => line.split(/ +/)[1]);
  expect(names).toEqual([
    'node',
    'disk',
    'commands',
    'sandbox',
    'attach',
    'python',
    'pytest',
    'ruff',
    'ollama',
    'models',
    'model',
    'tools',
    'window',
    'prompt',
    'embedded',
    'workspace',
    'state',
    'lock',
    'journal',
  ]);
  expect(stdout).toContain('answers at http://127.0.0.1:11434');
  expect(stdout).toContain('12 records, 3,456 bytes, all checksums match');
  expect(stdout).toContain('A run can start.');
  expect(exitCode).toBe(0);
});

test('where all is well it is short', async () => {
  const terminal = fakeTerminal({ cwd, env: CHOSEN });
  await main(['doctor'], terminal, () => Promise.resolve(fakeEngine()));
  const lines = terminal.stdout
    .text()
    .split('\n')
    .filter((line) => !/pytest|ruff/.test(line));
  expect(lines).toEqual([
    'ok   model         small:1b',
    'A run can start.',
    'All checks: agent doctor --verbose',
    '',
  ]);
});

test('what prevents a run makes it exit with 2 and says what to do', async () => {
  const openModel = () =>
    Promise.reject(
      new ProviderError({ kind: 'network_error', retryable: true }, 'Nobody answers.', 'Start it.'),
    );
  const { exitCode, stdout } = await doctor({ openModel });
  expect(exitCode).toBe(2);
  expect(stdout).toMatch(/^fail model +Nobody answers\.\n +Start it\.$/m);
});

test('what every request begins with is said, and what the project adds apart', async () => {
  const { stdout } = await doctor();
  const [, native = ''] = /^ok +prompt +about ([\d,]+) tokens with the tools/m.exec(stdout) ?? [];
  expect(Number(native.replace(',', ''))).toBeGreaterThan(600);
  expect(Number(native.replace(',', ''))).toBeLessThanOrEqual(2400);
  expect(stdout).toContain('; this project adds 0');
});

test("the server of a run is looked at where the run is this user's, and nowhere else", async () => {
  const url = 'https://models.example/v1';
  const state = runState({ settings: { ...FOREIGN, baseUrl: url } });
  const asked: (string | null)[] = [];
  const openModel: Engine['openModel'] = (request) => {
    asked.push(request.baseUrl);
    return fakeEngine().openModel(request);
  };
  await doctor({ openModel, beliefIn: () => ({ kind: 'own', state }) });
  mkdirSync(join(cwd, '.agent_context'), { mode: 0o700 });
  const foreign = await doctor({ openModel, beliefIn: () => ({ kind: 'foreign', state }) });
  expect([foreign.exitCode, asked]).toEqual([0, [null, url, null]]);
  expect(foreign.stdout).toMatch(/warn origin +It came with the folder\.\n +agent adopt/);
});

test('the model of a new goal and that of the paused run are looked at, and the verdict is true for both', async () => {
  const state = runState({ settings: FOREIGN });
  const without =
    (provider: string): Engine['openModel'] =>
    (request) => {
      if (request.choice.provider !== provider) return fakeEngine().openModel(request);
      const status = { kind: 'network_error', retryable: true } as const;
      throw new ProviderError(status, `${provider} does not answer.`, 'Start it.');
    };
  const beliefIn = () => ({ kind: 'own', state }) as const;
  const noDefault = await doctor({ beliefIn, openModel: without('ollama') });
  expect(noDefault.exitCode).toBe(2);
  expect(noDefault.stdout).toContain('ollama does not answer. (for a new goal)');
  expect(noDefault.stdout).toMatch(/ok +model +m \(to resume\)/);
  expect(noDefault.stdout).toContain(
    'The paused run can continue ("resume"). Before a new goal: 1 problem to fix.',
  );
  const noOwn = await doctor({ beliefIn, openModel: without('openai') });
  expect(noOwn.stdout).toContain(
    'A new goal can start. Before the paused run continues: 1 problem',
  );
  const ended = { ending: 'achieved', detail: '' } as const;
  const over = { ...state, ended };
  const later = await doctor({
    beliefIn: () => ({ kind: 'own', state: over }),
    openModel: without('openai'),
  });
  expect([later.exitCode, later.stdout.includes('A run can start.')]).toEqual([0, true]);
});

test('a server without a model names the command that gets one of 1 GB, and calls nothing else well', async () => {
  const openModel: Engine['openModel'] = async (request) => {
    const opened = await fakeEngine().openModel(request);
    return { ...opened, provider: { ...opened.provider, list: () => Promise.resolve([]) } };
  };
  const { exitCode, stdout } = await doctor({ openModel });
  expect(exitCode).toBe(2);
  expect(stdout).toMatch(/small one \(1 GB\): agent setup ollama --model qwen2\.5-coder:1\.5b/);
  expect(stdout).not.toMatch(/^ok +model /m);
});

test('a damaged journal is found and agent repair is named', async () => {
  mkdirSync(join(cwd, '.agent_context'), { mode: 0o700 });
  const verifyChain = () => ({ kind: 'damaged', offset: 812, why: 'bad checksum' }) as const;
  const { exitCode, stdout } = await doctor({ verifyChain });
  expect(exitCode).toBe(2);
  expect(stdout).toMatch(
    /fail journal +damaged at byte 812: bad checksum\n +Repair it: agent repair/,
  );
});

test('a signal ends the reading of a long journal at once, and nothing is read behind one', async () => {
  mkdirSync(join(cwd, '.agent_context'), { mode: 0o700 });
  const listened: number[] = [];
  const terminal = fakeTerminal({ cwd, env: CHOSEN });
  const verifyChain = () => {
    listened.push(terminal.leftovers());
    return { kind: 'none' } as const;
  };
  const run = (parts: Partial<Engine>) =>
    main(['doctor'], terminal, () => Promise.resolve(fakeEngine({ parts })));
  await run({ verifyChain });
  expect(listened).toEqual([0]);
  const sandbox = () => {
    terminal.send('SIGINT');
    return Promise.resolve({ holds: false, what: 'none is here', next: '' } as const);
  };
  expect(await run({ verifyChain, sandbox })).toBe(130);
  expect(listened).toEqual([0]);
});

test('--json gives every finding with its verdict', async () => {
  const { stdout } = await doctor({}, '--json');
  const report = JSON.parse(stdout);
  expect(report.exitCode).toBe(0);
  expect(report.findings[0]).toEqual({
    name: 'node',
    verdict: 'ok',
    detail: process.versions.node,
    next: '',
  });
});

test('Node before 20.19 is too old', () => {
  const verdicts = ['18.20.0', '20.18.9', '20.19.0', '22.1.0'].map((version) =>
    lookAtNode(version),
  );
  expect(verdicts.map((finding) => finding.verdict)).toEqual(['fail', 'fail', 'ok', 'ok']);
});

test('a nearly full disk is a warning, a full one prevents a run', () => {
  const verdicts = [1e6, 1e8, 1e10].map((bytes) => judgeDisk(bytes).verdict);
  expect(verdicts).toEqual(['fail', 'warn', 'ok']);
});

test('a machine without /bin/sh is a warning, since a command cannot wait for its record there', () => {
  const judged = (isGated: boolean, platform: NodeJS.Platform) =>
    judgeStarts({ isGated }, platform);
  expect(judged(true, 'linux').verdict).toBe('ok');
  expect(judged(false, 'linux')).toMatchObject({
    verdict: 'warn',
    detail: expect.stringContaining('/bin/sh'),
  });
  expect(judged(false, 'win32').verdict).toBe('ok');
});

test('a small window is a warning', () => {
  expect([null, 2048, 8192].map((tokens) => judgeWindow(tokens).verdict)).toEqual([
    'warn',
    'warn',
    'ok',
  ]);
});

test('a living owner prevents a run, a dead one does not', () => {
  const owner = { host: 'here', pid: 12, startTime: '99' };
  expect(judgeOwner({ ...owner, isAlive: true })).toMatchObject({
    verdict: 'fail',
    detail: 'held by process 12 on here since 1999-01-01 00:00',
  });
  expect(judgeOwner({ ...owner, isAlive: false }).verdict).toBe('ok');
  expect(judgeOwner({ ...owner, startTime: '', isAlive: true }).detail).toMatch(/ on \S+$/);
  expect(judgeOwner(null).verdict).toBe('ok');
});

test('a state folder open to others is a warning, but not on Windows', () => {
  chmodSync(cwd, 0o755);
  expect(judgeMode(cwd, 0o755, 'linux')).toMatchObject({ verdict: 'warn' });
  expect(judgeMode(cwd, 0o755, 'win32').verdict).toBe('ok');
  expect(judgeMode(cwd, 0o700, 'linux').verdict).toBe('ok');
});

test('a file in the place of the state folder is a problem with a next step, and the end of it', async () => {
  writeFileSync(join(cwd, '.agent_context'), '');
  const lockOwner = () => expect.unreachable();
  const { exitCode, stdout } = await doctor({ lockOwner });
  expect(stdout).toMatch(/fail state +\S+ is not a folder\n +Move it away\n1 problem/);
  expect(exitCode).toBe(2);
});

test('a lock that cannot be looked at is a problem with a next step', async () => {
  mkdirSync(join(cwd, '.agent_context'), { mode: 0o700 });
  const lockOwner = () => {
    throw new TardigradeError('E_IO', 'The lock cannot be read.', 'Check the permissions.');
  };
  const { exitCode, stdout } = await doctor({ lockOwner });
  expect(stdout).toMatch(/fail lock +The lock cannot be read\.\n +Check the permissions\./);
  expect(exitCode).toBe(2);
});

test('a sandbox that is missing is a fault only where one is wanted', () => {
  const none = { holds: false, what: 'bubblewrap is not installed', next: 'Install it.' };
  expect(judgeSandbox(none, 'off')).toMatchObject({ verdict: 'ok', detail: `off; ${none.what}` });
  expect(judgeSandbox(none, 'auto')).toMatchObject({ verdict: 'warn', next: none.next });
  expect(judgeSandbox(none, 'require')).toMatchObject({ verdict: 'fail', next: none.next });
  const holds = { holds: true, what: 'bubblewrap', next: '' };
  expect(judgeSandbox(holds, 'off').detail).toContain('--sandbox auto');
  expect(judgeSandbox(holds, 'require')).toMatchObject({ verdict: 'ok', detail: 'bubblewrap' });
  expect(sandboxMode({ sandboxAtLeast: 'require' })).toBe('require');
  expect(sandboxMode({ sandbox: 'off', sandboxAtLeast: 'require' })).toBe('off');
});
