import { type Accounts, accountSecrets } from '../host/config/accounts.ts';
import type { Engine } from '../host/engine-port.ts';
import type { ErrorCode } from '../lib/errors.ts';
import { addressWithoutCredentials, withoutCredentials } from '../lib/text/addresses.ts';
import { inLine } from '../lib/text/plain-text.ts';
import { flagWords, OPTIONS, rowsIn } from '../options/table.ts';
import { EXIT, isResumable } from '../run/exit-codes.ts';
import { inEnvelope } from '../run/stream/in-order.ts';
import { errorBody } from '../run/stream/result-body.ts';
import type { CommandContext } from './command-context.ts';
import { noGoal, type Parsed, parseArguments } from './command-line/arguments.ts';
import { checkInvocation, type Invocation } from './command-line/invocation.ts';
import { configureInvocation } from './configure.ts';
import { jsonLine } from './json-line.ts';
import { throughTheDoor } from './process/door.ts';
import { COMPLETING, commandToPaste } from './process/program-name.ts';
import type { Terminal } from './process/terminal.ts';
import { printFolded } from './render/text/fold.ts';
import { explainError, type ShownError, shownErrorText } from './show-error.ts';

/** Loads the engine once the command line is known to be valid. */
export type LoadEngine = (accounts: Accounts | null) => Promise<Engine>;

/** Runs one command line to its exit code. Never throws, never exits. */
export async function main(
  argv: readonly string[],
  place: Terminal,
  loadEngine: LoadEngine,
): Promise<number> {
  if (argv[0] === COMPLETING) {
    const { completionAnswer } = await import('./completion/answer.ts');
    place.stdout.write(completionAnswer(argv.slice(1)));
    return EXIT.achieved;
  }
  let terminal = throughTheDoor(place, addressesIn(argv));
  let invocation: Invocation | null = null;
  let engine: Engine | null = null;
  const stream: CommandContext['stream'] = { narrator: null };
  try {
    const { stdout } = terminal;
    const columns = stdout.isTerminal ? stdout.size().columns - 1 : undefined;
    const typed = await parseArguments(argv, columns, OPTIONS, terminal.program);
    const parsed = typed.kind === 'alone' ? aloneAt(terminal, typed) : typed;
    if (parsed.kind !== 'command') {
      if (parsed.kind === 'help') stdout.write(parsed.text);
      else stdout.write(`${terminal.version}\n`);
      return EXIT.achieved;
    }
    invocation = checkInvocation(parsed, terminal.cwd);
    const { configured, accounts } = await configureInvocation(invocation, terminal);
    if (accounts !== null)
      terminal = throughTheDoor(place, addressesIn(argv), accountSecrets(accounts));
    engine = await loadEngine(accounts);
    const { COMMAND_ACTIONS } = await import('./dispatch.ts');
    return await COMMAND_ACTIONS[invocation.command]({
      invocation,
      configured,
      terminal,
      engine,
      stream,
      again: (words, other, own) => main(words, other, () => Promise.resolve(own)),
      restart: (more) => main([...more, ...argv], place, loadEngine),
    });
  } catch (error) {
    const shown = explainError(error, terminal.program);
    const isDebug = argv.includes('--debug');
    printFolded(terminal.stderr, shownErrorText(shown, error, isDebug, terminal.program));
    if (shown.isInternal && !isDebug) writeLogHint(engine, invocation, error, terminal);
    const resume = wayBack(shown, invocation, argv, terminal);
    const again = invocation?.command === 'run' ? 'Again' : 'Resume';
    if (resume !== null) printFolded(terminal.stderr, `  ${again}: ${resume}\n`);
    if (argv.includes('--json')) {
      const body = errorBody(shown, resume);
      if (stream.narrator !== null) stream.narrator.end(body);
      else terminal.stdout.write(jsonLine(inEnvelope({ body }, null)));
    }
    return shown.exitCode;
  }
}

/**
 * What the program does without a command: at a terminal it begins a conversation; a script gets an error
 * that says what to type.
 */
function aloneAt(
  terminal: Terminal,
  { options, argv }: Extract<Parsed, { kind: 'alone' }>,
): Extract<Parsed, { kind: 'command' }> {
  const isBare = argv.length === 0;
  if (!terminal.stdinIsTerminal || !terminal.stdout.isTerminal)
    throw noGoal(isBare ? null : commandToPaste(terminal, ['chat', ...argv]));
  const chat = { kind: 'command', command: 'chat', operands: [], options } as const;
  return isBare ? { ...chat, isBare } : chat;
}

function writeLogHint(
  engine: Engine | null,
  invocation: Invocation | null,
  error: unknown,
  { stderr }: Terminal,
): void {
  const log = invocation && (engine?.logError(invocation.workspace, error) ?? null);
  const where = log === null ? 'Details: the same command with --debug' : `Details: ${inLine(log)}`;
  printFolded(stderr, `  This is a bug; nothing that was done is lost. ${where}\n`);
}

/** State that is missing or foreign: the error's next step comes first and explains the rest. */
const COMES_FIRST: ReadonlySet<string> = new Set<ErrorCode>(['E_STATE_GONE', 'E_FOREIGN']);

/** The command that repeats the start: a run may have failed before its goal became the current one. */
function wayBack(
  { exitCode, code }: ShownError,
  invocation: Invocation | null,
  argv: readonly string[],
  terminal: Terminal,
): string | null {
  const isRun = invocation?.command === 'run' || invocation?.command === 'resume';
  // The same words would not repeat a goal that came through a pipe, or from the server.
  const isWhole = !argv.includes('-');
  return isRun && isWhole && !COMES_FIRST.has(code) && isResumable(exitCode)
    ? commandToPaste(terminal, argv.map(redactWord))
    : null;
}

/**
 * A goal may contain an address with credentials, and so may an option that takes an address: credentials are not
 * shown.
 */
function redactWord(word: string, at: number, argv: readonly string[]): string {
  const joined = joinedAddress(word);
  if (joined !== null) return `${joined[0]}=${addressWithoutCredentials(joined[1])}`;
  return ADDRESSES.has(argv[at - 1] ?? '')
    ? addressWithoutCredentials(word)
    : withoutCredentials(word);
}

const ADDRESSES: ReadonlySet<string> = new Set(
  rowsIn(OPTIONS).flatMap(([, row]) => (row.isAddress ? flagWords(row) : [])),
);

/** The parts of `--host=VALUE` if that option takes an address; `null` for any other word. */
function joinedAddress(word: string): readonly [flag: string, value: string] | null {
  const [, flag = '', value = ''] = /^(--[a-z-]+)=(.*)$/s.exec(word) ?? [];
  return ADDRESSES.has(flag) ? [flag, value] : null;
}

const addressesIn = (argv: readonly string[]): readonly string[] =>
  argv.flatMap((word, at) => {
    const joined = joinedAddress(word)?.[1];
    return joined ?? (ADDRESSES.has(argv[at - 1] ?? '') ? word : []);
  });
