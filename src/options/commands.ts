/** Pure data: every command with its purpose, its operands and its exit codes. */

/** The headings of command groups in the help, in this order. */
export const COMMAND_GROUPS = {
  first: 'Commands:',
  look: 'Look and decide:',
  'set up': 'Set up and serve:',
  seldom: 'Seldom needed:',
} as const;
export type CommandGroup = keyof typeof COMMAND_GROUPS;

export interface CommandRow {
  readonly about: string;
  readonly group: CommandGroup;
  /** As the help shows them: `[file or run]`. */
  readonly operands?: string;
  /** The command whose options it takes, if they are not its own. */
  readonly takesOptionsOf?: string;
  /** The options that the help lists; left out: all. */
  readonly helpOptions?: readonly string[];
  /** What an option is for here, by its name, if that differs. */
  readonly abouts?: { readonly [option: string]: string };
  /** Reads settings files. A broken file must not keep anybody from looking at a run, or from undoing it. */
  readonly usesSettings?: true;
  /** Works with a model in the folder, so it writes there. */
  readonly works?: true;
}

export type CommandTable = { readonly [name: string]: CommandRow };

export const COMMANDS = {
  run: {
    about: 'Work on a goal; "run" itself may be left out',
    group: 'first',
    operands: '[goal]',
    usesSettings: true,
    works: true,
  },
  ask: {
    about: 'Answer a question about this folder',
    group: 'first',
    operands: '[question]',
    takesOptionsOf: 'run',
    helpOptions: ['workspace', 'model', 'json', 'quiet'],
    usesSettings: true,
    works: true,
  },
  chat: {
    about: 'Talk to the model in this folder; the default command',
    group: 'first',
    usesSettings: true,
    works: true,
  },
  resume: {
    about: 'Continue the run in this folder, or the one with this number',
    group: 'first',
    operands: '[run]',
    usesSettings: true,
    works: true,
  },
  status: {
    about: 'Show where the run or the conversation stands',
    group: 'first',
    operands: '[run]',
  },
  diff: {
    about: 'Show what a run changed, in all files or in one',
    group: 'first',
    operands: '[file or run]',
  },
  undo: {
    about: 'Put back what a run or the last message changed, or one file',
    group: 'first',
    operands: '[file or run]',
  },
  doctor: {
    about: 'Check what a run needs, and say what to do',
    group: 'first',
    usesSettings: true,
  },
  attach: {
    about: 'Follow the work of another terminal and answer its questions',
    group: 'look',
    operands: '[run]',
  },
  plan: {
    about: 'Show the plan and its progress; with a goal, plan it and ask before any work',
    group: 'look',
    operands: '[run]',
  },
  history: {
    about: 'Show what happened, one line each',
    group: 'look',
    operands: '[run]',
  },
  templates: {
    about: 'List the plan templates, or show one',
    group: 'look',
    operands: '[template]',
  },
  runs: {
    about: 'List all runs of this folder',
    group: 'look',
  },
  sessions: {
    about: 'List the conversations of this folder',
    group: 'look',
  },
  approve: {
    about: 'Say yes to a call that the run waits for',
    group: 'look',
    operands: '[run] [id]',
  },
  deny: {
    about: 'Say no to a call that the run waits for',
    group: 'look',
    operands: '[run] [id]',
  },
  apply: {
    about: "Bring in a run's withheld changes",
    group: 'look',
  },
  setup: {
    about: 'Get a model, with Ollama (setup ollama) or without (setup embedded)',
    group: 'set up',
    operands: '[part]',
    abouts: { model: 'the model to get; see below' },
    usesSettings: true,
  },
  models: {
    about: 'List the models you can use',
    group: 'set up',
    usesSettings: true,
  },
  config: {
    about: 'Show every setting and where it comes from',
    group: 'set up',
    usesSettings: true,
  },
  mcp: {
    about: 'List, add and remove MCP servers, or be one (mcp serve)',
    group: 'set up',
    operands: '[what] [server] [place]',
    usesSettings: true,
  },
  serve: {
    about: 'Show runs and conversations in a browser and over HTTP',
    group: 'set up',
    helpOptions: ['port', 'host', 'roots', 'maxRuns', 'link', 'rights', 'workspace'],
    abouts: { host: 'address to listen at: 127.0.0.1 (default) or ::1' },
    usesSettings: true,
  },
  acp: {
    about: 'Work inside an editor (Agent Client Protocol)',
    group: 'set up',
    takesOptionsOf: 'chat',
    helpOptions: ['model', 'baseUrl', 'effort', 'allow', 'deny', 'sandbox', 'config', 'log'],
    usesSettings: true,
  },
  demo: {
    about: 'Watch a run being killed and resumed; needs no model',
    group: 'set up',
  },
  update: {
    about: 'Say how to update this program, and do it after a yes',
    group: 'set up',
  },
  completion: {
    about: 'Print a completion script for your shell',
    group: 'set up',
    operands: '[shell]',
  },
  stats: {
    about: 'Sum up your runs by model: results and cost',
    group: 'seldom',
  },
  submit: {
    about: 'Give a goal to a fleet of workers',
    group: 'seldom',
    operands: '[goal]',
    takesOptionsOf: 'run',
    helpOptions: ['fleet', 'home', 'tenant', 'cancel', 'workspace', 'model'],
    usesSettings: true,
  },
  worker: {
    about: 'Make this machine a worker of a fleet',
    group: 'seldom',
    helpOptions: ['listen', 'roots', 'home', 'maxRuns', 'sandbox', 'workspace'],
    abouts: {
      maxRuns: 'most slices at once (default: four a processor)',
      sandbox: 'confine commands: require (default), auto or off',
    },
    usesSettings: true,
  },
  show: {
    about: 'Show one record of the journal in full',
    group: 'seldom',
    operands: '[record]',
  },
  export: {
    about: 'Write a conversation as JSON lines, or a run as a page or a template',
    group: 'seldom',
    operands: '[session]',
  },
  adopt: {
    about: 'Take over a run that came with the folder',
    group: 'seldom',
  },
  repair: {
    about: 'Repair a damaged journal; says first what would be lost',
    group: 'seldom',
  },
} as const satisfies CommandTable;

export type CommandName = keyof typeof COMMANDS;

export const COMMAND_NAMES = Object.keys(COMMANDS) as readonly CommandName[];

export const isCommandName = (word: string): word is CommandName => Object.hasOwn(COMMANDS, word);

export const commandRow = (name: CommandName): CommandRow => COMMANDS[name];

/** Words that other programs have as commands: what follows them here is not a goal. */
export const NO_COMMANDS: ReadonlySet<string> = new Set('log template eval'.split(' '));

export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type Shell = (typeof SHELLS)[number];

export const RUNS: readonly CommandName[] = ['run', 'resume'];
export const WORKS: readonly CommandName[] = [...RUNS, 'chat'];
/** Commands that accept the options of a run: to work, or only to look. */
export const SET_FOR_RUNS: readonly CommandName[] = [...RUNS, 'config'];
export const SET_FOR_ALL: readonly CommandName[] = [...SET_FOR_RUNS, 'chat'];
