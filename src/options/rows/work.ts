/** Options for permissions, timeouts, and how a run begins and ends. */
import { durationWord } from '../../lib/text/duration.ts';
import { DEFAULT_DEADLINES, OUTPUT_BYTES, SANDBOX_MODES } from '../../schema/config.ts';
import { RUNS, SET_FOR_ALL, WORKS } from '../commands.ts';
import { choice, flag, freeText, megabytes, texts, timeSpan } from '../kinds.ts';
import type { OptionRow } from '../row.ts';

const { connectMs, firstEventMs, idleMs, totalMs } = DEFAULT_DEADLINES;

const rules = texts('One rule.', 500);
const sandbox = choice(SANDBOX_MODES, 'sandbox');

export const WORK_ROWS = {
  /** Rules of what is allowed without asking: `run_cmd(git commit *)`, `edit(.github/**)`, or a program. */
  allow: {
    kind: rules,
    isFirst: true,
    library: 'both',
    isRepeated: true,
    flag: '--allow <rule>',
    on: WORKS,
    about: 'allow without asking: make, "git commit *", "edit(.github/**)"; repeatable',
  },
  deny: {
    kind: rules,
    isFirst: true,
    library: 'both',
    flag: '--deny <rule>',
    on: WORKS,
    about: 'never allow; repeatable',
  },
  /**
   * Whether the system sandboxes commands: `auto` if it can, `require`, or `off`; left out: as the run had it, and
   * `off` for a new run.
   */
  sandbox: {
    kind: sandbox,
    isFirst: true,
    library: 'both',
    flag: '--sandbox <when>',
    on: [...SET_FOR_ALL, 'doctor', 'worker'],
    about: 'confine commands: auto (if this machine can), require, or off (default)',
  },
  /** The same from settings for all runs: it counts if it is stricter than the run's own. */
  sandboxAtLeast: {
    kind: sandbox,
    library: 'both',
    behind: 'sandbox',
    usual: 'off',
    setting: 'sandbox',
    inFile: 'Whether commands are confined by the system.',
    project: 'narrow',
    narrowFrom: 'off',
  },
  /** Whether the model may request web pages. Each host is asked about; off in a sandbox, which has no network. */
  web: {
    kind: choice(['on', 'off'], 'choice'),
    library: 'both',
    usual: 'off',
    usually: 'on; off in CI and in the library',
    flag: '--web <when>',
    on: SET_FOR_ALL,
    isRepeated: true,
    about: 'web pages, asking for each host: on (default), or off (as in CI)',
    setting: 'web',
    inFile: 'Whether the model may request web pages.',
    project: 'narrow',
    narrowFrom: 'on',
  },
  /** True: a run that continues gets the servers' tools as they are now, not as they were when it began. */
  refreshTools: {
    kind: flag(),
    library: 'run',
    usual: false,
    flag: '--refresh-tools',
    on: RUNS,
    about: "update the servers' tools that a resumed run knows",
  },
  'deadlines.connectMs': {
    kind: timeSpan,
    library: 'both',
    isRepeated: true,
    flag: '--connect-timeout <time>',
    on: WORKS,
    about: `time allowed to connect (default: ${durationWord(connectMs)})`,
    usually: durationWord(connectMs),
  },
  'deadlines.firstEventMs': {
    kind: timeSpan,
    library: 'both',
    isRepeated: true,
    flag: '--first-word-timeout <time>',
    on: WORKS,
    about: `time to the first token, loading included (default: ${durationWord(firstEventMs)})`,
    usually: durationWord(firstEventMs),
  },
  'deadlines.idleMs': {
    kind: timeSpan,
    library: 'both',
    isRepeated: true,
    flag: '--silence-timeout <time>',
    on: WORKS,
    about: `longest silence in an answer (default: ${durationWord(idleMs)})`,
    usually: durationWord(idleMs),
  },
  'deadlines.totalMs': {
    kind: timeSpan,
    library: 'both',
    isRepeated: true,
    flag: '--turn-timeout <time>',
    on: WORKS,
    about: `time for a whole answer (default: ${durationWord(totalMs)})`,
    usually: durationWord(totalMs),
  },
  /** Bytes of a command's output that are stored; 16 MB. */
  'keptOutput.command': {
    kind: megabytes(256),
    library: 'both',
    usual: OUTPUT_BYTES.command,
    setting: 'keptOutput.commandMb',
    inFile: 'How much output of one command is kept; beyond it the middle is left out.',
  },
  /** Bytes of all results of a run that are stored; 256 MB. */
  'keptOutput.run': {
    kind: megabytes(100_000),
    library: 'both',
    usual: OUTPUT_BYTES.run,
    setting: 'keptOutput.runMb',
    inFile: 'How much output of all commands of a run is kept.',
  },
  /** True: changes by a guided model stay in the folder even if nothing proves them. */
  keep: {
    kind: flag(),
    library: 'run',
    flag: '--keep',
    on: RUNS,
    about: "keep a small model's changes, proved or not",
  },
  /** True starts over if the goal is already reached or in progress. */
  again: {
    kind: flag(),
    isFirst: true,
    library: 'run',
    usual: false,
    flag: '--again',
    on: ['run'],
    about: 'start over even if the goal is finished',
  },
  /**
   * `false`: a guided model plans at once, without trying the goal directly first; a run that continues keeps its own.
   */
  plainTry: {
    kind: flag(false),
    library: 'run',
    usual: true,
    flag: '--plan-first',
    on: ['run'],
    about: 'let a small model plan at once, without a plain try',
  },
  /** True shows the plan and its proof before any work and waits for a yes; a run that continues keeps it. */
  agreePlan: {
    kind: flag(),
    library: 'run',
    usual: false,
    flag: '--plan',
    on: ['run'],
    about: 'show the plan and its proof before any work: agree, edit or refuse',
  },
  /** True: the plan writes a test file that fails before the work, passes after it, and fails with the code emptied. */
  withTests: {
    kind: flag(),
    library: 'run',
    usual: false,
    flag: '--with-tests',
    on: RUNS,
    about: 'the work comes with tests that fail without it, or nothing is claimed',
  },
  /** One command that shows that the goal is reached: it fails now and passes then. It may run without asking. */
  proof: {
    kind: freeText,
    isFirst: true,
    library: 'run',
    flag: '--proof <command>',
    on: ['run'],
    about: 'the command that fails now and passes once the goal is reached',
  },
  /** The plan that a run begins with. */
  template: {
    kind: freeText,
    flag: '--template <name>',
    on: ['run'],
    about: 'begin with this template; "templates" lists them',
  },
  set: {
    kind: texts('One variable.', 100),
    flag: '--set <name=value>',
    on: ['run'],
    about: 'set a variable of the template; repeatable',
  },
  /** True agrees to the plan that waits for a yes. */
  agree: {
    kind: flag(),
    library: 'run',
    usual: false,
    flag: '--agree',
    on: RUNS,
    about: 'agree to the waiting plan',
  },
  /** Only an answer is wanted: a run that has answered exits with 0. Changed files are judged as usual. */
  wants: {
    kind: choice(['answer'], 'wish'),
    library: 'run',
  },
  /** True takes the lock from a run that no longer works. */
  forceUnlock: {
    kind: flag(),
    library: 'both',
    usual: false,
    flag: '--force-unlock',
    on: [...WORKS, 'undo', 'apply', 'adopt', 'repair'],
    about: 'take over the lock of a run on another machine',
  },
} as const satisfies { readonly [name: string]: OptionRow };
