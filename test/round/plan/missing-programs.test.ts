/** What is not installed is neither a step of a plan nor its proof. */
import { describe, expect, it } from 'vitest';
import { isInstalledOn } from '../../../src/processes/programs/is-installed.ts';
import { missingPrograms } from '../../../src/round/plan/missing-programs.ts';
import { MATHX } from '../../support/e2e-goals.ts';
import { goldenWorld } from '../../support/golden-world.ts';
import { workingModel } from '../../support/models.ts';
import { runIn } from '../../support/run-in.ts';
import { scriptedProvider } from '../../support/scripted-provider.ts';
import { WORKSPACE } from '../../support/test-machine.ts';

describe('the programs that commands need', () => {
  const missing = (commands: readonly string[], installed: readonly string[]) =>
    missingPrograms(commands, {
      platform: 'linux',
      isInstalled: async (program) => installed.includes(program),
    });

  it('are missing by command, those that another program runs too', async () => {
    const commands = [
      'ruff check .',
      'python -m ruff check .',
      'python3.12 -m pytest -q',
      'python -m unittest',
      'python a.py -m ruff',
      'a "quote that never ends',
    ];
    const found = await missing(commands, ['python', 'python3.12', 'pytest']);
    expect([...found]).toEqual([
      ['ruff check .', ['ruff']],
      ['python -m ruff check .', ['ruff']],
    ]);
  });
});

describe('a program is installed', () => {
  const answers = (resolution: object, exitCode: number) => {
    const processes = goldenWorld({}).machine().processes(WORKSPACE, []);
    const asked: string[][] = [];
    const isInstalled = isInstalledOn(
      {
        ...processes,
        run: async (request) => {
          asked.push([request.cwd, request.file, ...request.args]);
          return {
            ...{ kind: 'exited', exitCode, signal: null, output: '' },
            ...{ truncatedBytes: 0, durationMs: 0 },
          };
        },
        programs: { ...processes.programs, find: async () => resolution as never },
        outside: { ...processes.outside, find: async () => resolution as never },
      },
      new AbortController().signal,
    );
    return async () => [await isInstalled('ruff'), asked];
  };

  it('where it is found, without being started', async () => {
    const found = { kind: 'found', file: '/bin/ruff', prefix: [], notice: '' };
    expect(await answers(found, 1)()).toEqual([true, []]);
    expect(await answers({ kind: 'missing', reason: '', hint: '' }, 0)()).toEqual([false, []]);
  });

  it('where another program runs it, only when it answers', async () => {
    const module = { kind: 'found', file: '/bin/python', prefix: ['-m', 'ruff'], notice: '' };
    // Never in the workspace, where a ruff.py would be run.
    const asked = [['/bin', '/bin/python', '-m', 'ruff', '--version']];
    expect(await answers(module, 0)()).toEqual([true, asked]);
    expect(await answers(module, 1)()).toEqual([false, asked]);
  });
});

it.each(['native', 'json'] as const)(
  'a plan with a linter that is not here is worked on without it (%s)',
  async (toolMode) => {
    const world = goldenWorld({
      installed: ['python', 'pytest'],
      program: () => ({ output: '...   [100%]\n3 passed in 0.01s\n', exitCode: 0 }),
    });
    const { result, records } = await runIn(world, scriptedProvider(workingModel(MATHX)), {
      goal: MATHX.goal,
      toolMode,
    });
    // Whether its tests would notice a fault cannot be seen with programs that are only played.
    expect(result).toMatchObject({ ending: 'unverified', state: { proof: { passed: true } } });
    // A plan of a model that leads is left as it is.
    if (toolMode === 'json')
      expect(
        JSON.stringify(records.map((one) => (one.type === 'plan_set' ? one.plan : null))),
      ).not.toContain('ruff');
    expect(result.state.counters.rounds).toBeLessThanOrEqual(12);
  },
);
