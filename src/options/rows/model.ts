/** Options that choose the model, limit a run, or name its settings. */
import {
  DEFAULT_MAX_ROUNDS,
  DEFAULT_TEMPERATURE,
  DEFAULT_TOOL_MODE,
  EFFORTS,
  MAX_PARALLEL,
  MIN_TOOL_RESULT,
} from '../../schema/config.ts';
import { RUNS, SET_FOR_ALL, SET_FOR_RUNS, WORKS } from '../commands.ts';
import {
  address,
  choice,
  decimal,
  documents,
  file,
  flag,
  folder,
  freeText,
  orDefault,
  texts,
  timeSpan,
  tokenCount,
  usDollars,
  whole,
} from '../kinds.ts';
import type { OptionRow } from '../row.ts';

const TOOL_MODES = [DEFAULT_TOOL_MODE, 'native', 'json'] as const;
const ROUNDS = `${DEFAULT_MAX_ROUNDS.free} where the model leads, else ${DEFAULT_MAX_ROUNDS.guided}`;

export const MODEL_ROWS = {
  workspace: {
    kind: folder,
    isFirst: true,
    library: 'apart',
    flag: '-w, --workspace <folder>',
    on: 'all',
    about: 'folder to work in (default: this one)',
    isRepeated: true,
  },
  model: {
    kind: freeText,
    isFirst: true,
    library: 'apart',
    isKept: true,
    isRepeated: true,
    flag: '-m, --model <model>',
    on: [...SET_FOR_ALL, 'doctor', 'setup'],
    about: 'NAME, PROVIDER/NAME, {files}',
    setting: 'model',
    inFile: 'NAME or PROVIDER/NAME, as after --model.',
    project: 'reached',
    variable: { ofProvider: 'modelVariable' },
  },
  /** The model that plans: `PROVIDER/NAME`; another model then works by that plan, in its own conversation. */
  'models.plan': {
    kind: freeText,
    library: 'run',
    isKept: true,
    flag: '--plan-model <model>',
    on: ['run'],
    about: 'PROVIDER/NAME of the model that plans; the other one works',
    setting: 'models.plan',
    inFile: 'PROVIDER/NAME of the model that plans a run.',
  },
  /** The model that works, if it is not the model of the run. */
  'models.work': {
    kind: freeText,
    library: 'run',
    isKept: true,
    setting: 'models.work',
    inFile: 'PROVIDER/NAME of the model that works by the plan; left out: the model.',
  },
  host: {
    kind: freeText,
    isRepeated: true,
    isAddress: true,
    flag: '--host <address>',
    on: [...SET_FOR_ALL, 'doctor', 'models', 'setup', 'serve'],
    about: 'address of {hosts}',
    variable: { ofProvider: 'hostVariable' },
  },
  baseUrl: {
    kind: address,
    library: 'apart',
    isKept: true,
    isRepeated: true,
    isAddress: true,
    flag: '--base-url <url>',
    on: [...SET_FOR_ALL, 'doctor', 'models'],
    about: 'address of an API, such as an OpenAI-compatible server',
    variable: { ofProvider: 'urlVariable' },
  },
  fallbacks: {
    kind: texts('A model.', 20),
    library: 'apart',
    isRepeated: true,
    flag: '--fallback <model>',
    on: SET_FOR_ALL,
    about: 'model to use if the chosen one fails; repeatable',
    setting: 'fallbacks',
    inFile: 'Models to use, in order, if the model fails.',
    project: 'reached',
  },
  /** Limits the rounds from this call on; a run that reaches the limit pauses. */
  maxRounds: {
    kind: whole(1, 10_000, 0),
    isLimit: true,
    library: 'run',
    isRepeated: true,
    flag: '--max-rounds <n>',
    on: SET_FOR_RUNS,
    about: `pause after this many rounds (default: ${ROUNDS})`,
    setting: 'limits.maxRounds',
    inFile: 'Pause after this many rounds of one start.',
    project: 'narrow',
    narrowFrom: DEFAULT_MAX_ROUNDS.guided,
    usually: ROUNDS,
  },
  /** How many separable subtasks of the plan are worked on at once, each as a run of its own. */
  parallel: {
    kind: whole(1, MAX_PARALLEL),
    library: 'run',
    flag: '--parallel <n>',
    on: RUNS,
    about:
      'work on up to this many independent subtasks at once, each as a run of its own (default: 1)',
    usually: '1',
  },
  /** Limits the tokens of the whole run, of every class, before each request. */
  maxTokens: {
    kind: tokenCount,
    isLimit: true,
    library: 'run',
    isRepeated: true,
    flag: '--max-tokens <n>',
    on: SET_FOR_RUNS,
    about: 'pause after this many tokens over the whole run, cached ones included',
    setting: 'limits.maxTokens',
    inFile: 'Pause after this many tokens over the whole run.',
    project: 'narrow',
  },
  /** US dollars for the whole run. Every model that may be asked must have a known price. */
  maxCost: {
    kind: usDollars,
    isLimit: true,
    isFirst: true,
    library: 'run',
    isRepeated: true,
    flag: '--max-cost <usd>',
    on: SET_FOR_RUNS,
    about: 'pause when the whole run has cost this many US dollars',
    setting: 'limits.maxCost',
    inFile: 'Pause when the whole run has cost this many US dollars.',
    project: 'narrow',
  },
  /** Milliseconds from this call on. */
  maxTimeMs: {
    kind: timeSpan,
    isLimit: true,
    isFirst: true,
    library: 'run',
    isRepeated: true,
    flag: '--max-time <time>',
    on: SET_FOR_RUNS,
    about: 'pause after this much time: 90s, 10m, 2h',
    setting: 'limits.maxTime',
    inFile: 'Pause this long after each start: 90s, 10m, 2h.',
    project: 'narrow',
  },
  /** Whether AGENTS.md and similar files reach the model, or which; left out: all. A resumed run keeps its own. */
  instructions: {
    kind: documents,
    library: 'both',
    usual: true,
    flag: '--no-instructions',
    on: [...SET_FOR_ALL, 'doctor'],
    about: 'keep AGENTS.md and similar files from the model',
    setting: 'instructions',
    inFile:
      'Whether the model reads instruction files of the project, or the names of those it reads.',
    project: 'suggest',
  },
  config: {
    kind: file,
    isRepeated: true,
    flag: '--config <file>',
    on: [...SET_FOR_ALL, 'mcp', 'doctor', 'models', 'setup'],
    about: 'settings file to use instead of your own',
  },
  ignoreSettings: {
    kind: flag(),
    variable: 'TARDIGRADE_NO_CONFIG',
  },
  record: {
    kind: file,
    isRepeated: true,
    flag: '--record <file>',
    on: RUNS,
    about: "record the model's turns for replay",
  },
  /** Tokens; left out: the run's own so far, else the largest that the model and a laptop can handle. */
  contextWindow: {
    kind: whole(1024, 10_000_000, 1),
    library: 'both',
    isKept: true,
    isRepeated: true,
    flag: '--context <tokens>',
    on: SET_FOR_ALL,
    about:
      "the model's context window (default: the largest that the model and this machine can handle)",
    setting: 'contextWindow',
    inFile: "The model's context window in tokens.",
    project: 'suggest',
  },
  /** 0 to 2; left out: 0.2 for a run, and the model's own for a conversation. */
  temperature: {
    kind: decimal(0, 2),
    library: 'both',
    isRepeated: true,
    flag: '--temperature <t>',
    also: ['--temp'],
    on: SET_FOR_ALL,
    about: `0 to 2 (default: ${DEFAULT_TEMPERATURE})`,
    setting: 'temperature',
    inFile: '0 to 2.',
    project: 'suggest',
    usual: DEFAULT_TEMPERATURE,
  },
  /** How much the model may think; left out: the run's own so far, else the model's default. */
  effort: {
    kind: choice(EFFORTS, 'effort'),
    isFirst: true,
    library: 'both',
    isKept: true,
    flag: '--effort <level>',
    on: SET_FOR_ALL,
    about: `how much the model may think: ${EFFORTS.join(', ')} (default: the model's own)`,
    setting: 'effort',
    inFile: 'How much the model may think.',
    project: 'suggest',
  },
  /**
   * Characters of a tool's result that the model sees, at most about an eighth of the window; left out: the run's own
   * so far, else 40,000, or 8,000 for a guided model.
   */
  maxToolResultChars: {
    kind: whole(MIN_TOOL_RESULT, 10_000_000),
    library: 'both',
    isKept: true,
    flag: '--max-tool-result-chars <n>',
    on: SET_FOR_ALL,
    about: "longest tool result that the model sees (default: by the model's window)",
    setting: 'maxToolResultChars',
    inFile: 'The longest tool result that the model sees, in characters.',
    project: 'suggest',
  },
  /** Left out or `null`: derived from goal, turn and attempt. */
  seed: {
    kind: orDefault(whole(0, 2 ** 31 - 1)),
    library: 'both',
    flag: '--seed <n>',
    on: WORKS,
    about: 'seed for every turn (default: from goal and turn)',
  },
  /** Left out: `auto`, decided by the model's capabilities. */
  toolMode: {
    kind: choice(TOOL_MODES, 'tool mode', 'Give auto, native or json.'),
    library: 'both',
    isKept: true,
    flag: '--tool-mode <mode>',
    on: SET_FOR_ALL,
    about: `native: tool calls; json: one guided step at a time, for small models; auto: by model size (default: ${DEFAULT_TOOL_MODE})`,
    setting: 'toolMode',
    inFile:
      'native: tool calls; json: one guided step at a time, for small models; auto: by model size.',
    project: 'suggest',
    usual: DEFAULT_TOOL_MODE,
  },
} as const satisfies { readonly [name: string]: OptionRow };
