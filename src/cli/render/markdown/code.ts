/** Pure: splits code into spans, by the rules of @speed-highlight/core for its language. */
import * as languages from '@speed-highlight/core/languages';
import { type ShjLanguageData, type ShjToken, tokenizeWith } from '@speed-highlight/core/tokenize';
import type { Tone } from '../text/style.ts';
import { type StyledText, unstyled } from '../text/words.ts';

/** The library's declarations are wider than what it accepts, because an optional member may not be undefined here. */
const KNOWN = languages as unknown as Record<string, ShjLanguageData>;
/** Other language names that a fence may carry. */
const ALSO: Readonly<Record<string, string>> = {
  javascript: 'js',
  jsx: 'js',
  mjs: 'js',
  cjs: 'js',
  node: 'js',
  typescript: 'ts',
  tsx: 'ts',
  mts: 'ts',
  json5: 'json',
  jsonc: 'json',
  python: 'py',
  python3: 'py',
  sh: 'bash',
  shell: 'bash',
  zsh: 'bash',
  console: 'bash',
  rust: 'rs',
  golang: 'go',
  cpp: 'c',
  'c++': 'c',
  h: 'c',
  cs: 'java',
  csharp: 'java',
  kotlin: 'java',
  yml: 'yaml',
  dockerfile: 'docker',
  makefile: 'make',
  patch: 'diff',
  perl: 'pl',
  markdown: 'md',
  svg: 'xml',
};
const TONES: { readonly [Kind in ShjToken]?: Tone } = {
  kwd: 'keyword',
  oper: 'plain',
  str: 'good',
  esc: 'good',
  num: 'warning',
  bool: 'warning',
  func: 'active',
  class: 'active',
  type: 'active',
  section: 'strong',
  cmnt: 'dim',
  insert: 'good',
  deleted: 'bad',
  err: 'bad',
  var: 'active',
};

/** Beyond this many characters earlier lines no longer count. */
const MAX_CHARS = 12_000;
const LONGEST_LINE = 1_000;

/** The spans of the last line; the lines before it decide whether it begins inside a comment or a string. */
export function codeSpans(lines: readonly string[], language: string): readonly StyledText[] {
  const line = lines.at(-1) ?? '';
  const name = ALSO[language.toLowerCase()] ?? language.toLowerCase();
  if (!Object.hasOwn(KNOWN, name) || line.length > LONGEST_LINE) return [unstyled(line)];
  const before = lines
    .slice(0, -1)
    .map((one) => `${one}\n`)
    .join('');
  const counts = before.length > MAX_CHARS ? '' : before;
  const spans: StyledText[] = [];
  let at = 0;
  const take = (text: string, kind?: ShjToken): void => {
    const shown = text.slice(Math.max(0, counts.length - at));
    at += text.length;
    if (shown !== '' && at > counts.length)
      spans.push({ text: shown, tone: (kind && TONES[kind]) ?? 'plain' });
  };
  tokenizeWith(counts + line, name, take, { languages: KNOWN });
  const whole = spans.map(({ text }) => text).join('');
  return whole === line ? spans : [unstyled(line)];
}
