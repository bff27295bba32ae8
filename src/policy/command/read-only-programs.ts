/** Programs that only read: what their arguments mean, and which make them do more. Pure. */
import {
  type CommandRuleOptions,
  type Objection,
  pathOutside,
  useOutsideObjection,
} from '../../languages/commands/command-rule.ts';
import {
  type Arguments,
  anyFiles,
  filesInOptions,
  hasOption,
  readArguments,
  type Table,
} from './arguments.ts';
import type { TouchedPath } from './contract.ts';
import { LOOKS, type Look } from './look-tables.ts';

export const isReadOnlyProgram = (name: string): boolean => Object.hasOwn(LOOKS, name);

interface Reading extends Arguments {
  readonly looking: Look;
  /** The files that the program reads: operands, and values of options. */
  readonly files: readonly string[];
  /** Operands that are files. */
  readonly words: readonly string[];
}

const EMPTY: Arguments = { options: [], operands: [], unknown: null, optionsEnd: 0, end: 0 };
const NO_TABLE: Table = new Map();

/** Every part of a word that is not understood may be a file. */
export function readLook(
  name: string,
  args: readonly string[],
  platform: NodeJS.Platform,
): Reading {
  const looking: Look = LOOKS[name] ?? {};
  if (looking.isAboutWords) return { ...EMPTY, looking, files: [], words: [] };
  const isBsd = platform !== 'linux' && platform !== 'win32';
  const table = (isBsd ? looking.bsd : undefined) ?? looking.options ?? NO_TABLE;
  const read = readArguments(args, table, {
    isWhole: looking.isWhole ?? false,
    stopsAtOperand: isBsd && looking.isPermuting !== true,
  });
  const hasText = looking.textOptions !== undefined && !hasOption(read, looking.textOptions);
  const operands = read.operands.slice(hasText ? 1 : 0).map(({ word }) => word);
  const words = read.unknown === null ? operands : anyFiles(args);
  const files = words.filter((word) => !(looking.isWhole && /^[(!),]$/.test(word)));
  return { ...read, looking, words: files, files: [...files, ...filesInOptions(read)] };
}

/** Why a command does more than read; `null`: it only reads. */
export function readOnlyObjection(
  name: string,
  args: readonly string[],
  options: CommandRuleOptions,
): Objection {
  const read = readLook(name, args, options.platform);
  // Checked first, because no rule lifts this objection.
  const path = pathOutside(read.files, options);
  if (path !== null) return useOutsideObjection(name, path);
  const { looking, unknown, words } = read;
  const harmful = read.options.find((option) => looking.harmful?.has(option.name));
  if (harmful !== undefined)
    return { reason: `${name} ${harmful.name} does more than look.`, liftedBy: name };
  if (unknown !== null)
    return { reason: `The option ${unknown} of ${name} is unknown here.`, liftedBy: name };
  if (words.length > (looking.mostPaths ?? Number.POSITIVE_INFINITY))
    return { reason: `${name} would write to ${words.at(-1)}.`, liftedBy: name };
  return null;
}

/** The files that a command reads, and the folders that it reads as a whole, perhaps through links. */
export function pathsRead(
  name: string,
  args: readonly string[],
  platform: NodeJS.Platform,
): {
  readonly paths: readonly TouchedPath[];
  readonly below: readonly string[];
  readonly followsLinks: boolean;
  /** True if the program is started so that it leaves out files that may hold keys. */
  readonly leavesOut: boolean;
  /** False if the command might write, or start a program. */
  readonly isCertain: boolean;
} {
  const { looking, files, words, ...read } = readLook(name, args, platform);
  const { recursive, follows, mostPaths = Number.POSITIVE_INFINITY } = looking;
  const isUnknown = read.unknown !== null;
  const isAmong = (options: Look['follows']): boolean =>
    options === 'always' || (options !== undefined && (isUnknown || hasOption(read, options)));
  // Without a file operand the program reads the current folder. So it may if its words are not understood.
  const folders = isUnknown || words.length === 0 ? ['.', ...files] : files;
  const isHarmful = looking.harmful !== undefined && hasOption(read, looking.harmful);
  return {
    paths: files.map((path) => ({
      does: 'read',
      path,
      ...(looking.showsNames && !isUnknown ? { isOnlyName: true } : {}),
    })),
    below: isAmong(recursive) ? folders : [],
    followsLinks: isAmong(follows),
    leavesOut: looking.leavesOut ?? false,
    isCertain: !isUnknown && !isHarmful && words.length <= mostPaths,
  };
}
