/** An engine that plays what a test says, for the commands. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type {
  Engine,
  LockOwner,
  ProgramRunner,
  RepairPreview,
} from '../../src/host/engine-port.ts';
import type { LivePort } from '../../src/host/live/live-port.ts';
import { TardigradeError } from '../../src/lib/errors.ts';
import type { Provider } from '../../src/llm/provider.ts';
import type { RunResult } from '../../src/run/result.ts';
import type { RunEvent } from '../../src/schema/events/events.ts';
import type { RunState } from '../../src/schema/state.ts';
import { achieved } from './support.ts';

const noProvider: Provider = {
  name: 'ollama',
  stream: () => {
    throw new Error('not asked in these tests');
  },
  describe: (model) =>
    Promise.resolve({
      model,
      digest: null,
      contextWindow: 32_768,
      capabilities: { tools: true, schema: true, thinking: false },
    }),
  list: () => Promise.resolve(['small:1b', 'large:20b']),
  close: () => Promise.resolve(),
};

const fakePrograms: ProgramRunner = {
  run: () =>
    Promise.resolve({
      kind: 'exited',
      exitCode: 0,
      signal: null,
      output: 'Python 3.12.1\n',
      truncatedBytes: 0,
      durationMs: 5,
    }),
  place: { boot: 'today', pidNamespace: '', isGated: true },
  outside: {
    find: (program) =>
      Promise.resolve(
        program === 'python'
          ? { kind: 'found', file: '/usr/bin/python3', prefix: [], notice: '' }
          : { kind: 'missing', reason: `${program} was not found`, hint: '' },
      ),
    environment: () => ({}),
  },
};

export const REPAIR_PLAN: RepairPreview = {
  isNothing: false,
  detail: '',
  found: ['From byte 812 on, it makes no sense.'],
  kept: ['7 records, unchanged.'],
  lost: ['two records.'],
  key: 'k',
};

export type FakeEngine = Engine & {
  readonly runs: Parameters<Engine['runGoal']>[0][];
  readonly logged: unknown[];
  readonly undone: string[];
  /** Keys of the plans that were carried out. */
  readonly repaired: (string | undefined)[];
};

/** An engine that plays a run: emits `events`, then gives `result`. */
export function fakeEngine(
  script: {
    readonly events?: readonly RunEvent[];
    readonly result?: RunResult;
    readonly current?: RunState | null;
    readonly owner?: LockOwner | null;
    readonly failure?: unknown;
    readonly parts?: Partial<Engine>;
  } = {},
): FakeEngine {
  const runs: Parameters<Engine['runGoal']>[0][] = [];
  const logged: unknown[] = [];
  const undone: string[] = [];
  const repaired: (string | undefined)[] = [];
  return {
    runs,
    logged,
    undone,
    repaired,
    openModel: ({ choice }) =>
      Promise.resolve({
        provider: noProvider,
        model: choice.model ?? 'small:1b',
        where: 'http://127.0.0.1:11434',
        notice: '',
      }),
    listModels: () => Promise.resolve([]),
    runGoal: (options) => {
      runs.push(options);
      for (const event of script.events ?? []) options.emit?.(event);
      if (script.failure !== undefined) return Promise.reject(script.failure);
      return Promise.resolve(script.result ?? achieved());
    },
    openRun: () => Promise.reject(new Error('no step of a run is taken in these tests')),
    readRun: () => script.current ?? null,
    beliefIn: () => (script.current ? { kind: 'own', state: script.current } : { kind: 'none' }),
    foreignRun: () => new TardigradeError('E_FOREIGN', 'It came with the folder.', 'agent adopt'),
    planAdoption: () => null,
    adopt: () => ({ outcome: 'own', goal: '', dropped: { addresses: [], grants: [] } }),
    listRuns: () => [],
    openPermissionRequests: () => [],
    answer: () => ({ how: 'journalled' }),
    serverConsents: { of: () => 'none', save: () => {}, forget: () => [] },
    commandConsents: { of: () => 'none', save: () => {}, forget: () => [] },
    lookAtServers: async () => [],
    editSettings: (file, edit) => {
      mkdirSync(dirname(file), { recursive: true });
      const before = existsSync(file) ? readFileSync(file, 'utf8') : '{}\n';
      writeFileSync(file, edit(before), { mode: 0o600 });
    },
    keptRules: () => [],
    forgetRule: () => false,
    changes: async () => null,
    changeMade: () => null,
    lockOwner: () => script.owner ?? null,
    verifyChain: () => ({ kind: 'ok', records: 12, bytes: 3456 }),
    planUndo: () =>
      Promise.resolve({
        goal: 'Write it',
        files: ['hello.js (will be removed)'],
        isAsBefore: false,
        left: [],
        commands: ['npm i'],
        isWatched: false,
      }),
    undo: ({ workspace }) => {
      undone.push(workspace);
      return Promise.resolve({
        outcome: 'undone',
        restored: [],
        removed: ['hello.js'],
        leftAlone: [],
        foldersRemoved: [],
        foldersLeft: [],
        commands: ['npm i'],
      });
    },
    applyRun: () => Promise.resolve({ outcome: 'nothing_to_apply', applied: [], leftAlone: [] }),
    planRepair: () => Promise.resolve(REPAIR_PLAN),
    repair: ({ agreed }) => {
      repaired.push(agreed);
      const done = { changed: true, keptRecords: 7, quarantine: 'q/1', detail: 'two records.' };
      return Promise.resolve({ ...done, plan: REPAIR_PLAN });
    },
    embeddedStatus: () => Promise.resolve({ installed: false, where: '', version: '' }),
    setupEmbedded: ({ report }) => {
      report({ text: 'fetching', isReplaced: false });
      return Promise.resolve({ installed: true, where: 'data', version: '3.0.0' });
    },
    setupOllama: () => Promise.resolve('http://127.0.0.1:11434'),
    programs: async () => fakePrograms,
    live: () => Promise.resolve(NO_LIVE),
    sandbox: () => Promise.resolve({ holds: false, what: 'none is here', next: 'Install one.' }),
    noteFolder: () => {},
    knownFolders: () => [],
    logError: (_workspace, error) => {
      logged.push(error);
      return 'agent.log';
    },
    ...script.parts,
  };
}

const NO_LIVE: LivePort = {
  at: () => [],
  all: () => [],
  whyNot: () => Promise.resolve(''),
  follow: () => Promise.resolve('gone'),
};
