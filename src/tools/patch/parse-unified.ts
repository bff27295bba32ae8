/**
 * Parses unified diffs as git, diff and models write them: line counts are not trusted, and a hunk may lack
 * numbers. Pure.
 */
import { own } from '../../lib/own.ts';
import {
  anchorIn,
  type FilePatch,
  fault,
  mergedPatches,
  type ParsedPatch,
  type PatchHunk,
} from './file-patch.ts';

const HUNK = /^@@(?: -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@)?(.*)$/;
const NOTHING = '/dev/null';
const LONGEST_NAMES = 2_000;

export function parseUnified(lines: readonly string[]): ParsedPatch {
  const files: FilePatch[] = [];
  let at = 0;
  while (at < lines.length) {
    if (!isHeader(lines, at)) {
      if (/^@@/.test(lines[at] ?? ''))
        return fault('A hunk stands before any file: lines with --- and +++ name the file.');
      at += 1;
      continue;
    }
    const head = readHead(lines, at);
    const body = readHunks(lines, head.next);
    if (typeof body === 'string') return fault(`${head.newName || head.oldName}: ${body}`);
    const file = fileOf(head, body.hunks);
    if (typeof file === 'string') return fault(file);
    files.push(file);
    at = body.next;
  }
  return { kind: 'files', files: mergedPatches(files) };
}

const isGitHeader = (line: string | undefined): boolean => /^diff --git /.test(line ?? '');

const isNames = (lines: readonly string[], at: number): boolean =>
  /^--- /.test(lines[at] ?? '') && /^\+\+\+ /.test(lines[at + 1] ?? '');

const isHeader = (lines: readonly string[], at: number): boolean =>
  isGitHeader(lines[at]) || isNames(lines, at);

interface Head {
  readonly next: number;
  readonly oldName: string;
  readonly newName: string;
  readonly isRename: boolean;
  readonly isExecutable: boolean | undefined;
  /** Why it cannot be parsed; empty if it can. */
  readonly strange: string;
}

function readHead(lines: readonly string[], from: number): Head {
  let at = from;
  let [oldName, newName] = gitNames(lines[at] ?? '');
  let isRename = false;
  let isExecutable: boolean | undefined;
  let strange = '';
  for (; at < lines.length && !isNames(lines, at) && !/^@@/.test(lines[at] ?? ''); at += 1) {
    const line = lines[at] ?? '';
    if (at > from && isGitHeader(line)) break;
    const [, way, name = ''] = /^rename (from|to) (.+)$/.exec(line) ?? [];
    if (way === 'from') oldName = unquoted(name);
    if (way === 'to') newName = unquoted(name);
    isRename ||= way !== undefined;
    const [, what, mode = ''] = /^(new|new file|deleted file) mode (\d+)/.exec(line) ?? [];
    if (what === 'new file') oldName = NOTHING;
    if (what === 'deleted file') newName = NOTHING;
    else if (what !== undefined) isExecutable = mode.endsWith('755');
    if (mode.startsWith('120') || mode.startsWith('160'))
      strange = 'links and submodules are not patched';
    if (/^copy (?:from|to) /.test(line))
      strange = 'copies are not understood; write the file instead';
    if (/^(?:GIT binary patch|Binary files )/.test(line)) strange = 'binary files are not patched';
  }
  if (isNames(lines, at)) {
    const names = [nameIn(lines[at] ?? ''), nameIn(lines[at + 1] ?? '')] as const;
    const [first, second] = withoutPrefix(names);
    if (!isRename) [oldName, newName] = [first, second];
    at += 2;
  }
  return { next: at, oldName, newName, isRename, isExecutable, strange };
}

/** `--- name`, possibly with a time after a tab. */
const nameIn = (line: string): string => unquoted((line.slice(4).split('\t')[0] ?? '').trim());

/** Removes `a/` and `b/`, which git puts before names. */
function withoutPrefix([first, second]: readonly [string, string]): readonly [string, string] {
  const isOld = /^a\//.test(first) || first === NOTHING;
  const isNew = /^b\//.test(second) || second === NOTHING;
  return isOld && isNew ? [first.replace(/^a\//, ''), second.replace(/^b\//, '')] : [first, second];
}

/** The names of git's head line, if both are the same; in all other cases further lines hold them. */
function gitNames(line: string): [string, string] {
  // The name is found by its repetition. On other text that search would take long.
  if (line.length > LONGEST_NAMES) return ['', ''];
  const [, name] = /^diff --git a\/(.+) b\/\1$/.exec(line) ?? [];
  const [, quoted] = /^diff --git ("a\/.+") "b\/.+"$/.exec(line) ?? [];
  const found = name ?? (quoted === undefined ? '' : unquoted(quoted).replace(/^a\//, ''));
  return [found, found];
}

const ESCAPED: { readonly [letter: string]: string } = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** Quoted names contain bytes as octal numbers, perhaps beside unescaped characters. */
function unquoted(name: string): string {
  if (!/^".*"$/.test(name)) return name;
  const pieces = name.slice(1, -1).matchAll(/((?:\\[0-7]{3})+)|\\(.)|([^\\]+|\\)/gs);
  return [...pieces]
    .map(([, bytes, letter, plain = '']) =>
      bytes === undefined
        ? letter === undefined
          ? plain
          : (own(ESCAPED, letter) ?? letter)
        : octets(bytes),
    )
    .join('');
}

const octets = (text: string): string =>
  Buffer.from((text.match(/\d+/g) ?? []).map((octal) => Number.parseInt(octal, 8))).toString(
    'utf8',
  );

function fileOf(head: Head, hunks: readonly PatchHunk[]): FilePatch | string {
  const { oldName, newName, isRename, isExecutable, strange } = head;
  if (strange !== '') return `${newName || oldName}: ${strange}.`;
  if (oldName === '' && newName === '') return 'A part of the patch names no file.';
  const mode = isExecutable === undefined ? {} : { isExecutable };
  if (oldName === NOTHING) return { kind: 'add', path: newName, ...mode, hunks };
  if (newName === NOTHING) return { kind: 'delete', path: oldName, hunks };
  const path = isRename || newName === '' ? oldName : newName;
  const to = isRename && newName !== oldName ? { to: newName } : {};
  return { kind: 'update', path, ...to, ...mode, hunks };
}

function readHunks(
  lines: readonly string[],
  from: number,
): { readonly hunks: readonly PatchHunk[]; readonly next: number } | string {
  const hunks: { at: number | null; under: string; lines: string[] }[] = [];
  let at = from;
  for (; at < lines.length && !startsFile(lines, at); at += 1) {
    const line = lines[at] ?? '';
    const [isHunk, start, under = ''] = HUNK.exec(line) ?? [];
    if (isHunk !== undefined) {
      const isNumbered = start !== undefined;
      const words = isNumbered ? '' : anchorIn(under);
      hunks.push({ at: isNumbered ? Number(start) : null, under: words, lines: [] });
    } else if (/^(?:[ +\\-]|$)/.test(line)) hunks.at(-1)?.lines.push(line);
    else if (hunks.length > 0 && !/^(?:index |Index: |=====|Only in )/.test(line))
      return `each line of a hunk begins with a space, + or -, and this one does not: ${line.slice(0, 80)}`;
  }
  return { hunks: hunks.map(withoutBlankEnd).filter((hunk) => hunk.lines.length > 0), next: at };
}

/** A removed line may look like a name, but then no hunk follows. */
const startsFile = (lines: readonly string[], at: number): boolean =>
  isGitHeader(lines[at]) ||
  /^Index: /.test(lines[at] ?? '') ||
  (isNames(lines, at) && /^@@/.test(lines[at + 2] ?? ''));

/** Empty lines after the last one belong to the end of the patch text, not of the file. */
function withoutBlankEnd(hunk: PatchHunk): PatchHunk {
  const last = hunk.lines.findLastIndex((line) => line !== '');
  return { ...hunk, lines: hunk.lines.slice(0, last + 1).map((line) => line || ' ') };
}
