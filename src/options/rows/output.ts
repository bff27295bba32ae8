/** What is shown and logged, and who is asked. */
import { RUNS, WORKS } from '../commands.ts';
import { file, flag } from '../kinds.ts';
import type { OptionRow } from '../row.ts';

export const OUTPUT_ROWS = {
  follow: {
    kind: flag(),
    group: 'output',
    flag: '-f, --follow',
    on: ['history'],
    about: 'keep showing new records',
  },
  /** True allows whatever would be asked; what is denied stays denied. */
  yes: {
    kind: flag(),
    group: 'rules',
    isFirst: true,
    library: 'both',
    usual: false,
    flag: '-y, --yes',
    on: [...WORKS, 'undo', 'adopt', 'repair', 'mcp', 'update'],
    about: 'do not ask',
    // Never remembered: who goes on with it sees it in the command.
    isRepeated: true,
  },
  /** True runs programs of the workspace's own folders (`.venv`, `node_modules/.bin`) without asking for them. */
  trustPrograms: {
    kind: flag(),
    group: 'rules',
    library: 'both',
    usual: false,
    flag: '--trust-programs',
    on: WORKS,
    about: 'run programs that the folder brings',
  },
  /** `true`: the model has a tool for lines of a shell, each of which is asked about. */
  shell: {
    kind: flag(),
    group: 'rules',
    library: 'run',
    usual: false,
    isRepeated: true,
    flag: '--shell',
    on: RUNS,
    about: 'let the model ask for lines of a shell',
  },
  python: {
    kind: flag(),
    group: 'work',
    flag: '--python',
    on: ['demo'],
    about: 'the demo goal that writes Python',
  },
  clean: {
    kind: flag(),
    group: 'work',
    flag: '--clean',
    on: ['demo'],
    about: "remove the demo's folder at the end",
  },
  demoFleet: {
    kind: flag(),
    group: 'work',
    flag: '--fleet',
    on: ['demo'],
    about: 'a fleet of three workers, of which one is killed; needs restate-server',
  },
  check: {
    kind: flag(),
    group: 'work',
    flag: '--check',
    on: ['update'],
    about: 'ask the registry which version is the newest',
  },
  all: {
    kind: flag(),
    group: 'work',
    flag: '--all',
    on: ['undo'],
    about: 'every message of a conversation',
  },
  raw: {
    kind: flag(),
    group: 'output',
    flag: '--raw',
    on: ['history'],
    about: 'the records as they are named in the journal',
  },
  verbose: {
    kind: flag(),
    group: 'output',
    isFirst: true,
    flag: '-v, --verbose',
    on: [...WORKS, 'models', 'doctor', 'history'],
    about: 'show more; of a run one line for each request and each answer',
  },
  /** Whether a bell, or a notification of the terminal, calls who does not look when work ends or a question waits. */
  notify: {
    kind: { ...flag(false), form: (z, about) => z.boolean().describe(about) },
    group: 'output',
    flag: '--no-notify',
    on: WORKS,
    about: 'ring no bell when work ends or a question waits and nobody looks',
    setting: 'notify',
    inFile: 'Whether a bell calls you when work ends or a question waits, and you do not look.',
    usual: true,
  },
  traceLlm: {
    kind: flag(),
    group: 'output',
    flag: '--trace-llm',
    on: WORKS,
    about: 'show what the model is sent and answers, whole',
  },
  traceMcp: {
    kind: flag(),
    group: 'output',
    flag: '--trace-mcp',
    on: WORKS,
    about: 'show what tools are called with and return, whole',
  },
  log: {
    kind: file,
    group: 'output',
    isRepeated: true,
    flag: '--log <file>',
    on: WORKS,
    about: 'append what happens, one JSON record a line',
  },
  accounting: {
    kind: file,
    group: 'output',
    isRepeated: true,
    flag: '--accounting <file>',
    on: WORKS,
    about: 'append what each request and each call cost',
  },
  debug: {
    kind: flag(),
    group: 'output',
    flag: '--debug',
    on: 'all',
    about: "show the engine's records, and stacks of errors",
  },
  quiet: {
    kind: flag(),
    group: 'output',
    isFirst: true,
    flag: '-q, --quiet',
    on: [...WORKS, 'setup'],
    about: 'show errors and the end only',
  },
} as const satisfies { readonly [name: string]: OptionRow };
