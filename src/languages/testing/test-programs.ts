/**
 * Finds the program in a command line that runs tests, by tables of how each program is asked to. Pure. A
 * program that no table names may run another one in its arguments, unless it is known to run none, or is a
 * package manager.
 */
import { lazily } from '../../lib/lazily.ts';
import { own } from '../../lib/own.ts';
import { BUILD_TESTS } from '../builds/test-programs.ts';
import { plainCommandName } from '../commands/allowed-commands.ts';
import { runsNoOther } from '../commands/programs.ts';
import type { Language, TestProgram } from '../language.ts';
import { isTestPath, LANGUAGES, languageOf } from '../languages.ts';

/** The program of a command that runs tests. */
export interface TestCommand {
  /** `null`: the program's tests may be in any language, or in one without a folder here. */
  readonly language: Language | null;
  /** Left out: a test file is run directly. */
  readonly program?: TestProgram;
  /** The words before its arguments. */
  readonly head: readonly string[];
  readonly args?: readonly string[];
}

/** Deeper nesting only serves to hide a command. */
const DEEPEST = 8;
/** Beyond so many words no inner program is looked for. */
const MAX_WORDS = 200;

interface Place {
  readonly before: readonly string[];
  readonly depth: number;
  /** True if a program that no table names counts as running no other program. */
  readonly isStrict: boolean;
}

/** `null`: the line is not known to run tests. */
export const testCommandIn = (line: string): TestCommand | null => inLine(line, 0);

/**
 * The same for one command. A word may be a line for a shell.
 * @param isStrict only programs of the tables count: their own tests, and programs that they run
 */
export const testCommandOf = (words: readonly string[], isStrict = false): TestCommand | null =>
  ofWords(words, { before: [], depth: 0, isStrict });

function inLine(line: string, depth: number): TestCommand | null {
  for (const words of commandsIn(line)) {
    const found = ofWords(words, { before: [], depth, isStrict: false });
    if (found !== null) return found;
  }
  return null;
}

/** The commands of a line for a shell, each as its words; quotes keep words together, unclosed ones to the end. */
function commandsIn(line: string): readonly (readonly string[])[] {
  const commands: string[][] = [];
  for (const [piece = ''] of line.matchAll(PIECE)) {
    const words = [...piece.matchAll(WORD)].map(([word]) => word.replace(/\\?(["'])/g, ''));
    if (words.length > 0) commands.push(words);
  }
  return commands;
}

const QUOTED = String.raw`"(?:\\.|[^"\\])*"?|'[^']*'?`;
const PIECE = new RegExp(String.raw`(?:${QUOTED}|[^|&;()\n\r\x60])+`, 'gs');
const WORD = new RegExp(String.raw`(?:${QUOTED}|\S)+`, 'gs');

const ASSIGNS = /^[A-Za-z_]\w*=/;

function ofWords(all: readonly string[], place: Place): TestCommand | null {
  const from = all.findIndex((word) => !ASSIGNS.test(word));
  if (from === -1 || place.depth >= DEEPEST) return null;
  const [written = '', ...args] = all.slice(from);
  const head = [...place.before, ...all.slice(0, from + 1)];
  const name = nameOf(written);
  const known = own(programs(), name);
  if (known !== undefined) return ofKnown(known, args, { ...place, before: head });
  if (isTestPath(written)) return { language: languageOf(written), head };
  if (place.isStrict || runsNoOther(name)) return null;
  return ofUnknown(args, { ...place, before: head });
}

/** The name of a program without folder, version and the ending with which it is started. */
const nameOf = (program: string): string =>
  plainCommandName(
    program
      .replace(/^.*[\\/]/s, '')
      .toLowerCase()
      .replace(/\.(?:exe|com|cmd|bat|[cm]?js|phar)$/, ''),
  );

/** The first program that a table names, or a line in one word. */
function ofUnknown(args: readonly string[], { before, depth }: Place): TestCommand | null {
  for (const [at, arg] of args.slice(0, MAX_WORDS).entries()) {
    const inside = { before: [...before, ...args.slice(0, at)], depth: depth + 1, isStrict: true };
    const found = /\s/.test(arg)
      ? inLine(arg, depth + 1)
      : Object.hasOwn(programs(), nameOf(arg))
        ? ofWords(args.slice(at), inside)
        : null;
    if (found !== null) return found;
  }
  return null;
}

interface Known {
  readonly program: TestProgram;
  readonly language: Language | null;
}

const programs = lazily((): { readonly [name: string]: Known } =>
  Object.fromEntries([
    ...Object.entries(BUILD_TESTS).map(([name, program]) => [name, { program, language: null }]),
    ...LANGUAGES.flatMap((language) =>
      Object.entries(language.runs?.testPrograms ?? {}).map(([name, program]) => [
        name,
        { program, language },
      ]),
    ),
  ]),
);

/** With these options a program only prints something about itself. */
const ASKS = ['--help', '--version'];

function ofKnown({ program, language }: Known, args: readonly string[], place: Place) {
  const { before: head, depth, isStrict } = place;
  const { tests = [], never = '' } = program;
  const read = readArguments(args, program);
  const isNever = (arg: string): boolean => wordsIn(never).some((one) => arg.startsWith(one));
  if (args.slice(0, read.end).some((arg) => ASKS.includes(arg) || isNever(arg))) return null;
  if (tests.some((text) => isAsked(text, read, { ...program, isStrict })))
    return { language, program, head, args };
  if (read.inner === null) return null;
  const { at, by } = read.inner;
  const before = [...head, ...args.slice(0, at)];
  const inside = { before, depth: depth + 1, isStrict: isStrict || by !== 'words' };
  const found = ofWords(args.slice(at), inside);
  if (found !== null || by !== 'module') return found;
  // The module may be a test file.
  const named = language?.runs?.filesRunBy?.([nameOf(head.at(-1) ?? ''), ...args.slice(at - 1)]);
  return named?.some(isTestPath) ? { language, head } : null;
}

interface Read {
  readonly options: readonly string[];
  /** The words that are neither options nor their values, with the program that is run, if any. */
  readonly operands: readonly string[];
  /** The index of the inner program; `null`: there is none. */
  readonly inner: { readonly at: number; readonly by: 'words' | 'place' | 'module' } | null;
  /** How many words are the program's own. */
  readonly end: number;
}

function readArguments(args: readonly string[], program: TestProgram): Read {
  const { takesAs, passes = [] } = program;
  const [takes, module, code] = [program.takes, program.module, program.code].map(wordsIn);
  const options: string[] = [];
  const operands: string[] = [];
  let first: number | null = null;
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    if (arg === '--') continue;
    if (code?.includes(arg)) return { options, operands: [], inner: null, end: at };
    if (module?.includes(arg)) {
      const inner = at + 1 < args.length ? ({ at: at + 1, by: 'module' } as const) : null;
      return { options, operands, inner, end: at };
    }
    if (!/^[-+]./.test(arg)) {
      operands.push(arg);
      first ??= at;
      const by = passes.find((text) => text !== '' && isPassedBy(text, operands));
      const isOnlyOne = passes.length === 1 && passes[0] === '';
      if (by !== undefined || isOnlyOne)
        return { options, operands, inner: { at, by: isOnlyOne ? 'place' : 'words' }, end: at };
      continue;
    }
    options.push(arg);
    if (!takes?.includes(arg) && takesAs?.(arg) !== true) continue;
    at += 1;
    options.push(...args.slice(at, at + 1));
  }
  const inner =
    passes.includes('') && first !== null ? ({ at: first, by: 'place' } as const) : null;
  return { options, operands, inner, end: args.length };
}

const wordsIn = (text = ''): readonly string[] => text.split(' ').filter(Boolean);

const isBegunBy = (words: readonly string[], begin: readonly string[]): boolean =>
  begin.every((one, at) => isLike(words[at], one));

/** True if the last operand is the program to which the words of `text` pass on. */
function isPassedBy(text: string, operands: readonly string[]): boolean {
  const begin = wordsIn(text);
  return operands.length === begin.length + 1 && isBegunBy(operands, begin);
}

/** True if the arguments ask for tests. Options may stand anywhere; words must be the first operands. */
function isAsked(
  text: string,
  { options, operands }: Read,
  { anywhere, isStrict }: Pick<TestProgram, 'anywhere'> & { readonly isStrict: boolean },
): boolean {
  const wanted = wordsIn(text);
  if (text.startsWith('-')) return options.some((_, at) => isBegunBy(options.slice(at), wanted));
  if (anywhere !== true) return isBegunBy(operands, wanted);
  const isIt = (word: string): boolean => isLike(word.slice(word.lastIndexOf(':') + 1), text);
  return operands.length > 0 && (isStrict ? operands.every(isIt) : operands.some(isIt));
}

/** @param wanted `*` is any word; at the end of a word it is what follows a mark, as in `test:unit` */
function isLike(word: string | undefined, wanted: string): boolean {
  if (word === undefined) return false;
  if (wanted === '*' || word === wanted) return true;
  const begin = wanted.slice(0, -1);
  if (!wanted.endsWith('*') || !word.startsWith(begin)) return false;
  return /^(?:$|_|\W)/.test(word.slice(begin.length));
}
