/** Programs in two languages: what they are called, and small ones that print. Pure but for `candidates`. */
import type { Evidence } from '../goal.ts';
import type { Files, Language } from './generator.ts';
import { programsMade } from './look.ts';
import type { Random } from './random.ts';

export type ProgramLanguage = Exclude<Language, 'text'>;
export const BOTH: readonly ProgramLanguage[] = ['python', 'javascript'];

export const ENDING = { python: '.py', javascript: '.js' } as const;
export const IN_WORDS = { python: 'Python', javascript: 'JavaScript' } as const;
export const COMMAND = { python: 'python', javascript: 'node' } as const;

/** `read_total` in Python, `readTotal` in JavaScript. */
export const nameIn = (language: ProgramLanguage, words: readonly string[]): string =>
  language === 'python'
    ? words.join('_')
    : words.map((word, at) => (at === 0 ? word : capital(word))).join('');

export const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

export const code = (lines: readonly string[]): string => `${lines.join('\n')}\n`;

/** A program that a goal asks for, with its name or only with its language. */
export interface Target {
  readonly language: ProgramLanguage;
  /** Where it is to lie; a solution's place where the goal names none. */
  readonly path: string;
  /** How the goal calls it: `prices.py`, or `a Python script`. */
  readonly inWords: string;
  /** Where the oracle looks for it. */
  candidates(evidence: Evidence): readonly string[];
}

export function target(random: Random, stem: string, given: Files = {}): Target {
  const language = random.pick(BOTH);
  const path = `${stem}${ENDING[language]}`;
  const isNamed = random.int(1, 3) > 1;
  const word = random.pick(['script', 'program']);
  return {
    language,
    path,
    inWords: isNamed
      ? random.pick([path, `a ${word} ${path}`, `a ${IN_WORDS[language]} ${word} ${path}`])
      : `a ${IN_WORDS[language]} ${word}`,
    candidates: (evidence) => (isNamed ? [path] : programsMade(evidence, language, given)),
  };
}

export const named = (language: ProgramLanguage, stem: string): string =>
  `${stem}${ENDING[language]}`;

/** A program that prints these lines and nothing else. */
export const printer = (language: ProgramLanguage, lines: readonly string[]): string =>
  code(
    lines.map((line) =>
      language === 'python'
        ? `print(${JSON.stringify(line)})`
        : `console.log(${JSON.stringify(line)});`,
    ),
  );
