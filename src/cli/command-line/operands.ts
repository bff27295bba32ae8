import { posix } from 'node:path';
import { PROVIDERS, SETUP_PARTS, type SetupPart } from '../../host/providers/providers.ts';
import type { TardigradeError } from '../../lib/errors.ts';
import { type CommandName, SHELLS, type Shell } from '../../options/commands.ts';
import { AGENT, usageError } from '../process/program-name.ts';
import { noGoal } from './arguments.ts';
import { quotedGoal } from './quoted-goal.ts';

/** Pure: what the words after a command mean. A bare number is a run; the file of that name is `./12`. */
export interface Operands {
  /** The goal as typed; `-` stands for stdin. Only for `run`. */
  readonly goal: string | null;
  /**
   * The call to answer, or its first letters; `null`: the only one. For `export` the session, for `templates` the
   * template.
   */
  readonly id: string | null;
  /** What to set up; `null` for every other command. */
  readonly part: SetupTarget | null;
  /** The number of a run; `null`: the current one. */
  readonly runNumber: number | null;
  /** The name of a run in a fleet; `null`: the run of the folder. */
  readonly fleetRun: string | null;
  readonly recordNumber: number | null;
  /** A file relative to the workspace, with `/` between folders. */
  readonly file: string | null;
  /** What to do with MCP servers; `null` for every other command. */
  readonly servers: ServersVerb | null;
  /** The server that is meant; `null`: all. */
  readonly server: string | null;
  readonly serverPlace: AddedServer | null;
  /** The shell to complete for; `null`: none was named. */
  readonly completes: Shell | null;
}

/** What can be set up: models, and what a worker of a fleet needs. */
export type SetupTarget = SetupPart | 'fleet';
const PARTS: readonly SetupTarget[] = [...SETUP_PARTS, 'fleet'];

export const SERVERS_VERBS = ['list', 'add', 'remove', 'approve', 'reset', 'serve'] as const;
export type ServersVerb = (typeof SERVERS_VERBS)[number];

/** The words of a command line, or an address. */
export type AddedServer =
  | { readonly words: readonly [string, ...string[]] }
  | { readonly address: string };

interface Words {
  readonly command: CommandName;
  readonly operands: readonly string[];
  /** The words after `--`. */
  readonly behind?: readonly string[];
  readonly options?: { readonly fleet?: unknown };
}

const NOTHING: Operands = {
  goal: null,
  id: null,
  part: null,
  runNumber: null,
  fleetRun: null,
  recordNumber: null,
  file: null,
  servers: null,
  server: null,
  serverPlace: null,
  completes: null,
};

/** @param model as typed. Throws E_USAGE for operands that the command does not take. */
export const readOperands = (words: Words, model: string | null): Operands => ({
  ...NOTHING,
  ...givenBy(words, model),
});

function givenBy(words: Words, model: string | null): Partial<Operands> {
  const { command, operands } = words;
  switch (command) {
    case 'run':
    case 'submit':
      return { goal: goalOf(operands) };
    case 'setup':
      return { part: partOf(operands, model) };
    case 'approve':
    case 'deny':
      return callOf(words);
    case 'export': {
      const [id, more] = operands;
      if (id === undefined || more !== undefined)
        throw usageError(
          '"export" takes the name or the number of one conversation, or of one run.',
          `${AGENT} sessions and ${AGENT} runs list them.`,
        );
      return { id };
    }
    case 'templates': {
      const [id = null, more] = operands;
      if (more === undefined) return { id };
      throw notTaken(words, `It takes one name: ${AGENT} templates lists them.`);
    }
    case 'completion':
      return { completes: shellOf(words) };
    case 'mcp':
      return serversOf(words);
    case 'show':
      return recordOf(operands);
    case 'diff':
    case 'undo':
      return runAndFile(words);
    case 'resume':
    case 'attach': {
      const [name, more] = operands;
      if (name !== undefined && more === undefined && isFleetRun(name, words))
        return { fleetRun: name };
      return numberOf(words);
    }
    case 'status':
    case 'plan':
    case 'history':
    case 'apply':
    case 'adopt':
      return numberOf(words);
    default:
      if (operands.length === 0) return {};
      throw notTaken(words, command === 'repair' ? OF_THIS_FOLDER : undefined);
  }
}

const OF_THIS_FOLDER = `It repairs the run of this folder. To save what is good of a damaged conversation: ${AGENT} export NAME.`;

function numberOf(words: Words): Partial<Operands> {
  const [first, second] = words.operands;
  if (second !== undefined || (first !== undefined && !isNumber(first)))
    throw notTaken(words, `It takes the number of a run: ${AGENT} runs lists them.`);
  return first === undefined ? {} : { runNumber: Number(first) };
}

/** A name that `submit` gives to a run; with a fleet option any name. */
const isFleetRun = (word: string, { options }: Words): boolean =>
  /^[0-9a-f]{16}$/.test(word) || (options?.fleet !== undefined && /^[\w-]{1,64}$/.test(word));

/** One call; the name of a fleet run may precede it. */
function callOf(words: Words): Partial<Operands> {
  const [first, second, more] = words.operands;
  const isId = (word: string): boolean => /^[0-9a-f]{1,32}$/.test(word);
  if (first === undefined) return {};
  if (second === undefined && isId(first)) return { id: first };
  const isWhole = more === undefined && (second === undefined || isId(second));
  if (isWhole && isFleetRun(first, words)) return { id: second ?? null, fleetRun: first };
  // Without an id the command answers the only call that waits, so it is no way to look at calls.
  throw notTaken(words, `It takes the id of one call: ${AGENT} status shows it.`);
}

const isNumber = (word: string): boolean => /^[1-9]\d{0,8}$/.test(word);

function goalOf(operands: readonly string[]): string {
  const [first, second] = operands;
  if (second !== undefined)
    throw usageError(
      `The goal must be one argument, but there are ${operands.length}.`,
      `Put it in quotes: ${AGENT} ${quotedGoal(operands)}`,
    );
  if (first === undefined || first.trim() === '') throw noGoal();
  return first;
}

function shellOf(words: Words): Shell | null {
  const [first, second] = words.operands;
  const shell = SHELLS.find((one) => one === first) ?? null;
  if (second !== undefined || (first !== undefined && shell === null))
    throw notTaken(words, `It takes one of: ${SHELLS.join(', ')}.`);
  return shell;
}

function serversOf(words: Words): Partial<Operands> {
  const [first = 'list', server = null, third] = words.operands;
  const verb = SERVERS_VERBS.find((one) => one === first) ?? null;
  if (verb === 'add') return addedServer(words);
  const needsName = verb === 'approve' || verb === 'remove';
  const isWhole = needsName ? server !== null : verb !== 'serve' || server === null;
  if (verb === null || third !== undefined || !isWhole)
    throw notTaken(
      words,
      'It takes list, add, remove or approve and the name of a server, reset, or serve.',
    );
  return { servers: verb, server };
}

/** A server's command line comes after `--`: before that, its options would be ours. */
function addedServer({ operands, behind = [] }: Words): Partial<Operands> {
  const [, server, ...before] = operands.slice(0, operands.length - behind.length);
  const [program, ...args] = behind;
  const [address, more] = before;
  const isProgram = program !== undefined && program !== '' && !program.startsWith('-');
  if (server !== undefined && isProgram && address === undefined)
    return { servers: 'add', server, serverPlace: { words: [program, ...args] } };
  if (server !== undefined && program === undefined && isAddress(address) && more === undefined)
    return { servers: 'add', server, serverPlace: { address } };
  const add = `${AGENT} mcp add ${server ?? 'NAME'}`;
  throw usageError(
    '"mcp add" takes a name, and behind it an address or, after --, a command line.',
    `Write: ${add} -- COMMAND, or ${add} https://HOST/mcp`,
  );
}

const isAddress = (word: string | undefined): word is string =>
  word !== undefined && /^[a-z]+:\/\//i.test(word);

function recordOf(operands: readonly string[]): Partial<Operands> {
  const [one = '', two] = operands;
  if (operands.length === 0 || operands.length > 2 || !operands.every(isNumber))
    throw usageError(
      '"show" takes the number of a record, and before it that of a run if it is another one.',
      `Write for example ${AGENT} show 12, or ${AGENT} show 2 12. ${AGENT} history --raw lists the records.`,
    );
  return two === undefined
    ? { recordNumber: Number(one) }
    : { runNumber: Number(one), recordNumber: Number(two) };
}

function runAndFile(words: Words): Partial<Operands> {
  const [run, otherRun] = words.operands.filter(isNumber);
  const [file, otherFile] = words.operands.filter((word) => !isNumber(word));
  if (otherRun !== undefined || otherFile !== undefined)
    throw notTaken(words, 'It takes one file, the number of one run, or both.');
  return {
    runNumber: run === undefined ? null : Number(run),
    file: file === undefined ? null : posix.normalize(file),
  };
}

/** @param takes the operands that the command does take; left out: none */
function notTaken({ command, operands }: Words, takes?: string): TardigradeError {
  const goal = quotedGoal([command, ...operands]);
  const [first = ''] = operands;
  return usageError(
    `"${command}" does not take "${takes === undefined ? first : operands.join(' ')}".`,
    [takes, `If this is a goal, write: ${AGENT} run ${goal}`].filter(Boolean).join(' '),
  );
}

function partOf(operands: readonly string[], model: string | null): SetupTarget {
  const part = PARTS.find((name) => name === operands[0]);
  const needsModel = (name: SetupTarget): name is SetupPart =>
    name !== 'fleet' && PROVIDERS[name].setup === 'model';
  if (part === undefined || operands.length > 1) {
    const ways = PARTS.map((name) => `${name}${needsModel(name) ? ' --model NAME' : ''}`);
    throw usageError(
      `"setup" takes one of: ${PARTS.join(', ')}.`,
      `Write: ${ways.map((way) => `${AGENT} setup ${way}`).join(', or ')}`,
    );
  }
  if (needsModel(part) && (model === null || model.trim() === '')) {
    throw usageError(
      `"setup ${part}" needs the name of a model.`,
      `Write: ${AGENT} setup ${part} --model ${PROVIDERS[part].example}`,
    );
  }
  return part;
}
