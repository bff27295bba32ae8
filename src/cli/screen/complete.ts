/** What can be completed at the cursor: a slash command, its argument, or a file of the folder. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isCache } from '../../languages/languages.ts';
import { type InputDraft, replace } from './editor.ts';

export interface CompletionChoice {
  /** The text that replaces what is typed. */
  readonly text: string;
  /** The description; '' if the text needs none. */
  readonly about: string;
  /** For a command: its arguments. */
  readonly takes?: string | undefined;
}

/** What is offered for the word before the cursor. */
export interface Menu {
  /** Where that word begins. */
  readonly from: number;
  readonly choices: readonly CompletionChoice[];
  readonly selected: number;
  readonly kind: 'commands' | 'values' | 'files';
}

export interface CompletionSource {
  /** With their slash. */
  commands(): readonly CompletionChoice[];
  /** The values that a command takes; `null` if it takes free text or nothing. */
  values(command: string): readonly CompletionChoice[] | null;
  readonly workspace: string;
  /** Files anywhere in the workspace, relative to it, with `/`. */
  files(): readonly string[];
}

const MAX_FILES = 200;

/** @param isAsked whether somebody pressed Tab: a word without a mark may then be a file, too */
export function menuFor(
  draft: InputDraft,
  offers: CompletionSource,
  isAsked: boolean,
): Menu | null {
  const { text, cursor } = draft;
  const typed = text.slice(0, cursor);
  if (/^\/\S*$/.test(typed)) return menuOf('commands', 0, fitting(offers.commands(), typed));
  const [, command, value] = /^\/(\S+)\s+(.*)$/s.exec(typed) ?? [];
  const values = command === undefined ? null : offers.values(command);
  if (values !== null && value !== undefined)
    return menuOf('values', cursor - value.length, fitting(values, value));
  const word = /\S*$/u.exec(typed)?.[0] ?? '';
  if (!isAsked && !word.startsWith('@')) return null;
  const begins = filesFor(word, offers.workspace);
  const within = word.startsWith('@') ? filesWith(word.slice(1), offers.files, begins) : [];
  const files = [...begins, ...within].slice(0, MAX_FILES);
  return menuOf(
    'files',
    cursor - word.length,
    files.map((text) => ({ text, about: '' })),
  );
}

const menuOf = (
  kind: Menu['kind'],
  from: number,
  choices: readonly CompletionChoice[],
): Menu | null => (choices.length === 0 ? null : { kind, from, choices, selected: 0 });

/** Choices that begin with the typed text, then, if it is long enough, those that contain it. */
function fitting(choices: readonly CompletionChoice[], typed: string): readonly CompletionChoice[] {
  const wanted = typed.toLowerCase();
  const bare = wanted.replace(/^\//, '');
  const begins = choices.filter(({ text }) => text.toLowerCase().startsWith(wanted));
  const within = choices.filter(
    (choice) => !begins.includes(choice) && choice.text.toLowerCase().includes(bare),
  );
  return bare.length < 2 ? begins : [...begins, ...within];
}

/** The draft with the choice inserted, and a blank after a whole word. */
export function withChoice(draft: InputDraft, menu: Menu): InputDraft {
  const { text = '' } = menu.choices[menu.selected] ?? {};
  const put = text.endsWith('/') && menu.kind === 'files' ? text : `${text} `;
  return replace(draft, menu.from, draft.cursor, put);
}

/** Inserts the common beginning of all choices if it is longer than the typed text; `null` if not. */
export function withCommonStart(draft: InputDraft, menu: Menu): InputDraft | null {
  const start = commonStart(menu.choices.map(({ text }) => text));
  const typed = draft.text.slice(menu.from, draft.cursor);
  const isMore = start.length > typed.length && start.startsWith(typed) && menu.choices.length > 1;
  return isMore ? replace(draft, menu.from, draft.cursor, start) : null;
}

/** `@` in front of a name attaches the file; without it the name is text. */
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

const SHORTEST_WITHIN = 2;

/** Files whose path contains the typed text: first those whose name begins with it, then those whose name has it. */
function filesWith(
  typed: string,
  files: CompletionSource['files'],
  known: readonly string[],
): readonly string[] {
  const wanted = typed.toLowerCase().replaceAll('\\', '/');
  if (wanted.length < SHORTEST_WITHIN) return [];
  const ranked: [string[], string[], string[]] = [[], [], []];
  for (const path of files()) {
    const lower = path.toLowerCase();
    if (!lower.includes(wanted) || /\s/.test(path) || known.includes(`@${path}`)) continue;
    const at = lower.slice(lower.lastIndexOf('/') + 1).indexOf(wanted);
    ranked[at === 0 ? 0 : at > 0 ? 1 : 2].push(`@${path}`);
  }
  return ranked.flat();
}

const HIDDEN = new Set(['.git', '.agent_context']);

function entriesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(({ name }) => !HIDDEN.has(name) && !isCache(name) && !/\s/.test(name))
      .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
      .sort();
  } catch {
    // An unreadable folder completes nothing.
    return [];
  }
}

function commonStart(words: readonly string[]): string {
  let start = words[0] ?? '';
  for (const word of words) while (!word.startsWith(start)) start = start.slice(0, -1);
  return start;
}
