/** Pure: completes the last word of a command line, for the scripts of shells. */
import type { CompletedBy } from '../../options/kinds.ts';
import { type CompletionTable, completionTable, NO_COMMAND } from './offered.ts';

type Choice = readonly [word: string, about: string];

/** @param typed the words after the program's name, each with a dot before it; the last one is completed */
export function completionAnswer(
  typed: readonly string[],
  offered: CompletionTable = completionTable(),
): string {
  const { prefix, choices } = completed(
    typed.map((word) => word.slice(1)),
    offered,
  );
  if (typeof choices === 'string') return `:${choices}\n`;
  return choices.map(([word, about]) => `${prefix}${word}\t${about}\n`).join('');
}

function completed(
  words: readonly string[],
  { commands, options }: CompletionTable,
): { readonly prefix: string; readonly choices: readonly Choice[] | 'files' | 'folders' } {
  const last = words.at(-1) ?? '';
  const { pending, verb, first, operands, isOver } = readBefore(words.slice(0, -1), {
    commands,
    options,
  });
  // Some shells do not split `--flag=value`.
  const [joined = '', flag = ''] = pending === '' ? (/^(--[^=]+)=/.exec(last) ?? []) : [];
  const wanted = pending !== '' && last === '=' ? '' : last.slice(joined.length);
  const fitting = (choices: readonly Choice[]) => ({
    prefix: joined,
    choices: choices.filter(([word]) => word.startsWith(wanted)),
  });
  const known = (offers: CompletedBy | null | undefined) =>
    typeof offers === 'string'
      ? { prefix: joined, choices: offers }
      : fitting((offers ?? []).map((word) => [word, '']));
  if (isOver) return fitting([]);
  const option = pending || flag;
  if (option !== '') return known(options.find(({ words }) => words.includes(option))?.offers);
  if (last.startsWith('-'))
    return fitting(
      options.flatMap(({ long, abouts }) =>
        abouts.flatMap(({ about, commands }): Choice[] =>
          commands.includes(verb) ? [[long, about]] : [],
        ),
      ),
    );
  if (first === '')
    return fitting(
      commands.flatMap(({ name, about, isShown }): Choice[] => (isShown ? [[name, about]] : [])),
    );
  return known(operands === 0 ? commands.find(({ name }) => name === verb)?.offers : null);
}

function readBefore(words: readonly string[], { commands, options }: CompletionTable) {
  let [pending, verb, first] = ['', NO_COMMAND, ''];
  let [operands, isOver] = [0, false];
  for (const word of words) {
    if (pending !== '') pending = word === '=' ? pending : '';
    else if (options.some((one) => one.offers !== null && one.words.includes(word))) pending = word;
    else if (word === '--') isOver = true;
    else if (word.startsWith('-') && word.length > 1) continue;
    else if (first !== '') operands += 1;
    else {
      first = word;
      if (commands.some(({ name }) => name === word)) verb = word;
      else operands = 1;
    }
  }
  return { pending, verb, first, operands, isOver };
}
