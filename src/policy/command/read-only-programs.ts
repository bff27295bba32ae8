/** Programs that only read: which of their arguments are paths, and which make them do more. Pure. */
import {
  isFlag,
  type Objection,
  type PolicyOptions,
  pathOutside,
  splitFlag,
} from '../../languages/commands/command-rule.ts';
import type { TouchedPath } from './contract.ts';

interface ReadOnlyProgram {
  /** Flags that write, or start a program. */
  readonly harmful?: readonly string[];
  /** How many words precede the first path, such as a search text. */
  readonly texts?: number;
  /** With these flags there is no such word. */
  readonly textFlags?: readonly string[];
  /** Flags whose next word is not a path. */
  readonly taking?: RegExp;
  /** Any further path would be written to. */
  readonly mostPaths?: number;
  /** With these flags it reads whole folders, also with a prefix of a long flag; `null`: always. */
  readonly recursive?: RegExp | null;
  /** With these flags it also reads what links in those folders lead to; `null`: always. */
  readonly follows?: RegExp | null;
  /** Flags whose value it reads like a path among its words. */
  readonly pathFlags?: readonly string[];
  /** None of its words is a path. */
  readonly isAboutWords?: true;
}

const WORDS: ReadOnlyProgram = { isAboutWords: true };
/** The files in such a list are named nowhere else. */
const LISTED: ReadOnlyProgram = { harmful: ['--files0-from'] };
const COUNTED: ReadOnlyProgram = { taking: /^-[nck]$|^--(?:lines|bytes)$/ };

const PROGRAMS: { readonly [program: string]: ReadOnlyProgram } = {
  ls: { taking: /^-[IwT]$/ },
  cat: {},
  head: COUNTED,
  tail: COUNTED,
  wc: LISTED,
  nl: {},
  cmp: {},
  comm: {},
  stat: { taking: /^-[cft]$|^--(?:format|printf)$/ },
  file: { harmful: ['-C', '--compile', '-z', '--uncompress', '-f', '--files-from'] },
  du: { ...LISTED, taking: /^-[dBt]$/ },
  tree: { harmful: ['-o', '-R'], taking: /^-[LPI]$/ },
  cut: { taking: /^-[bcdf]$/ },
  uniq: { mostPaths: 1, taking: /^-[fsw]$/ },
  // Of two folders it compares the files in them even without `-r`.
  diff: {
    recursive: null,
    follows: null,
    pathFlags: ['--from-file', '--to-file'],
    harmful: ['--output'],
    taking: /^-[UCWxIL]$/,
  },
  sort: {
    harmful: [
      ...['-o', '--output', '--compress-program', '-T', '--temporary-directory', '--files0-from'],
    ],
    taking: /^-[kStT]$/,
  },
  grep: {
    texts: 1,
    textFlags: ['-e', '--regexp', '-f', '--file'],
    taking: /^-[eABCmdD]$|^--(?:regexp|include|exclude|exclude-dir)$/,
    // `-d` and `--directories` take any prefix of their value, also as the next word.
    recursive:
      /^(?:-[a-zA-Z0-9]*[rR][a-zA-Z0-9]*|--rec[a-z]*|--der[a-z-]*|--di[a-z]*=r[a-z]*|r|re|rec|recu|recur|recurs|recurse)$/,
    follows: /^(?:-[a-zA-Z0-9]*R[a-zA-Z0-9]*|--der[a-z-]*)$/,
  },
  rg: {
    texts: 1,
    textFlags: ['-e', '--regexp', '-f', '--file', '--files'],
    taking: /^-[eABCmgtTjrM]$|^--(?:regexp|glob|iglob|type|replace)$/,
    harmful: ['--pre', '--hostname-bin', '-z', '--search-zip', '--pre-glob'],
    recursive: null,
    follows: /^(?:-[a-zA-Z0-9]*L|--follow$)/,
  },
  find: {
    harmful: ['-delete', '-follow', '-fprint', '-fprint0', '-fprintf', '-fls', '-files0-from'],
    taking:
      /^-(?:i?name|i?path|i?wholename|i?regex|regextype|i?lname|type|xtype|perm|printf|mtime|mmin|atime|ctime|size|maxdepth|mindepth|user|group|newermt)$/,
  },
  which: WORDS,
  pwd: WORDS,
  echo: WORDS,
  true: WORDS,
  false: WORDS,
  exit: WORDS,
  basename: WORDS,
  dirname: WORDS,
};

export const isReadOnlyProgram = (name: string): boolean => Object.hasOwn(PROGRAMS, name);

/** Why a command does more than read; `null`: it only reads. */
export function readOnlyObjection(
  name: string,
  args: readonly string[],
  options: PolicyOptions,
): Objection {
  const looking = PROGRAMS[name] ?? {};
  const harmful = args.find((arg) => isHarmful(arg, looking.harmful ?? []));
  const paths = looking.isAboutWords ? [] : pathWords(name, args);
  const flags = looking.isAboutWords ? [] : args.filter((arg) => arg.startsWith('-'));
  // First, because nothing lifts it.
  const outside = pathOutside([...paths, ...flags], options);
  if (outside !== null) {
    const reason = `${name} would use ${outside}, which lies outside the workspace.`;
    return { reason, liftedBy: null };
  }
  if (harmful !== undefined)
    return { reason: `${name} ${harmful} does more than look.`, liftedBy: name };
  if (paths.length > (looking.mostPaths ?? Number.POSITIVE_INFINITY))
    return { reason: `${name} would write to ${paths.at(-1)}.`, liftedBy: name };
  return null;
}

/** False if its arguments make it write or start a program. */
export function readsOnly(name: string, args: readonly string[]): boolean {
  const { harmful = [], mostPaths = Number.POSITIVE_INFINITY } = PROGRAMS[name] ?? {};
  return !args.some((arg) => isHarmful(arg, harmful)) && pathWords(name, args).length <= mostPaths;
}

const isHarmful = (arg: string, flags: readonly string[]): boolean =>
  isFlag(arg, flags) ||
  flags.some((flag) => /^-\w$/.test(flag) && new RegExp(`^-\\w*${flag.slice(1)}`).test(arg));

/** What it reads: files named in its words, and folders that it reads as a whole, maybe with what links lead to. */
export function pathsRead(
  name: string,
  args: readonly string[],
): {
  readonly paths: readonly TouchedPath[];
  readonly below: readonly string[];
  readonly followsLinks: boolean;
} {
  const { isAboutWords, recursive, follows, pathFlags = [] } = PROGRAMS[name] ?? {};
  if (isAboutWords) return { paths: [], below: [], followsLinks: false };
  const values = args.flatMap((arg) => (isFlag(arg, pathFlags) ? (splitFlag(arg)[1] ?? []) : []));
  const words = [...pathWords(name, args), ...values];
  const isAmong = (flags: RegExp | null | undefined): boolean =>
    flags === null || (flags !== undefined && args.some((arg) => flags.test(arg)));
  const folders = words.length === 0 ? ['.'] : words;
  return {
    paths: words.map((path) => ({ does: 'read', path })),
    below: isAmong(recursive) ? folders : [],
    followsLinks: isAmong(follows),
  };
}

function pathWords(name: string, args: readonly string[]): readonly string[] {
  const { texts = 0, textFlags = [], taking } = PROGRAMS[name] ?? {};
  const words: string[] = [];
  let isEnd = false;
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    if (!isEnd && arg === '--') isEnd = true;
    else if (!isEnd && taking?.test(arg)) at += 1;
    else if (isEnd || !/^[-+]./.test(arg)) words.push(arg);
  }
  const hasText = args.some((arg) => isFlag(arg, textFlags));
  return words.slice(hasText ? 0 : texts).filter((word) => !/^[(!),]$/.test(word));
}
