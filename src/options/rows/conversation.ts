/** Options of a conversation, and limits of a single message. */
import { DEFAULT_MAX_ITERATIONS } from '../../schema/config.ts';
import type { CommandName } from '../commands.ts';
import { file, flag, freeText, whole } from '../kinds.ts';
import type { OptionRow } from '../row.ts';

/** Commands whose output programs read. */
const TELLS: readonly CommandName[] = [
  'update',
  ...([
    'run',
    'resume',
    'status',
    'attach',
    'plan',
    'diff',
    'history',
    'show',
    'runs',
    'stats',
    'chat',
  ] as const),
  ...(['sessions', 'undo', 'apply', 'adopt', 'approve', 'deny', 'config', 'mcp'] as const),
  ...(['models', 'doctor', 'repair'] as const),
];

const atLeastOne = (most: number) => whole(1, most);

export const CONVERSATION_ROWS = {
  json: {
    kind: flag(),
    isFirst: true,
    flag: '--json',
    on: TELLS,
    about: 'machine-readable output on stdout',
  },
  exec: {
    kind: freeText,
    isFirst: true,
    flag: '--exec <text>',
    on: ['chat'],
    about: 'answer one message and exit; - reads it from stdin',
  },
  session: {
    kind: freeText,
    isFirst: true,
    flag: '--session <name>',
    on: ['chat'],
    about: 'open the conversation with this name or number, or begin it',
  },
  resume: {
    kind: flag(),
    isFirst: true,
    library: 'apart',
    flag: '--resume',
    on: ['chat'],
    about: 'continue the last conversation',
  },
  /** Calls for one message; left out: no limit. */
  maxToolCalls: {
    kind: atLeastOne(10_000),
    library: 'chat',
    flag: '--max-tool-calls <n>',
    on: ['chat'],
    about: 'most tool calls for one message (default: no limit)',
    setting: 'chat.maxToolCalls',
    inFile: 'Tool calls for one message.',
  },
  /** Turns for one message; 25. */
  maxIterations: {
    kind: atLeastOne(10_000),
    library: 'chat',
    flag: '--max-turns <n>',
    on: ['chat'],
    about: `most model turns for one message (default: ${DEFAULT_MAX_ITERATIONS})`,
    usually: String(DEFAULT_MAX_ITERATIONS),
    setting: 'chat.maxTurns',
    inFile: 'Turns of the model for one message.',
  },
  /** Attempts of a turn, over all models; left out: as many as a run makes. */
  maxRetries: {
    kind: atLeastOne(1_000),
    library: 'chat',
    flag: '--max-retries <n>',
    on: ['chat'],
    about: 'most attempts of one turn, over all models',
    setting: 'chat.maxRetries',
    inFile: 'Attempts of one turn, over all models.',
  },
  showThinking: {
    kind: flag(),
    flag: '--show-thinking',
    on: ['chat'],
    about: "show the model's thoughts; /thinking toggles them",
  },
  system: {
    kind: file,
    library: 'apart',
    flag: '--system <file>',
    on: ['chat'],
    about: 'who the model is: a file, or a text of several words',
  },
  load: {
    kind: file,
    flag: '--load <file>',
    on: ['chat'],
    about: 'begin with the messages in this file',
  },
  save: {
    kind: file,
    flag: '--save <file>',
    on: ['chat'],
    about: 'write the conversation to this file at the end',
  },
  init: {
    kind: flag(),
    flag: '--init',
    on: ['chat'],
    about: 'write a first AGENTS.md if there is none',
  },
  format: {
    kind: freeText,
    flag: '--format <form>',
    on: ['export'],
    about:
      'transcript: one message a line (default); events: the form of --log; session: the log form of other programs; html: a run as one page; template: its plan',
  },
  /** Calls of one reply that are carried out; left out: all. */
  maxToolCallsPerReply: {
    kind: atLeastOne(10_000),
    library: 'chat',
  },
  /**
   * True: the last turn of a message offers no tools and tells the model so, in order to get an answer. Left
   * out: a message ends after its last turn, with or without an answer.
   */
  closingTurn: { kind: flag(), library: 'chat' },
  /** Turns of one message that do not count, because none of their calls succeeded; 0. */
  freeIdleTurns: {
    kind: atLeastOne(10_000),
    library: 'chat',
  },
  /** False: only the tools of `tools` and of `servers`. Left out: the built-in ones, too. */
  builtinTools: { kind: flag(), library: 'chat', usual: true },
} as const satisfies { readonly [name: string]: OptionRow };
