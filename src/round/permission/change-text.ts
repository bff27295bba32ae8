/** The change that a person is asked about, as a unified patch with its invisible characters made visible. */
import { isSecretFile } from '../../languages/files/secret-files.ts';
import { visible } from '../../lib/text/visible.ts';
import type { FileContents } from '../../tools/contract.ts';
import { compareText } from '../../workspace/hunks.ts';

/** Lines of all files together; the rest is counted. */
const MAX_LINES = 400;
const MAX_CHARACTERS = 400;

/** Empty if no file's text changes. */
export async function changeText(contents: readonly FileContents[]): Promise<string> {
  const lines = (await Promise.all(contents.map(linesOf))).flat();
  const more = lines.length - MAX_LINES;
  return [
    ...lines.slice(0, MAX_LINES),
    ...(more > 0 ? [`… and ${more} more ${more === 1 ? 'line' : 'lines'}`] : []),
  ].join('\n');
}

async function linesOf({ path, before, after }: FileContents): Promise<readonly string[]> {
  const head = [
    `--- ${before === null ? '/dev/null' : visible(path)}`,
    `+++ ${after === null ? '/dev/null' : visible(path)}`,
  ];
  if (isSecretFile(path)) return [...head, 'It may hold keys: its lines are not shown.'];
  const compared = await compareText(path, before, after);
  if (typeof compared === 'string') return [...head, compared];
  const changed = compared.hunks.flatMap(({ lines }) => lines.filter((line) => /^[+-]/.test(line)));
  // Without this, a change of line endings would look like no change.
  const areEndsShown = new Set(changed.map((line) => line.endsWith('\r'))).size > 1;
  const hunks = compared.hunks.flatMap(({ head: place, lines }) => [
    place,
    ...lines.map((line) => shown(line, areEndsShown)),
  ]);
  return hunks.length === 0 ? [] : [...head, ...hunks];
}

/** Keeps tabs. Windows line endings are dropped, or shown as `\r`. */
function shown(line: string, areEndsShown: boolean): string {
  const text = areEndsShown ? line : line.replace(/\r$/, '');
  const whole = text.split('\t').map(visible).join('\t');
  const more = whole.length - MAX_CHARACTERS;
  return more > 0 ? `${whole.slice(0, MAX_CHARACTERS)}… and ${more} more characters` : whole;
}
