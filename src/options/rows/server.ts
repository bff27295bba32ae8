/** Options of the server: where it listens, where it may work, and its list of folders. */
import { choice, file, flag, folders, freeText, texts, whole } from '../kinds.ts';
import type { OptionRow } from '../row.ts';

export const SERVER_ROWS = {
  port: {
    kind: whole(0, 65_535),
    flag: '--port <n>',
    on: ['serve'],
    about: 'port to listen at (default: 5000); 0 picks a free one',
    usually: '5000',
  },
  /** Separated by white space, a comma or a semicolon. */
  urls: {
    kind: freeText,
    variable: 'TARDIGRADE_URLS',
  },
  roots: {
    kind: folders(20),
    flag: '--root <folder>',
    on: ['serve', 'mcp', 'worker'],
    about: 'work only in this folder and below (default: this one); repeatable',
  },
  maxRuns: {
    kind: whole(1, 1000),
    flag: '--max-runs <n>',
    on: ['serve', 'mcp', 'worker'],
    about: 'most runs at once; others wait (default: one a processor, at least 2)',
  },
  link: {
    kind: flag(),
    flag: '--link',
    on: ['serve'],
    about: 'print a new link to the running server and exit',
  },
  /** Each right includes those before it. */
  rights: {
    kind: choice(['observe', 'work', 'answer'], 'right'),
    flag: '--rights <right>',
    on: ['serve'],
    about: 'what the link allows: observe (look), work (begin and steer) or answer (all; default)',
    usually: 'answer',
  },
  /** The client is a model, so a person must allow answering on the command line. */
  mayAnswer: {
    kind: flag(),
    flag: '--may-answer',
    on: ['mcp'],
    about: 'mcp serve: let the calling agent answer questions of its runs',
  },
  serverEnv: {
    kind: texts('A variable.', 100),
    flag: '--env <name=value>',
    on: ['mcp'],
    about:
      'mcp add: a variable for the program; a name alone takes it from the environment; repeatable',
  },
  serverHeaders: {
    kind: texts('A header.', 100),
    flag: '--header <name:value>',
    on: ['mcp'],
    about: 'mcp add: a header for the address; repeatable',
  },
  inProject: {
    kind: flag(),
    flag: '--project',
    on: ['mcp'],
    about: "mcp add and remove: in the project's .mcp.json, not in your settings",
  },
  /** How the server starts the process for a run or a conversation. */
  workFile: {
    kind: file,
    flag: '--work-file <file>',
    on: ['serve'],
    about: 'internal: work on the run named in this file',
  },
  /** True: folders in which work begins are not recorded, so a server shows only current work. */
  forgetFolders: {
    kind: flag(),
    variable: 'TARDIGRADE_NO_FOLDER_LIST',
  },
} as const satisfies { readonly [name: string]: OptionRow };
