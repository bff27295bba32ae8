/** What Tab makes of the word before the cursor: a command behind a slash, or a file of the folder. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isCache } from '../../languages/languages.ts';
import { type Draft, replace } from './editor.ts';

export interface Completion {
  readonly draft: Draft;
  /** Where several fit: their names, for the person. */
  readonly choices: readonly string[];
}

const MOST_CHOICES = 40;

/** @param commands with their slash */
export function completed(
  draft: Draft,
  commands: readonly string[],
  workspace: string,
): Completion {
  const { text, cursor } = draft;
  const word = /\S*$/u.exec(text.slice(0, cursor))?.[0] ?? '';
  const isCommand = word.startsWith('/') && text.slice(0, cursor) === word;
  const fitting = isCommand
    ? commands.filter((name) => name.startsWith(word))
    : filesFor(word, workspace);
  const [only] = fitting;
  if (only === undefined) return { draft, choices: [] };
  const ends = fitting.length === 1 && !only.endsWith('/') ? `${only} ` : only;
  const put = fitting.length === 1 ? ends : commonStart(fitting);
  const from = cursor - word.length;
  return {
    draft: put.length >= word.length ? replace(draft, from, cursor, put) : draft,
    choices: fitting.length === 1 ? [] : fitting.slice(0, MOST_CHOICES),
  };
}

/** `@` in front of a name is what other programs want; the name behind it is meant. */
function filesFor(word: string, workspace: string): readonly string[] {
  const mark = word.startsWith('@') ? '@' : '';
  const path = word.slice(mark.length).replaceAll('\\', '/');
  if (path.startsWith('/') || path.split('/').includes('..')) return [];
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const name = path.slice(folder.length);
  return entriesIn(join(workspace, folder))
    .filter((entry) => entry.startsWith(name) && (name !== '' || !entry.startsWith('.')))
    .map((entry) => `${mark}${folder}${entry}`);
}

const HIDDEN = new Set(['.git', '.agent_context']);

function entriesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(({ name }) => !HIDDEN.has(name) && !isCache(name) && !/\s/.test(name))
      .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
      .sort();
  } catch {
    // A folder that cannot be read completes nothing.
    return [];
  }
}

function commonStart(words: readonly string[]): string {
  let start = words[0] ?? '';
  for (const word of words) while (!word.startsWith(start)) start = start.slice(0, -1);
  return start;
}
