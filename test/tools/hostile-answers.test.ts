/**
 * Answers that no good model gives, each with what is to become of it, on the way that every answer
 * takes. Whatever it is, nothing outside the workspace, of git or of our own state is different
 * afterwards, and a call that was not carried out left nothing behind.
 */
import { describe, expect, it } from 'vitest';
import { becomes, type Outcome } from './hostile-answers/answer.ts';
import { argumentRows, nameRows } from './hostile-answers/calls.ts';
import { commandRows } from './hostile-answers/commands.ts';
import { pathRows } from './hostile-answers/paths.ts';
import type { Row } from './hostile-answers/row.ts';
import { actionRows, contentRows, textRows } from './hostile-answers/texts.ts';
import type { Platform } from './hostile-answers/world.ts';

const FAMILIES: readonly (readonly [name: string, rows: readonly Row[]])[] = [
  ['paths', pathRows],
  ['arguments', argumentRows],
  ['names of tools', nameRows],
  ['commands', commandRows],
  ['calls in text', textRows],
  ['answers with a schema', actionRows],
  ['contents of files', contentRows],
];

const shown = (value: unknown): string => {
  const text = JSON.stringify(value);
  return text.length <= 160 ? text : `${text.slice(0, 160)}… (${text.length})`;
};

/** No path or command of these depends on the system, so the rules of one are enough. */
const ALIKE = ['arguments', 'names of tools', 'calls in text', 'answers with a schema'];

/** What is not as the row wants it, in a sentence each. */
function faultsOf([said, wanted, more = {}]: Row, outcome: Outcome, platform: Platform): string[] {
  const { became, told, changed } = outcome;
  const root = platform === 'win32' ? '/C:/work/' : '/work/';
  const want = platform === 'win32' ? (more.win ?? wanted) : wanted;
  const paths = Object.keys(changed);
  const isAct = /done|mended/.test(became);
  const isKept = (path: string): boolean =>
    !path.startsWith(root) || /\/\.(?:git|agent_context)\//i.test(path);
  const made = Object.fromEntries(
    Object.entries(more.makes ?? {}).map(([path, content]) => [`${root}${path}`, content]),
  );
  const isMade = more.makes === undefined || JSON.stringify(changed) === JSON.stringify(made);
  return [
    ...(became === want ? [] : [`became ${became} (${shown(told)}) instead of ${want}`]),
    ...(more.says && !more.says.test(told) ? [`said ${shown(told)}`] : []),
    ...(told.length > 5000 ? [`said ${told.length} characters`] : []),
    ...paths.filter(isKept).map((path) => `changed ${path}`),
    ...(isAct || paths.length === 0 ? [] : [`left ${shown(changed)}`]),
    ...(isMade ? [] : [`made ${shown(changed)}`]),
  ].map((fault) => `${shown(said)}: ${fault}`);
}

describe.each(['linux', 'win32'] as const)('hostile answers, with the rules of %s', (platform) => {
  const families = FAMILIES.filter(([name]) => platform === 'linux' || !ALIKE.includes(name));
  it.each(families)('%s end as they should', async (_, rows) => {
    const faults: string[] = [];
    for (const row of rows)
      faults.push(...faultsOf(row, await becomes(row[0], platform), platform));
    expect(faults).toEqual([]);
  });
});

it('holds three hundred answers, no two of them the same', () => {
  const all = FAMILIES.flatMap(([, rows]) => rows.map(([said]) => JSON.stringify(said)));
  expect(new Set(all).size).toBeGreaterThanOrEqual(300);
});
