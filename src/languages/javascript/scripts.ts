/** What package.json and the installed packages say about commands, when the run opened and now. */
import { posix } from 'node:path';
import * as z from 'zod';
import { fitting, jsonIn } from '../../lib/json-value.ts';
import { lazily } from '../../lib/lazily.ts';
import { own } from '../../lib/own.ts';
import { sha256 } from '../../lib/sha256.ts';
import {
  type BuildLook,
  type BuildsNow,
  type BuildTexts,
  type BuildTool,
  type ExpandedCommand,
  isFlag,
  splitFlag,
} from '../commands/command-rule.ts';

const MANIFEST = 'package.json';
const SETTINGS = '.npmrc';
/** The most entries that are recorded: an unrecorded one counts as changed. */
const MAX = 300;
const LONGEST_TEXT = 500;

const Texts = z.record(z.string(), z.string()).catch({});
const Manifest = z.object({
  scripts: Texts,
  dependencies: Texts,
  devDependencies: Texts,
  name: z.string().catch(''),
  version: z.string().catch(''),
  bin: z
    .union([z.string(), z.record(z.string(), z.string())])
    .optional()
    .catch(undefined),
});
type Manifest = z.infer<typeof Manifest>;

export const scriptKey = (name: string): string => `script ${name}`;
export const binKey = (name: string): string => `bin ${name}`;

const read = (path: string, { readText }: Pick<BuildLook, 'readText'>): Manifest | null =>
  fitting(jsonIn(readText(path) ?? ''), Manifest);

function take(view: BuildLook): BuildTexts {
  const manifest = read(MANIFEST, view);
  if (manifest === null) return {};
  const scripts = Object.entries(manifest.scripts).slice(0, MAX);
  const settings = view.readText(SETTINGS);
  return {
    [MANIFEST]: '',
    ...(settings === null ? {} : { [SETTINGS]: sha256(settings) }),
    ...Object.fromEntries(scripts.map(([name, text]) => [scriptKey(name), shortText(text)])),
    ...programsOf(manifest, view),
  };
}

const programsOf = (manifest: Manifest, view: BuildLook): BuildTexts =>
  Object.fromEntries(
    declaredBy(manifest, view).map(({ program, file, of }) => [
      binKey(program),
      `${of} ${file}`.slice(0, LONGEST_TEXT),
    ]),
  );

export interface InstalledProgram {
  readonly program: string;
  /** In the package, as it declares. */
  readonly file: string;
  /** `name@version`. */
  readonly of: string;
  /** The file that declares it. */
  readonly manifest: string;
}

/** The programs that the dependencies of the project declare. */
export function installedPrograms(view: BuildLook): readonly InstalledProgram[] {
  const manifest = read(MANIFEST, view);
  return manifest === null ? [] : declaredBy(manifest, view);
}

/** A link in `.bin` is created from what the package declares. */
function declaredBy(
  { dependencies, devDependencies }: Manifest,
  view: BuildLook,
): readonly InstalledProgram[] {
  const names = Object.keys({ ...dependencies, ...devDependencies }).filter(isPackage);
  return names.slice(0, MAX).flatMap((name) => {
    const manifest = `node_modules/${name}/${MANIFEST}`;
    const own = read(manifest, view);
    if (own?.bin === undefined) return [];
    const short = name.replace(/^.*\//, '');
    const programs = typeof own.bin === 'string' ? { [short]: own.bin } : own.bin;
    const of = `${name}@${own.version}`;
    return Object.entries(programs).map(([program, file]) => ({ program, file, of, manifest }));
  });
}

const isPackage = (name: string): boolean => /^(?:@[\w.-]+\/)?[\w-][\w.-]*$/.test(name);

const shortText = (text: string): string => (text.length <= LONGEST_TEXT ? text : sha256(text));

export const builds: BuildTool = {
  take,
  files: [MANIFEST],
  // Every package manager names scripts in its own ways.
  behind: ({ files, readText }) => {
    const manifests = lazily(() =>
      [MANIFEST, ...files.filter((file) => file.endsWith(`/${MANIFEST}`))].map((file) => {
        const scripts = read(file, { readText })?.scripts ?? {};
        return { scripts, file, folder: posix.dirname(file) };
      }),
    );
    return ([program = '', ...args]) => {
      const names = program === 'node' ? [nodeScript(args) ?? ''] : args;
      const around = names.map((name) => own(SHORT, name) ?? name).flatMap(namesAround);
      return manifests().flatMap(({ scripts, ...where }) =>
        around.flatMap((name) => {
          const text = own(scripts, name);
          return text === undefined ? [] : [{ text, ...where }];
        }),
      );
    };
  },
  verbs: (taken) =>
    Object.keys(taken).flatMap((key) => {
      const [, script] = /^script (.+)$/s.exec(key) ?? [];
      return script === undefined ? [] : [`npm run ${script}`];
    }),
};

/** A run that began without settings may have some by now, too. Those of a folder above count as well. */
export const hasSettingsChanged = ({ taken, now, hasChanged, unseen }: BuildsNow): boolean =>
  now()[SETTINGS] !== taken?.[SETTINGS] ||
  (unseen === undefined && hasChanged((path) => posix.basename(path) === SETTINGS));

/** Scripts that npm has a command for. */
const SHORT: { readonly [verb: string]: string } = {
  test: 'test',
  t: 'test',
  tst: 'test',
  start: 'start',
};

const IN_WORKSPACES = ['--workspace', '--workspaces'];
const choosesWorkspaces = (arg: string): boolean =>
  isFlag(arg, IN_WORKSPACES) || /^-(?!-)[A-Za-z]*w/.test(arg);
/** True if the last of the short options in a word takes the next word. */
const takesNext = (arg: string): boolean =>
  arg.startsWith('--') ? !arg.includes('=') && arg !== '--workspaces' : arg.endsWith('w');

/** The words of npm without those that choose packages of the project, or one by its folder, and those that do. */
export function withoutPackageWords(args: readonly string[]): {
  readonly words: readonly string[];
  readonly chosen: readonly string[];
  /** The values of `--prefix`. */
  readonly folders: readonly string[];
} {
  const { words, chosen } = withoutWorkspaces(args);
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  const at = words.findIndex((word, index) => index < end && /^--prefix(?:=|$)/.test(word));
  if (at < 0) return { words, chosen, folders: [] };
  const joined = splitFlag(words[at] ?? '')[1];
  const taken = joined === undefined ? 2 : 1;
  if (at + taken > end) return { words, chosen, folders: [] };
  const rest = withoutPackageWords(words.toSpliced(at, taken));
  const folder = joined ?? words[at + 1] ?? '';
  return { words: rest.words, chosen, folders: [folder, ...rest.folders] };
}

function withoutWorkspaces(args: readonly string[]) {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const words: string[] = [];
  const chosen: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    const isChoice = at < end && choosesWorkspaces(arg);
    (isChoice ? chosen : words).push(arg);
    if (!isChoice || !takesNext(arg) || at + 1 >= end) continue;
    at += 1;
    chosen.push(args[at] ?? '');
  }
  return { words, chosen };
}

/** The script that a call of npm runs, with those that npm runs before and after it. */
export function scriptLinesOf(args: readonly string[], builds: BuildsNow): ExpandedCommand | null {
  const { words, chosen, folders } = withoutPackageWords(args);
  const name = scriptRun(words);
  if (name === undefined) return null;
  const keys = namesAround(name).map(scriptKey);
  const below = chosen.length + folders.length > 0 ? builds.below?.() : undefined;
  const today = [builds.now(), ...(below?.texts ?? [])];
  const isChanged = keys.some((key) => today[0]?.[key] !== builds.taken?.[key]);
  return {
    texts: today.flatMap((texts) => keys.flatMap((key) => texts[key] ?? [])),
    changed:
      isChanged || below?.areAsTaken === false
        ? `The script ${name} is not as it was when the run began.`
        : null,
  };
}

function scriptRun(args: readonly string[]): string | undefined {
  const words = args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
  const [verb = '', named] = words.filter((arg) => !arg.startsWith('-'));
  return own(SHORT, verb) ?? (/^(?:run|run-script|rum|urn)$/.test(verb) ? named : undefined);
}

const namesAround = (name: string): readonly string[] => [`pre${name}`, name, `post${name}`];

function nodeScript(args: readonly string[]): string | undefined {
  const at = args.findIndex((arg) => /^--run(?:=|$)/.test(arg));
  return at < 0 ? undefined : (splitFlag(args[at] ?? '')[1] ?? args[at + 1]);
}

/** `node --run NAME` runs only the script itself. */
export function linesOfNode(args: readonly string[], builds: BuildsNow): ExpandedCommand | null {
  const name = nodeScript(args);
  return name === undefined ? null : scriptLinesOf(['run', name], builds);
}
