/** Pure: tests that stand in a file of code, in languages about which little else is known. */
import { blocksIn } from '../files/blocks.ts';
import type { LineRange } from '../language.ts';

interface Inner {
  readonly files: RegExp;
  /** The line with which a test begins. */
  readonly begins: RegExp;
  /** A line of documentation, whose examples are tests. */
  readonly documents?: RegExp;
  /** A line of code that tells tests from other programs. */
  readonly tells?: RegExp;
}

const DOCUMENTS = /^\s*\/\/[/!]/;

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
  return inner === undefined
    ? []
    : blocksIn(text, inner.begins, (line) =>
        [inner.documents, inner.tells].some((alone) => alone?.test(line)),
      );
}

/** The text with its documentation's examples as plain lines, each where it was: the rest of a documentation expects nothing. */
export function withPlainExamples(text: string): string {
  let isExample = false;
  const plain = (line: string): string => {
    const [mark] = DOCUMENTS.exec(line) ?? [];
    if (mark === undefined) {
      isExample = false;
      return line;
    }
    if (/^\s*```/.test(line.slice(mark.length))) isExample = !isExample;
    return isExample ? line.replace(mark, ' '.repeat(mark.length)) : line;
  };
  return text.split('\n').map(plain).join('\n');
}
