import { defined } from '../../lib/defined.ts';
import { limitsIn } from '../../schema/journal/limits.ts';
import { NO_USAGE } from '../../schema/model/turn.ts';
import type { Located, RecordOf } from '../../schema/records.ts';
import type { ActiveSubtask, RunState } from '../../schema/state.ts';
import type { ChatState } from '../../schema/state-parts/chat-state.ts';
import { NO_SURVEY } from '../../schema/state-parts/run-facts.ts';
import { EMPTY_LOOP_WINDOW } from '../loop-detector.ts';
import { NO_COMMAND_CHANGES } from './files/command-changes.ts';
import { NOTHING_FAILED } from './model/ways.ts';

export const NO_RECOVERY: RunState['overflowRecovery'] = {
  compactions: 0,
  cuts: 0,
  isSubtaskOver: false,
};

const NOTHING_DONE: RunState['counters'] = {
  rounds: 0,
  roundsSinceResume: 0,
  turns: 0,
  attempts: 0,
  actions: 0,
  commands: 0,
  replans: 0,
  planTries: 0,
  proofTries: 0,
  compactions: 0,
  nativeFailures: 0,
  readCalls: 0,
};

const NOTHING_USED: RunState['usage'] = { total: NO_USAGE, last: null, lastChars: 0, floor: {} };

export const initialState = (opened: Located<RecordOf<'run_opened'>>): RunState => ({
  run: opened.run,
  format: opened.format,
  goal: opened.goal,
  goalHash: opened.goalHash,
  ...(opened.conversation === undefined ? {} : { chat: initialChat(opened) }),
  startedAt: opened.startedAt,
  version: opened.version,
  ...defined({ mac: opened.mac, wants: opened.wants, keep: opened.keep }),
  ...defined({ withTests: opened.withTests, models: opened.models, givenProof: opened.proof }),
  seq: opened.seq,
  workedMs: 0,
  lastAt: opened.ts,
  settings: null,
  settingsOffset: 0,
  phase: { name: 'planning' },
  plan: null,
  active: null,
  round: null,
  counters: NOTHING_DONE,
  overflowRecovery: NO_RECOVERY,
  emptyCuts: 0,
  conversation: [],
  mainConversation: null,
  pending: null,
  ...(opened.agreePlan ? { agreement: 'due' as const } : {}),
  guided: { contentRequest: null, ...(opened.plainTry ? { plainTry: { is: 'due' } } : {}) },
  free: { survey: NO_SURVEY },
  limits: limitsIn(opened.limits ?? {}),
  intents: {},
  files: {},
  kept: null,
  commandChanges: NO_COMMAND_CHANGES,
  commands: [],
  recentErrors: [],
  loop: EMPTY_LOOP_WINDOW,
  usage: NOTHING_USED,
  lastTurn: null,
  ...NOTHING_FAILED,
  proof: null,
  changedAt: 0,
  finalProof: null,
  isProofSeenBefore: false,
  replan: null,
  givenUp: null,
  undo: null,
  paused: null,
  ended: null,
  verdict: null,
  answer: null,
  report: null,
});

export const freshSubtask = (id: string, startedSeq: number): ActiveSubtask => ({
  id,
  startedSeq,
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
});

const initialChat = ({
  conversation: { name, before } = {},
  number,
}: RecordOf<'run_opened'>): ChatState => ({
  name: name ?? null,
  number: number ?? null,
  before: before ?? null,
  next: null,
  limits: {},
  open: null,
  last: null,
  messages: 0,
  invalid: 0,
  fileWanted: null,
  changing: [],
  undoing: null,
  putBack: [],
});
