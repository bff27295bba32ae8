import { PROVIDER_NAMES, rowOf } from '../host/providers.ts';
import { durationWord } from '../lib/duration.ts';
import {
  DEFAULT_DEADLINES,
  DEFAULT_MAX_ITERATIONS,
  DEFAULT_MAX_ROUNDS,
  DEFAULT_TEMPERATURE,
  DEFAULT_TOOL_MODE,
  EFFORTS,
} from '../schema/config.ts';

/** Pure data: every command with its options, the one place that names them. */
export const COMMANDS = {
  run: 'Work on a goal; "run" itself may be left out',
  ask: 'Answer a question about this folder',
  resume: 'Continue the run in this folder, or another by its number',
  status: 'Show where the run or the conversation stands',
  plan: 'Show the plan with the state of every subtask',
  diff: 'Show what a run changed, in all files or in one',
  history: 'Show what happened, one line each',
  show: 'Show one record of the journal whole',
  runs: 'List all goals this folder has worked on',
  chat: 'Talk with the model in this folder; agent alone does the same',
  sessions: 'List the conversations of this folder',
  export: 'Write a conversation to stdout, a JSON object a line',
  undo: 'Put back the files that a run, or the last message, has changed, or one file',
  apply: 'Bring in the changes of a run that were withheld, since nothing proves them',
  adopt: 'Take over a run that came with the folder',
  approve: 'Say yes to one call that the run waits for',
  deny: 'Say no to one call that the run waits for',
  config: 'Show every setting and where it comes from',
  mcp: 'List the servers of tools; approve those of the project, or ask again',
  models: 'List the models that can be used from here',
  doctor: 'Check what a run needs and say what to do',
  repair: 'Mend a damaged journal; says first what would be lost',
  setup: 'Get a model for Ollama (agent setup ollama), or without it (agent setup embedded)',
  demo: 'Watch a run being killed and resumed; needs no model',
} as const;

export type CommandName = keyof typeof COMMANDS;

export const COMMAND_NAMES = Object.keys(COMMANDS) as readonly CommandName[];

export const isCommandName = (word: string): word is CommandName => Object.hasOwn(COMMANDS, word);

export interface OptionSpec {
  readonly flags: string;
  readonly about: string;
  readonly on: readonly CommandName[] | 'all';
  readonly isRepeatable?: boolean;
}

/** `embedded:FILE.gguf or recorded:FILE`. */
const fileForms = (): string =>
  PROVIDER_NAMES.flatMap((name) => {
    const row = rowOf(name);
    return row.kind === 'hosted' || row.file === undefined ? [] : [`${name}:${row.file}`];
  }).join(' or ');

/** `Ollama (default: OLLAMA_HOST)`. */
const hosts = (): string =>
  PROVIDER_NAMES.map(rowOf)
    .flatMap((row) =>
      row.kind === 'local' && row.hostVariable !== undefined
        ? [`${row.label} (default: ${row.hostVariable})`]
        : [],
    )
    .join(', ');

const { connectMs, firstEventMs, idleMs, totalMs } = DEFAULT_DEADLINES;

const RUNS: readonly CommandName[] = ['run', 'resume'];
/** What works with a model. */
const WORKS: readonly CommandName[] = [...RUNS, 'chat'];
/** What is set for a run can also be looked at. */
const SET: readonly CommandName[] = [...RUNS, 'config'];
const SET_FOR_ALL: readonly CommandName[] = [...SET, 'chat'];

export const OPTIONS: readonly OptionSpec[] = [
  { flags: '-w, --workspace <folder>', about: 'folder to work in (default: this one)', on: 'all' },
  {
    flags: '-m, --model <model>',
    about: `NAME, PROVIDER/NAME, ${fileForms()}`,
    on: [...SET_FOR_ALL, 'doctor', 'setup'],
  },
  {
    flags: '--host <address>',
    about: `address of ${hosts()}`,
    on: [...SET_FOR_ALL, 'doctor', 'models', 'setup'],
  },
  {
    flags: '--base-url <url>',
    about: 'address of an API, such as an OpenAI-compatible server',
    on: [...SET_FOR_ALL, 'doctor', 'models'],
  },
  {
    flags: '--fallback <model>',
    about: 'model to use when the wanted one fails; may be repeated',
    on: SET_FOR_ALL,
    isRepeatable: true,
  },
  {
    flags: '--max-rounds <n>',
    about: `pause after this many rounds (default: ${DEFAULT_MAX_ROUNDS.free} where the model leads, else ${DEFAULT_MAX_ROUNDS.guided})`,
    on: SET,
  },
  {
    flags: '--max-tokens <n>',
    about: 'pause after this many tokens over the whole run, cached ones included',
    on: SET,
  },
  {
    flags: '--max-cost <usd>',
    about: 'pause when the whole run has cost this many US dollars',
    on: SET,
  },
  { flags: '--max-time <time>', about: 'pause after this time from now: 90s, 10m, 2h', on: SET },
  {
    flags: '--no-instructions',
    about: 'tell the model nothing of AGENTS.md and its like',
    on: [...SET_FOR_ALL, 'doctor'],
  },
  {
    flags: '--config <file>',
    about: 'settings to use in the place of your own file',
    on: [...SET_FOR_ALL, 'mcp', 'doctor', 'models', 'setup'],
  },
  { flags: '--record <file>', about: "record the model's turns for replay", on: RUNS },
  {
    flags: '--context <tokens>',
    about:
      "the model's context window (default: the largest that the model and this machine can handle)",
    on: SET_FOR_ALL,
  },
  {
    flags: '--temperature <t>',
    about: `0 to 2 (default: ${DEFAULT_TEMPERATURE})`,
    on: SET_FOR_ALL,
  },
  {
    flags: '--effort <level>',
    about: `how much the model may think: ${EFFORTS.join(', ')} (default: as it does by itself)`,
    on: SET_FOR_ALL,
  },
  {
    flags: '--max-tool-result-chars <n>',
    about: "longest result of a tool that the model sees (default: by the model's window)",
    on: SET_FOR_ALL,
  },
  { flags: '--seed <n>', about: 'seed for every turn (default: from goal and turn)', on: WORKS },
  {
    flags: '--tool-mode <mode>',
    about: `native: the model leads with tools; json: it is led; auto: by its size (default: ${DEFAULT_TOOL_MODE})`,
    on: SET_FOR_ALL,
  },
  {
    flags: '--allow <rule>',
    about: "let this be done unasked: make, 'git commit *', 'edit(.github/**)'; may be repeated",
    on: WORKS,
    isRepeatable: true,
  },
  {
    flags: '--deny <rule>',
    about: 'let this never be done; may be repeated',
    on: WORKS,
    isRepeatable: true,
  },
  {
    flags: '--sandbox <when>',
    about: 'confine commands: auto, where this machine can; require, or not at all; off (default)',
    on: [...SET_FOR_ALL, 'doctor'],
  },
  { flags: '--refresh-tools', about: "tell a run of the servers' tools as they are now", on: RUNS },
  {
    flags: '--connect-timeout <time>',
    about: `time allowed to connect (default: ${durationWord(connectMs)})`,
    on: WORKS,
  },
  {
    flags: '--first-word-timeout <time>',
    about: `time to the first token, loading included (default: ${durationWord(firstEventMs)})`,
    on: WORKS,
  },
  {
    flags: '--silence-timeout <time>',
    about: `longest silence in an answer (default: ${durationWord(idleMs)})`,
    on: WORKS,
  },
  {
    flags: '--turn-timeout <time>',
    about: `time for a whole answer (default: ${durationWord(totalMs)})`,
    on: WORKS,
  },
  { flags: '--keep', about: 'leave what a small model changed, proved or not', on: RUNS },
  { flags: '--again', about: 'start over even if the goal is finished', on: ['run'] },
  { flags: '--plan-first', about: 'a small model plans at once, without a plain try', on: ['run'] },
  {
    flags: '--force-unlock',
    about: 'take over the lock of an owner on another host',
    on: [...WORKS, 'undo', 'apply', 'adopt', 'repair'],
  },
  {
    flags: '--json',
    about: 'machine-readable output on stdout',
    on: [
      'run',
      'resume',
      'status',
      'plan',
      'diff',
      'history',
      'show',
      'runs',
      'chat',
      'sessions',
      'undo',
      'apply',
      'adopt',
      'approve',
      'deny',
      'config',
      'mcp',
      'models',
      'doctor',
      'repair',
    ],
  },
  {
    flags: '--exec <text>',
    about: 'answer this one message and end; - reads it from stdin',
    on: ['chat'],
  },
  {
    flags: '--session <name>',
    about: 'the conversation of this name or number; a new one where there is none',
    on: ['chat'],
  },
  { flags: '--resume', about: 'go on with the conversation that was held last', on: ['chat'] },
  {
    flags: '--max-tool-calls <n>',
    about: 'tool calls for one message (default: as many as come)',
    on: ['chat'],
  },
  {
    flags: '--max-turns <n>',
    about: `turns of the model for one message (default: ${DEFAULT_MAX_ITERATIONS})`,
    on: ['chat'],
  },
  { flags: '--max-retries <n>', about: 'attempts of one turn, over all models', on: ['chat'] },
  {
    flags: '--system <file>',
    about: 'what the model is told it is: a file, or a text of several words',
    on: ['chat'],
  },
  { flags: '--load <file>', about: 'begin with the messages of this file', on: ['chat'] },
  { flags: '--save <file>', about: 'write the conversation to this file at the end', on: ['chat'] },
  { flags: '--init', about: 'write a first AGENTS.md where there is none', on: ['chat'] },
  {
    flags: '--format <form>',
    about: 'transcript: a message a line (default); events: as --log has it',
    on: ['export'],
  },
  { flags: '-f, --follow', about: 'keep showing new records', on: ['history'] },
  { flags: '-y, --yes', about: 'do not ask', on: [...WORKS, 'undo', 'adopt', 'repair', 'mcp'] },
  { flags: '--trust-programs', about: 'run programs that the folder brings', on: WORKS },
  { flags: '--shell', about: 'let the model ask for lines of a shell', on: RUNS },
  { flags: '--python', about: 'the demo goal that writes Python', on: ['demo'] },
  { flags: '--clean', about: "remove the demo's folder at the end", on: ['demo'] },
  { flags: '--all', about: 'every message of a conversation', on: ['undo'] },
  { flags: '--raw', about: 'the records as they are named in the journal', on: ['history'] },
  {
    flags: '-v, --verbose',
    about: 'show more; of a run one line for each request and each answer',
    on: [...WORKS, 'models', 'doctor', 'history'],
  },
  { flags: '--trace-llm', about: 'show what the model is sent and answers, whole', on: WORKS },
  { flags: '--trace-mcp', about: 'show what tools are called with and return, whole', on: WORKS },
  { flags: '--log <file>', about: 'append what happens, one JSON record a line', on: WORKS },
  { flags: '--accounting <file>', about: 'append what each request and each call cost', on: WORKS },
  { flags: '--debug', about: "show the engine's records, and stacks of errors", on: 'all' },
  { flags: '-q, --quiet', about: 'show errors and the end only', on: [...WORKS, 'setup'] },
];

/** Other words for an option. */
export const ALIASES: { readonly [flag: string]: string } = { '--temp': '--temperature' };

export const optionsOf = (command: CommandName): readonly OptionSpec[] =>
  OPTIONS.filter((option) => option.on === 'all' || option.on.includes(command));

/** Options that take the next word, so that a value is never mistaken for a goal. */
export function takesValue(word: string): boolean {
  return OPTIONS.some(({ flags }) => {
    if (!flags.includes('<')) return false;
    const names = flags.replace(/ <.*/, '').split(', ');
    return names.includes(word);
  });
}
