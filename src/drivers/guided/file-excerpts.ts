/** What a question shows of a file: all of it if there is room, else the part that matters. */
import { isSecretFile } from '../../languages/files/secret-files.ts';
import { sha256 } from '../../lib/sha256.ts';
import { scrubber } from '../../llm/secrets/scrub.ts';
import type { WHY_NOT_SHOWN } from '../../prompts/survey.ts';
import type { ShownFile } from '../../schema/state-parts/shown-file.ts';
import type { DriverView } from '../driver.ts';
import { type About, passageOf } from './passage.ts';

export interface FileExcerpts {
  readonly path: string;
  /** `app.py`, or `Lines 40 to 80 of 200 of app.py`. */
  readonly title: string;
  readonly text: string;
  readonly isWhole: boolean;
  /** None for a text that was decoded with losses: nobody has seen its bytes. */
  readonly records: readonly ShownFile[];
}

const scrub = scrubber([]);

/** Why the text of a file is not shown to a model before a plan; `null`: it may be. */
export function withheldBecause(
  path: string,
  text: string | null,
  world: Pick<DriverView['world'], 'needsApproval'>,
): keyof typeof WHY_NOT_SHOWN | null {
  if (isSecretFile(path)) return 'secret';
  if (world.needsApproval?.(path)) return 'rule';
  if (text === null || /[\0\uFFFD]/.test(text)) return 'noText';
  return scrub(text) === text ? null : 'secret';
}

/** Characters per token in code, a cautious estimate. */
const CHARS_PER_TOKEN = 3;
/** The share of the window for a file to be rewritten: the answer contains it once more. */
const SHARE = 0.25;
/** A longer file does not come back whole in one answer. */
const MAX_TOKENS = 3072;

/** The longest text that is shown to be rewritten as a whole, in characters. */
export const roomForAFile = (numCtx: number): number =>
  Math.floor(Math.min(numCtx * SHARE, MAX_TOKENS)) * CHARS_PER_TOKEN;

/** The size of all files that a question shows for a failure, in characters. */
export const roomForFiles = (numCtx: number): number =>
  Math.floor(numCtx * SHARE) * CHARS_PER_TOKEN;

/** Fewer characters of a file say nothing. */
const MIN_PART = 400;

export function excerptOf(
  { path, text }: { readonly path: string; readonly text: string },
  room: number,
  about: About,
): FileExcerpts {
  const hash = sha256(Buffer.from(text));
  const isFaithful = !text.includes('\uFFFD');
  const seen = (part: object) => (isFaithful ? [{ path, hash, ...part }] : []);
  if (text.length <= room) return { path, title: path, text, isWhole: true, records: seen({}) };
  const { from, to, of, text: part } = passageOf(text, Math.max(MIN_PART, room), about);
  const title = `Lines ${from} to ${to} of ${of} of ${path}`;
  return { path, title, text: part, isWhole: false, records: seen({ from, to }) };
}

/** One after the other until there is no room; the first ones matter most. */
export function excerptsOf(
  files: readonly { readonly path: string; readonly text: string }[],
  room: number,
  aboutFile: (path: string) => About,
): readonly FileExcerpts[] {
  const shown: FileExcerpts[] = [];
  let left = room;
  for (const file of files) {
    if (left < MIN_PART && shown.length > 0) break;
    const one = excerptOf(file, left, aboutFile(file.path));
    shown.push(one);
    left -= one.text.length;
  }
  return shown;
}
