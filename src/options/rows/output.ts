/** Options for output, logs and permissions. */
import { WORKS } from '../commands.ts';
import { file, flag, texts } from '../kinds.ts';
import type { OptionRow } from '../row.ts';

export const OUTPUT_ROWS = {
  follow: {
    kind: flag(),
    flag: '-f, --follow',
    on: ['history'],
    about: 'keep showing new records',
  },
  /** True allows every call that would be asked about; a denied call stays denied. */
  yes: {
    kind: flag(),
    isFirst: true,
    library: 'both',
    usual: false,
    flag: '-y, --yes',
    on: [...WORKS, 'undo', 'adopt', 'repair', 'mcp', 'update'],
    about: 'answer every question with yes; what is denied stays denied',
    // Never remembered: the command for continuing shows it.
    isRepeated: true,
  },
  /** Rules that were allowed "always here", to be asked about again. */
  forget: {
    kind: texts('One rule.', 500),
    flag: '--forget <rule>',
    on: ['config'],
    about: 'take back what you allowed "always here"; repeatable',
  },
  /** True runs programs of the workspace's own folders (`.venv`, `node_modules/.bin`) without asking. */
  trustPrograms: {
    kind: flag(),
    library: 'both',
    usual: false,
    flag: '--trust-programs',
    on: WORKS,
    about: 'run programs that came with the folder',
  },
  /** True: the model has a tool for shell lines; each line is asked about. */
  shell: {
    kind: flag(),
    library: 'both',
    usual: false,
    isRepeated: true,
    flag: '--shell',
    on: WORKS,
    about: 'let the model propose shell commands; each asks',
  },
  python: {
    kind: flag(),
    flag: '--python',
    on: ['demo'],
    about: 'use the goal that writes Python',
  },
  clean: {
    kind: flag(),
    flag: '--clean',
    on: ['demo'],
    about: "remove the demo's folder afterwards",
  },
  demoFleet: {
    kind: flag(),
    flag: '--fleet',
    on: ['demo'],
    about: 'three workers, one of which is killed; needs restate-server',
  },
  check: {
    kind: flag(),
    flag: '--check',
    on: ['update'],
    about: 'ask the registry for the newest version',
  },
  all: {
    kind: flag(),
    flag: '--all',
    on: ['undo'],
    about: 'undo every message of a conversation',
  },
  raw: {
    kind: flag(),
    flag: '--raw',
    on: ['history'],
    about: 'show the records by their names in the journal',
  },
  verbose: {
    kind: flag(),
    isFirst: true,
    flag: '-v, --verbose',
    on: [...WORKS, 'models', 'doctor', 'history'],
    about: 'show more; in a run, one line for each request and answer',
  },
  /**
   * Whether a bell, or a notification of the terminal, calls a person who looks elsewhere when work ends or a question
   * waits.
   */
  notify: {
    kind: { ...flag(false), form: (z, about) => z.boolean().describe(about) },
    flag: '--no-notify',
    on: WORKS,
    about: 'no bell when work ends or a question waits unseen',
    setting: 'notify',
    inFile: 'Whether a bell rings when work ends or a question waits while you look elsewhere.',
    usual: true,
  },
  traceLlm: {
    kind: flag(),
    flag: '--trace-llm',
    on: WORKS,
    about: 'show every request and answer of the model in full',
  },
  traceMcp: {
    kind: flag(),
    flag: '--trace-mcp',
    on: WORKS,
    about: 'show every tool call and result in full',
  },
  log: {
    kind: file,
    isRepeated: true,
    flag: '--log <file>',
    on: WORKS,
    about: 'append events to this file, one JSON record a line',
  },
  accounting: {
    kind: file,
    isRepeated: true,
    flag: '--accounting <file>',
    on: WORKS,
    about: 'append the cost of each request and call to this file',
  },
  debug: {
    kind: flag(),
    flag: '--debug',
    on: 'all',
    about: "show the engine's records and error stacks",
  },
  quiet: {
    kind: flag(),
    isFirst: true,
    flag: '-q, --quiet',
    on: [...WORKS, 'setup'],
    about: 'show only errors and the end',
  },
} as const satisfies { readonly [name: string]: OptionRow };
