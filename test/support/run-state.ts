/** States of a run in a few words, for tables "state -> what follows". */
import { initialState } from '../../src/context-manager/fold/initial.ts';
import type { Plan, Subtask, SubtaskStep } from '../../src/schema/plan.ts';
import type { MessageCause, RecordOf, ToolMode } from '../../src/schema/records.ts';
import type {
  ActionStub,
  ActiveSubtask,
  Claim,
  CommandFact,
  KnownFile,
  LastTurn,
  MessageRef,
  RoundState,
  RunState,
} from '../../src/schema/state.ts';

const OPENED: RecordOf<'run_opened'> = {
  type: 'run_opened',
  format: 1,
  run: 'r',
  goal: 'say hello',
  goalHash: 'h',
  startedAt: 0,
  version: '0',
};

export const settings = (
  mode: ToolMode,
  isModeFree = false,
): NonNullable<RunState['settings']> => ({
  provider: 'p',
  model: 'm',
  digest: null,
  mode,
  numCtx: 8192,
  temperature: 0,
  seed: 0,
  isModeFree,
  systemPrompt: '',
  tools: [],
  why: '',
});

/** A run before its plan; `more` is laid over it. */
export const bareState = (mode: ToolMode, more: Partial<RunState> = {}): RunState => ({
  ...initialState(OPENED, 1),
  settings: settings(mode),
  ...more,
});

export const subtask = (id: string, step: SubtaskStep, more: Partial<Subtask> = {}): Subtask => ({
  id,
  step,
  purpose: 'it is wanted',
  checks: [],
  status: 'pending',
  ...more,
});

export const WRITE: SubtaskStep = { action: 'write_file', file: 'hello.mjs' };
export const RUN: SubtaskStep = { action: 'run_cmd', cmd: 'node hello.mjs' };

export const planOf = (subtasks: readonly Subtask[], more: Partial<Plan> = {}): Plan => ({
  tasks: [{ id: '1', description: 'the task', subtasks: [...subtasks] }],
  fallback: false,
  ...more,
});

const NOTHING_DONE: ActiveSubtask = {
  id: '1.1',
  startedSeq: 5,
  stubs: [],
  succeeded: 0,
  repairs: {},
  standsBy: [],
  fewestFailing: null,
  gateRefusals: 0,
  checkFailures: 0,
  saidFailure: 0,
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

export const stub = (tool: string, target: string, more: Partial<ActionStub> = {}): ActionStub => ({
  id: '1.1#1#0',
  tool,
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
  problems: [],
  defines: [],
  prompts: [],
  ...more,
});

export const claim = (more: Partial<Claim> = {}): Claim => ({
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
  decoded: 'text',
  error: '',
  ...more,
});

export const content = (
  more: Partial<NonNullable<RunState['wantsContent']>> = {},
): NonNullable<RunState['wantsContent']> => ({
  file: 'hello.mjs',
  tries: 0,
  faults: [],
  isAnew: false,
  ...more,
});

/** Calls that were decided on; `untold` names the tool of one that is finished and not told. */
export const pending = (
  tools: readonly string[],
  { untold, ...more }: { untold?: string; isHalted?: boolean; next?: number } = {},
): NonNullable<RunState['pending']> => ({
  calls: tools.map((name, index) => ({ id: `c${index}`, name, args: {} })),
  next: 0,
  areRecovered: false,
  untold: untold === undefined ? null : { seq: 9, offset: 0, callId: 'c0', tool: untold },
  isHalted: false,
  ...more,
});

export const counters = (more: Partial<RunState['counters']>): RunState['counters'] => ({
  ...initialState(OPENED, 1).counters,
  ...more,
});
