import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as compat from '../src/compat.ts';
import * as library from '../src/index.ts';
import { diligentModel } from './support/models.ts';
import { SAY_HELLO } from './support/run-in.ts';
import { SCRIPTED_MODEL, scriptedProvider } from './support/scripted-provider.ts';
import { testWorld, WORKSPACE } from './support/test-machine.ts';

test('what the library offers by name', () => {
  expect(Object.keys(library).sort()).toEqual([
    'ProviderError',
    'TardigradeError',
    'VERSION',
    'anthropicProvider',
    'applyRun',
    'createMemoryFileSystem',
    'createSession',
    'diff',
    'fromLanguageModel',
    'history',
    'listRuns',
    'listSessions',
    'loadConfig',
    'memoryJournal',
    'memoryWorkspace',
    'models',
    'ollamaProvider',
    'openAiProvider',
    'openRecordingFile',
    'openRun',
    'parseOllamaHost',
    'parseRecording',
    'plainMessages',
    'playedProvider',
    'readMessages',
    'readStreamEvent',
    'recordedProvider',
    'registerProvider',
    'resumeAt',
    'resumeRun',
    'runGoal',
    'scrubbedProvider',
    'status',
    'systemMachine',
    'textScrubber',
    'tool',
    'transcript',
    'undo',
  ]);
});

test('what programs written for other designs find behind a door of their own, and nowhere else', () => {
  const names = Object.keys(compat);
  expect(names.sort()).toEqual([
    'AIAgent',
    'engineEvents',
    'ensureWorkspace',
    'executeTurn',
    'logLine',
    'runAgent',
    'scaffoldBootstrapFiles',
    'streamEvents',
    'toolStatus',
  ]);
  expect(names.filter((name) => name in library)).toEqual([]);
});

test('a run with every option goes to a fallback within its bounds, and can be played back', async () => {
  const model = diligentModel({
    subtasks: [{ action: 'write_file', file: 'hello.mjs', purpose: 'prints hello' }],
    verify: { cmd: 'node hello.mjs', prints: 'hello' },
    files: { 'hello.mjs': ['console.log("hello");\n'] },
  });
  const refusing = scriptedProvider(() => ({ fails: { kind: 'auth_failed' } }));
  const machine = testWorld().machine();
  const file = process.platform === 'win32' ? 'C:\\turns' : '/turns';
  const recording = library.openRecordingFile(`${file}.json`, {
    fs: machine.fs,
    secrets: [],
    warn: (text) => expect.fail(text),
  });
  const spare = { ...scriptedProvider(model), name: 'recorded' };
  const bounds: Partial<library.GoalOptions> = {
    maxTokens: 1_000_000,
    maxTimeMs: 3_600_000,
    contextWindow: 4096,
    deadlines: { connectMs: 1000, firstEventMs: 120_000, idleMs: 120_000, totalMs: 240_000 },
  };
  const options: library.GoalOptions = {
    ...bounds,
    goal: SAY_HELLO,
    workspace: WORKSPACE,
    provider: recording.wrap(refusing),
    model: SCRIPTED_MODEL,
    profile: 'FIRST',
    fallbacks: [{ provider: recording.wrap(spare), model: SCRIPTED_MODEL, profile: 'SECOND' }],
    toolMode: 'native',
    temperature: 0.2,
    seed: null,
    maxRounds: 24,
    allow: [],
    again: false,
    forceUnlock: false,
    emit: (event) => {
      if (event.type === 'record') {
        recording.belongsTo(event.state.run, event.state.counters.turns);
      }
    },
    signal: new AbortController().signal,
    machine,
  };
  const result = await library.runGoal(options);
  expect(result.ending).toBe('achieved');
  expect(result.state.settings).toMatchObject({ profile: 'SECOND', numCtx: 4096 });
  const fd = machine.fs.open(`${file}.json`, 'r');
  const bytes = Buffer.alloc(machine.fs.size(fd));
  machine.fs.read(fd, bytes, 0);
  machine.fs.close(fd);
  const { turns } = library.parseRecording(bytes.toString('utf8'), 'turns');
  expect(turns[0]?.failure?.status).toEqual({ kind: 'auth_failed' });
  expect(turns.length).toBeGreaterThan(2);
  // No price is known for this model: a bound that cannot be kept is refused.
  const priced = { ...options, provider: refusing, fallbacks: [], maxCost: 1, again: true };
  await expect(library.runGoal(priced)).rejects.toMatchObject({ code: 'E_USAGE' });
});

describe('the small call', () => {
  const model = diligentModel({
    subtasks: [{ action: 'write_file', file: 'hello.mjs', purpose: 'prints hello' }],
    verify: { cmd: 'node hello.mjs', prints: 'hello' },
    files: { 'hello.mjs': ['console.log("hello");\n'] },
  });

  test('four values are enough to run a goal to its end in a real folder', async () => {
    const workspace = mkdtempSync(join(tmpdir(), 'small-call-'));
    const result = await library.runGoal({
      goal: SAY_HELLO,
      workspace,
      provider: scriptedProvider(model),
      model: SCRIPTED_MODEL,
    });
    expect(result).toMatchObject({ ending: 'achieved', answer: null });
    expect(readFileSync(join(workspace, 'hello.mjs'), 'utf8')).toBe('console.log("hello");\n');
    const [opened] = readFileSync(join(workspace, '.agent_context/history.jsonl'), 'utf8').split(
      '\n',
    );
    expect(JSON.parse(opened ?? '')).toMatchObject({ version: library.VERSION });
    rmSync(workspace, { recursive: true });
  });

  test.each(['', ' \n\t'])(
    'an empty goal (%j) is refused before anything is touched',
    async (goal) => {
      const world = testWorld();
      const call = library.runGoal({
        goal,
        workspace: WORKSPACE,
        provider: scriptedProvider(model),
        model: SCRIPTED_MODEL,
        machine: world.machine(),
      });
      await expect(call).rejects.toMatchObject({ code: 'E_USAGE', message: 'The goal is empty.' });
      expect(world.machine().fs.readdir(WORKSPACE)).toEqual([]);
    },
  );
});
