/** Whole runs on machines that lack something: what is told and what is run follows what is there. */
import { describe, expect, it } from 'vitest';
import type { ToolMode } from '../../src/schema/records.ts';
import { goldenWorld } from '../support/golden-world.ts';
import { type PlannedWork, workingModel } from '../support/models.ts';
import { runIn, SAY_HELLO } from '../support/run-in.ts';
import { scriptedProvider } from '../support/scripted-provider.ts';

const MODES: readonly ToolMode[] = ['json', 'native'];

const write = (file: string, purpose: string) => ({ action: 'write_file', file, purpose });

/** Plays `work` on a machine with these programs; a module that is not there cannot be run. */
async function play(
  mode: ToolMode,
  goal: string,
  installed: readonly string[],
  work: PlannedWork,
  modules: { readonly [name: string]: string } = {},
) {
  const world = goldenWorld({
    installed,
    program: (_, [flag, module = '']) => {
      if (flag !== '-m') return null;
      const output = modules[module];
      return output === undefined
        ? { output: `No module named ${module}\n`, exitCode: 1 }
        : { output, exitCode: 0 };
    },
  });
  const provider = scriptedProvider(workingModel(work));
  const { result, states } = await runIn(world, provider, { goal, toolMode: mode, maxRounds: 60 });
  const told = provider.requests.map((request) => JSON.stringify(request.messages)).join('\n');
  const commands = world.commands.map(({ line }) => line);
  return { result, told, commands, state: states.at(-1), world };
}

const TESTED: PlannedWork = {
  subtasks: [write('mathx.py', 'has add(a, b)'), write('test_mathx.py', 'tests add')],
  files: {
    'mathx.py': ['def add(a, b):\n    return a + b\n'],
    'test_mathx.py': [
      'import unittest\n\nfrom mathx import add\n\n\nclass AddTest(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(2, 3), 5)\n',
    ],
  },
};

const GOAL = 'Write mathx.py with add(a, b), and tests';
const UNITTEST = { unittest: '.\nRan 1 test in 0.001s\n\nOK\n' };
const PYTEST = { pytest: '1 passed in 0.01s\n' };

/** Whether its tests would notice a fault cannot be seen with programs that are only played. */
const PROVED = { ending: 'unverified', state: { proof: { passed: true } } };

/** The plan of a model that leads stays as it is, also where it names no proof. */
describe.each(['json'] as const)('in %s mode, a goal with tests', (mode) => {
  it('is told and proved by unittest where pytest is not installed', async () => {
    const run = await play(mode, GOAL, ['python', 'node'], TESTED, UNITTEST);
    expect(run.result).toMatchObject(PROVED);
    expect(run.commands.at(-1)).toBe('python -m unittest');
    expect(run.commands.filter((line) => line.includes('pytest'))).toEqual([]);
    // All that is said of pytest is that it is not there.
    expect(run.told).toContain('pytest is not installed');
    expect(run.told.replaceAll('pytest is not installed', '')).not.toContain('pytest');
  });

  it('is told and proved by pytest where it is installed', async () => {
    const run = await play(mode, GOAL, ['python', 'pytest', 'node'], TESTED, PYTEST);
    expect(run.result).toMatchObject(PROVED);
    expect(run.commands.at(-1)).toBe('python -m pytest -q');
  });

  it('that names no runner is not proved by one that a model names and that is not there', async () => {
    const named = { ...TESTED, verify: { cmd: 'python -m pytest -q', prints: 'passed' } };
    const run = await play(mode, GOAL, ['python', 'node'], named, UNITTEST);
    expect(run.result).toMatchObject(PROVED);
    expect(run.told).toContain('pytest is not installed here. Use python -m unittest.');
    expect(run.state?.plan?.proof).toEqual({ cmd: 'python -m unittest' });
    expect(run.commands.filter((line) => line.includes('pytest'))).toEqual([]);
  });
});

describe.each(MODES)('in %s mode, on a machine without python', (mode) => {
  it('a Python goal is written, and nobody says that it works: its proof cannot run', async () => {
    const run = await play(mode, GOAL, ['node'], TESTED);
    expect(run.world.read('mathx.py')).toContain('def add');
    expect(run.told).toContain('Python is not installed here');
    expect(run.told).not.toContain('import pytest');
    expect(run.commands).toEqual([]);
    // That it cannot run says nothing of the work.
    expect(run.result).toMatchObject({ ending: 'unverified', state: { proof: null } });
  });

  it.runIf(mode === 'json')('a proof that needs it is refused, and never run', async () => {
    const named = { ...TESTED, verify: { cmd: 'python -m unittest', prints: 'OK' } };
    const run = await play(mode, GOAL, ['node'], named);
    expect(run.told).toContain('verify.cmd: python is not installed here.');
    expect(run.commands).toEqual([]);
    expect(run.state?.plan?.proof).toBeUndefined();
    expect(run.result).toMatchObject({ ending: 'unverified' });
  });

  it('a goal in JavaScript is reached as ever', async () => {
    const hello: PlannedWork = {
      subtasks: [write('hello.mjs', 'prints hello')],
      verify: { cmd: 'node hello.mjs', prints: 'hello' },
      files: { 'hello.mjs': ['console.log("hello")\n'] },
    };
    const run = await play(mode, SAY_HELLO, ['node'], hello);
    expect(run.result).toMatchObject({ ending: 'achieved' });
    expect(run.commands.at(-1)).toBe('node hello.mjs');
  });
});
