/** Splits a command into itself and every command that it would run, by looking through wrappers. */
import { languageUnwraps, linesBehind } from '../../languages/commands/allowed-commands.ts';
import { programName } from '../../languages/commands/program-name.ts';
import { own } from '../../lib/own.ts';
import { gitCore } from '../git.ts';
import type { CommandOptions, CommandPart, Form } from './contract.ts';
import { readLine } from './lines.ts';
import { isShell, readWrapped, shellLine, spreadEnv } from './wrappers.ts';

/** Deeper nesting only serves to hide a command. */
const DEEPEST = 8;

type PartOptions = Pick<CommandOptions, 'platform' | 'isOutside' | 'builds' | 'isElsewhere'>;

interface ParseContext {
  readonly options: PartOptions;
  readonly depth: number;
  readonly around: readonly (readonly string[])[];
  /** Forms in which the outer commands name the whole. */
  readonly outer: readonly Form[];
  readonly doubt: string;
  readonly isLine: boolean;
  readonly isGuess: boolean;
  /** Possible commands that were already examined. */
  readonly guessed: Set<string>;
}

export const commandPartsOf = (
  words: readonly string[],
  options: PartOptions,
): readonly CommandPart[] =>
  partsAt(words, {
    options,
    depth: 0,
    around: [],
    outer: [],
    doubt: '',
    isLine: false,
    isGuess: false,
    guessed: new Set(),
  });

function partsAt(written: readonly string[], place: ParseContext): readonly CommandPart[] {
  const { options, depth } = place;
  const [program = '', ...rest] = written;
  const name = programName(program, options.platform);
  const args = name === 'env' ? spreadEnv(rest, options.platform) : rest;
  const words = [program, ...args];
  const itself = partOf(words, place);
  if (depth >= DEEPEST) {
    const all = words.flatMap((word) => word.split(/\s+/));
    return [
      { ...itself, doubt: 'It runs programs by too many others.' },
      ...guesses(all, [...all.keys()], place, (guess, at) => [partOf(guess, at)]),
    ];
  }
  if (isShell(name)) return [itself, ...shellParts(args, place)];
  const wrapped = readWrapped(name, args);
  if (wrapped !== null && 'mayBegin' in wrapped) {
    const doubt = `It is unknown what ${program} would run.`;
    const places = wrapped.mayBegin.map((at) => at + 1);
    return [{ ...itself, doubt }, ...guesses(words, places, place, partsAt)];
  }
  if (wrapped !== null)
    return wrapped.flatMap(({ from, to, doubt }) => inside(words, from + 1, to + 1, doubt, place));
  const unwrapped = own(languageUnwraps, name)?.(args, options.builds);
  if (unwrapped) {
    const from = words.length - unwrapped.words.length;
    return innerParts(words, unwrapped.words, from, unwrapped.isFetched ? FETCHED : '', place);
  }
  return [...linesAt(itself, name, args, place)];
}

/** The possible inner commands of a program. Deny rules apply to them, and no rule allows them. */
function guesses(
  words: readonly string[],
  places: readonly number[],
  { options, depth, around, guessed }: ParseContext,
  parts: typeof partsAt,
): readonly CommandPart[] {
  const at: ParseContext = {
    options,
    depth: depth + 1,
    around: [...around, words],
    outer: [],
    doubt: '',
    isLine: true,
    isGuess: true,
    guessed,
  };
  return places.flatMap((begin) => {
    const guess = words.slice(begin);
    const [program = ''] = guess;
    // A path in the workspace is more likely the value of a flag.
    const isOwn = isOwnProgram(program, options);
    const key = guess.join(' ');
    if (isOwn || guessed.has(key)) return [];
    guessed.add(key);
    return parts(guess, at);
  });
}

/** True for a program of the workspace, named by its path. */
export const isOwnProgram = (
  program: string,
  options: Pick<CommandOptions, 'isOutside'>,
): boolean => /[\\/]/.test(program) && !options.isOutside(program);

/** The defaults replace this by a full text if the program is not installed. */
export const FETCHED = 'fetched';

const inside = (
  words: readonly string[],
  from: number,
  to: number,
  doubt: string,
  place: ParseContext,
): readonly CommandPart[] => innerParts(words, words.slice(from, to), from, doubt, place);

/** @param from the index of the inner program in the outer words */
function innerParts(
  words: readonly string[],
  inner: readonly string[],
  from: number,
  doubt: string,
  place: ParseContext,
): readonly CommandPart[] {
  const { options, outer, around } = place;
  const forms = named(words, options).map(({ words: named }) => ({
    words: named,
    least: from + 1,
  }));
  return partsAt(inner, {
    ...place,
    depth: place.depth + 1,
    around: [...around, words],
    outer: [...outer, ...forms],
    doubt: place.doubt || doubt,
  });
}

function shellParts(args: readonly string[], place: ParseContext): readonly CommandPart[] {
  const line = shellLine(args);
  if (line === null) return [];
  const at = { ...place, depth: place.depth + 1, isLine: true, outer: [], doubt: '' };
  return readLine(line, place.options.platform).commands.flatMap((words) => partsAt(words, at));
}

/**
 * The words of a shell's arguments that could not be split into commands: each may be a program. Commands behind
 * wrappers and in lines that can be split are parts of their own.
 */
export function unreadNames(
  name: string,
  args: readonly string[],
  options: PartOptions,
): readonly string[] {
  if (!isShell(name)) return [];
  const line = shellLine(args);
  if (line !== null && readLine(line, options.platform).isWhole) return [];
  return args
    .flatMap((arg) => arg.split(/[^\w./\\]+/))
    .filter((word) => !isOwnProgram(word, options))
    .map((word) => programName(word, options.platform));
}

/** The lines of a manifest for a command are judged like others if this run wrote them. */
function linesAt(
  itself: CommandPart,
  name: string,
  args: readonly string[],
  place: ParseContext,
): readonly CommandPart[] {
  const { options, depth } = place;
  const lines = linesBehind(name, args, options.builds);
  if (lines === null) return [itself];
  const unseen = options.builds.unseen ?? '';
  // In another folder the lines may come from a parent folder, which nobody looked at.
  const missing = options.isElsewhere
    ? unseen || 'What it runs there was not looked at before.'
    : '';
  if (lines.texts.length === 0) return [{ ...itself, doubt: itself.doubt || missing }];
  const read = lines.texts.map((text) => readLine(text, options.platform));
  const isKnown = lines.changed === null;
  const at = { ...place, depth: depth + 1, outer: [], doubt: '', isLine: isKnown || place.isLine };
  const behind = read.flatMap(({ commands }) => commands.flatMap((words) => partsAt(words, at)));
  const isTold = isKnown || read.every(({ isWhole }) => isWhole);
  return [isTold ? itself : { ...itself, doubt: unseen || (lines.changed ?? '') }, ...behind];
}

function partOf(words: readonly string[], place: ParseContext): CommandPart {
  const { options, outer, around, doubt, isLine, isGuess } = place;
  return {
    words,
    forms: [...named(words, options), ...outer],
    doubt,
    isLine,
    around,
    ...(isGuess ? { isGuess } : {}),
  };
}

/**
 * A program outside the workspace is named by its name; for restrictions also as it is written. A program of
 * the workspace is named by its path; for restrictions also by its name.
 */
function named(words: readonly string[], options: PartOptions): readonly Form[] {
  const [program = '', ...args] = words;
  const name = programName(program, options.platform);
  const isOwn = isOwnProgram(program, options);
  const plain: Form = { words: [name, ...args], least: 0, ...(isOwn ? { onlyHolds: true } : {}) };
  const asWritten: Form = { words: [program, ...args], least: 0 };
  const written: readonly Form[] = isOwn ? [asWritten] : [{ ...asWritten, onlyHolds: true }];
  return [plain, ...written, ...(name === 'git' ? gitForms(args, options) : [])];
}

function gitForms(args: readonly string[], options: PartOptions): readonly Form[] {
  const { words, isHarmless } = gitCore(args, options);
  return [{ words: ['git', ...words], least: 0, ...(isHarmless ? {} : { onlyHolds: true }) }];
}
