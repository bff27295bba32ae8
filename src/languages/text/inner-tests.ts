/** Pure: tests that stand in a file of code, in languages about which little else is known. */
import { blocksIn } from '../files/blocks.ts';
import type { LineRange } from '../language.ts';

interface Inner {
  readonly files: RegExp;
  /** The line with which a test begins. */
  readonly begins: RegExp;
  /** The beginning of a line of documentation, in which examples are tests. */
  readonly documents?: RegExp;
  /** A line of code that tells tests from other programs. */
  readonly tells?: RegExp;
}

const DOCUMENTS = /^\s*\/\/[/!]/;

const FENCE = /^\s*(`{3,}|~{3,})/;
/** An indented block of code in Markdown, after the space that follows the mark. */
const SET_IN = /^(?: {5}| ?\t)/;

const LANGUAGES: readonly Inner[] = [
  {
    files: /\.rs$/,
    begins: /^\s*#\[\s*(?:cfg\(\s*(?:(?:all|any)\(\s*)?test\b|(?:\w+::)*\w*test\w*\s*[\](])/,
    documents: DOCUMENTS,
    tells: /\bcfg!\s*\((?:[^)]*\W)?test\b/,
  },
  { files: /\.zig$/, begins: /^\s*test\b/ },
  { files: /\.d$/, begins: /^\s*(?:@\w+\s+)*unittest\b/ },
];

export function innerTests(path: string, text: string): readonly LineRange[] {
  const inner = LANGUAGES.find(({ files }) => files.test(path));
  if (inner === undefined) return [];
  const examples = inner.documents === undefined ? null : examplesIn(text, inner.documents);
  return blocksIn(
    text,
    inner.begins,
    (line, at) => examples?.has(at) === true || inner.tells?.test(line) === true,
  );
}

/**
 * The text with the examples in its documentation as plain lines, in their places. The rest of a
 * documentation expects nothing.
 */
export function withPlainExamples(text: string): string {
  const examples = examplesIn(text, DOCUMENTS);
  const plain = (line: string): string => {
    const [mark = ''] = DOCUMENTS.exec(line) ?? [];
    const said = line.slice(mark.length);
    return FENCE.test(said) ? line : ' '.repeat(mark.length) + said;
  };
  return text
    .split('\n')
    .map((line, at) => (examples.has(at) ? plain(line) : line))
    .join('\n');
}

/**
 * The lines of a documentation that are examples, counted from 0: lines between two fences, indented lines,
 * and the fences themselves, which say whether the example runs. The rest is for people, and a compiler may
 * require it.
 */
function examplesIn(text: string, documents: RegExp): ReadonlySet<number> {
  const found = new Set<number>();
  let fence: string | null = null;
  for (const [at, line] of text.split('\n').entries()) {
    const [mark] = documents.exec(line) ?? [];
    const said = mark === undefined ? '' : line.slice(mark.length);
    const [, bar = null] = FENCE.exec(said) ?? [];
    if (mark === undefined) fence = null;
    else if (fence !== null || bar !== null || SET_IN.test(said)) found.add(at);
    if (fence === null) fence = bar;
    else if (bar?.startsWith(fence)) fence = null;
  }
  return found;
}
