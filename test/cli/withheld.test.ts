/** What a person sees of changes that nothing proves, and how they are brought in. */
import { expect, test } from 'vitest';
import { statusText } from '../../src/cli/commands/status.ts';
import { main } from '../../src/cli/main.ts';
import { createStyle } from '../../src/cli/render/text/style.ts';
import type { ApplyRequest } from '../../src/host/journals/apply-contract.ts';
import type { RunResult } from '../../src/run/result.ts';
import type { Swap } from '../../src/schema/journal/swap.ts';
import type { KnownFile } from '../../src/schema/state-parts/run-facts.ts';
import { fakeEngine } from './fake-engine.ts';
import { fakeTerminal, runState } from './support.ts';

const swap: Swap = {
  ...{ to: 'before', seq: 9, offset: 0, count: 2, isFinished: true },
  ...{ done: ['app.js', 'new.js'], left: [] },
};

const WRITTEN: KnownFile = {
  ...{ hash: 'aa', written: true, baseline: 'bb', rejected: null },
  ...{ problems: [], defines: [], prompts: [] },
};

const withheld: RunResult = {
  ...{ ending: 'unverified', detail: 'nothing was run', answer: null },
  withheld: { files: [{ path: 'app.js', change: 'changed', diff: '' }] },
  state: runState({ swap, startedAt: 1, files: { 'app.js': WRITTEN } }),
};

const differences = [
  {
    ...{ path: 'app.js', isChangedSince: false, problem: '' },
    ...{ before: Buffer.from('old\n'), after: Buffer.from('new\n') },
  },
];

async function ended(answer: string, isTerminal = true) {
  const applied: ApplyRequest[] = [];
  const parts = {
    changes: async () => differences,
    applyRun: async (request: ApplyRequest) => {
      applied.push(request);
      return { outcome: 'applied', applied: ['app.js'], leftAlone: [] } as const;
    },
  };
  const terminal = {
    ...fakeTerminal({ isTerminal, answer }),
    ...(isTerminal ? { keys: () => () => {} } : {}),
  };
  const engine = fakeEngine({ result: withheld, parts });
  const exitCode = await main(['--model', 'small', 'Write it'], terminal, async () => engine);
  return { exitCode, stderr: terminal.stderr.text(), applied, questions: terminal.questions };
}

test('a person sees the diff and is asked at the end of the run; only a yes brings it in', async () => {
  const no = await ended('');
  expect(no.exitCode).toBe(9);
  expect(no.stderr).toContain('+new');
  expect(no.questions).toEqual(['Keep these changes? [y/N] ']);
  expect(no.applied).toEqual([]);
  const yes = await ended('y');
  expect(yes.applied).toHaveLength(1);
  expect(yes.stderr).toContain('Applied: 1 file is as the run left it.');
});

test('apply says that nothing was applied where every file was left alone', async () => {
  const leftAlone = [{ path: 'app.js', why: 'somebody has changed it since' }];
  const applyRun = async () => ({ outcome: 'left_alone', applied: [], leftAlone }) as const;
  const terminal = fakeTerminal();
  const current = runState({ goal: 'Write it' });
  const engine = fakeEngine({ current, parts: { applyRun } });
  expect(await main(['apply'], terminal, async () => engine)).toBe(6);
  expect(terminal.stdout.text()).toBe(
    'Nothing was applied.\nLeft alone:\n  app.js: somebody has changed it since\n',
  );
});

test('without a terminal nothing waits, and the end names the files and the command', async () => {
  const { exitCode, stderr, applied, questions } = await ended('', false);
  expect([exitCode, questions, applied]).toEqual([9, [], []]);
  expect(stderr).toContain('withheld');
  expect(stderr).toMatch(/keep it +agent apply\n/);
  expect(stderr).not.toContain('agent undo');
});

const status = (state: Partial<Parameters<typeof runState>[0]>): string =>
  statusText(
    {
      ...{ state: runState(state), standing: 'unverified', origin: 'own', owner: null },
      ...{ resume: null, workspace: '/ws', error: null, isDebug: false, agent: 'agent' },
      typed: (verb) => `agent ${verb}`,
    },
    createStyle({ env: {}, platform: 'linux' }, { isTerminal: false }),
  );

test('the status says which files are withheld, and that a set is half done', () => {
  expect(status({ swap })).toMatch(/Withheld +app\.js, new\.js\n/);
  expect(status({ swap })).not.toContain('Pending');
  const half = { ...swap, done: ['app.js'], isFinished: false };
  expect(status({ swap: half })).toMatch(/Pending +its changes are only partly out of the folder/);
  expect(status({ swap: { ...swap, to: 'run' } })).not.toContain('Withheld');
});
