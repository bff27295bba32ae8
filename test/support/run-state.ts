/** States of a run in a few words, for tables "state -> what follows". */
import { initialState } from '../../src/context-manager/fold/initial.ts';
import type { DriverName } from '../../src/schema/driver.ts';
import type { MessageCause } from '../../src/schema/model/message-cause.ts';
import type { Plan, Subtask, SubtaskStep } from '../../src/schema/plan.ts';
import { FORMAT_VERSION, type Located, type RecordOf } from '../../src/schema/records.ts';
import type {
  ActiveSubtask,
  LastTurn,
  MessageRef,
  RoundState,
  RunState,
  SubtaskClaim,
} from '../../src/schema/state.ts';
import type { ContentRequest } from '../../src/schema/state-parts/guided-state.ts';
import type {
  ActionSummary,
  CommandFact,
  KnownFile,
} from '../../src/schema/state-parts/run-facts.ts';
import { doesOf, stepOf } from './built-in-tools.ts';

const OPENED: Located<RecordOf<'run_opened'>> = {
  ...{ seq: 1, ts: 0, offset: 0 },
  type: 'run_opened',
  format: FORMAT_VERSION,
  run: 'r',
  goal: 'say hello',
  goalHash: 'h',
  startedAt: 0,
  version: '0',
};

export const settings = (
  driver: DriverName,
  mayChangeDriver = false,
): NonNullable<RunState['settings']> => ({
  provider: 'p',
  model: 'm',
  digest: null,
  driver,
  numCtx: 8192,
  temperature: 0,
  seed: 0,
  mayChangeDriver,
  systemPrompt: '',
  tools: '[]',
  why: '',
});

/** A run before its plan; `more` is laid over it. */
export const bareState = (driver: DriverName, more: Partial<RunState> = {}): RunState => ({
  ...initialState(OPENED),
  settings: settings(driver),
  ...more,
});

export const subtask = (
  id: string,
  step: SubtaskStep | undefined,
  more: Partial<Subtask> = {},
): Subtask => ({
  id,
  ...(step ? { step } : {}),
  purpose: 'it is wanted',
  checks: [],
  status: 'pending',
  ...more,
});

export const WRITE = stepOf('write_file', 'hello.mjs');
export const RUN = stepOf('run_cmd', 'node hello.mjs');

export const planOf = (subtasks: readonly Subtask[], more: Partial<Plan> = {}): Plan => ({
  tasks: [{ id: '1', description: 'the task', subtasks: [...subtasks] }],
  fallback: false,
  ...more,
});

const NOTHING_DONE: ActiveSubtask = {
  id: '1.1',
  startedSeq: 5,
  actions: [],
  succeeded: 0,
  repairs: {},
  gateRefusals: 0,
  checkFailures: 0,
  reportedFailures: 0,
  nudges: 0,
  invalidReplies: 0,
  blocks: 0,
  claim: null,
};

export const active = (more: Partial<ActiveSubtask> = {}): ActiveSubtask => ({
  ...NOTHING_DONE,
  ...more,
});

/** A round of subtask 1.1 that is under way. */
export const round = (more: Partial<RoundState> = {}): RoundState => ({
  n: 1,
  subtask: '1.1',
  origin: 'decision',
  turns: 0,
  actions: 0,
  isOver: false,
  ...more,
});

export const action = (
  tool: string,
  target: string,
  more: Partial<ActionSummary> = {},
): ActionSummary => ({
  id: '1.1#1#0',
  tool,
  ...doesOf(tool),
  target,
  status: 'ok',
  head: 'done',
  ...more,
});

export const command = (cmd: string, more: Partial<CommandFact> = {}): CommandFact => ({
  cmd,
  stdin: null,
  subtask: '1.1',
  status: 'ok',
  exitCode: 0,
  head: 'boom',
  offset: 0,
  asksForInput: null,
  ...more,
});

export const failed = (cmd: string, more: Partial<CommandFact> = {}): CommandFact =>
  command(cmd, { exitCode: 1, ...more });

export const file = (more: Partial<KnownFile> = {}): KnownFile => ({
  hash: 'abc',
  written: true,
  baseline: null,
  rejected: null,
  problems: [],
  defines: [],
  prompts: [],
  ...more,
});

export const claim = (more: Partial<SubtaskClaim> = {}): SubtaskClaim => ({
  success: true,
  reason: 'it works',
  answer: null,
  evidence: true,
  isOpen: true,
  checks: [],
  ...more,
});

/** A conversation of engine messages with these causes, of seq 11, 12, … */
export const said = (...causes: readonly MessageCause[]): readonly MessageRef[] =>
  causes.map((cause, index) => ({
    seq: 11 + index,
    offset: 0,
    role: 'user',
    cause,
    length: 10,
  }));

/** The last turn, of seq 20: a text where an action was wanted, unless said otherwise. */
export const turn = (more: Partial<LastTurn> = {}): LastTurn => ({
  seq: 20,
  offset: 0,
  turn: 3,
  purpose: 'action',
  target: null,
  status: { kind: 'success' },
  detail: '',
  hint: '',
  decoded: 'text',
  error: '',
  ...more,
});

export const content = (more: Partial<ContentRequest> = {}): ContentRequest => ({
  file: 'hello.mjs',
  tries: 0,
  faults: [],
  ...more,
});

/** Calls that were decided on; `unreportedResult` names the tool of one that is finished and not told. */
export const pending = (
  tools: readonly string[],
  {
    unreportedResult,
    ...more
  }: { unreportedResult?: string; isHalted?: boolean; next?: number } = {},
): NonNullable<RunState['pending']> => ({
  calls: tools.map((name, index) => ({ id: `c${index}`, name, args: {} })),
  next: 0,
  areRecovered: false,
  unreportedResult:
    unreportedResult === undefined
      ? null
      : {
          seq: 9,
          offset: 0,
          length: 4,
          callId: 'c0',
          tool: unreportedResult,
          ...doesOf(unreportedResult),
        },
  isHalted: false,
  ...more,
});

export const counters = (more: Partial<RunState['counters']>): RunState['counters'] => ({
  ...initialState(OPENED).counters,
  ...more,
});
