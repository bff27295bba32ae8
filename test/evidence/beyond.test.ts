/** What a proof does not show: files that it passes without, by a trial, and subtasks about nothing else. */
import { expect, it } from 'vitest';
import {
  maybeUncovered as asideOf,
  readingFilesBySubtask,
  uncoveredFiles,
  uncoveredSubtasks,
  uncoveredText,
} from '../../src/evidence/beyond.ts';
import type { ChangedFile } from '../../src/evidence/work.ts';
import type { Plan, Subtask } from '../../src/schema/plan.ts';
import type { JournalRecord } from '../../src/schema/records.ts';
import { GREEN, NONE, RED } from './judge-support.ts';

const filesAside = (work: Parameters<typeof asideOf>[0]) =>
  asideOf(work, (path) => path !== 'left.txt');

const changed = (...paths: readonly string[]): { readonly changed: readonly ChangedFile[] } => ({
  changed: paths.map((path) => ({ path, before: 'a', after: 'b' })),
});

it('a text beside code is tried, and what bears on tests or is all that was changed is not', () => {
  expect(filesAside(changed('a.js', 'CHANGELOG.md', 'test/a.test.js', 'left.txt'))).toEqual([
    'CHANGELOG.md',
  ]);
  expect(filesAside(changed('main.rs', 'README.md'))).toEqual(['README.md']);
  expect(filesAside(changed('a.js', 'b.js'))).toEqual([]);
  // Nothing in a declaration runs.
  expect(filesAside(changed('a.ts', 'a.d.ts', 'b.d.mts'))).toEqual(['a.d.ts', 'b.d.mts']);
  expect(filesAside(changed('a.d.ts', 'README.md'))).toEqual(['README.md']);
  expect(filesAside(changed('a.d.ts'))).toEqual([]);
  expect(filesAside(changed('README.md', 'notes.txt'))).toEqual([]);
  expect(filesAside({ changed: [{ path: 'a.md', before: 'a', after: 'a' }] })).toEqual([]);
});

it('only a proof that passes without a file does not show it', async () => {
  const asked: unknown[] = [];
  const beyond = (answer: typeof GREEN) =>
    uncoveredFiles(['a.md', 'b.md'], async (question) => {
      asked.push(question);
      return answer;
    });
  expect(await beyond(GREEN)).toEqual(['a.md', 'b.md']);
  expect(await beyond(RED)).toEqual([]);
  expect(await beyond(NONE)).toEqual([]);
  expect(asked[0]).toEqual({ what: 'put_back', paths: ['a.md', 'b.md'] });
  expect(uncoveredText([])).toBe('');
  expect(uncoveredText(['a.md'])).toContain('also passes without the change of a.md, so');
});

it('a subtask is shown by a check of its own, or by a proof that notices all its files', () => {
  const subtask = (id: string, more: Partial<Subtask> = {}): Subtask => ({
    ...{ id, purpose: 'p', checks: [], status: 'completed', ...more },
  });
  const subtasks = [
    subtask('1.1', { status: 'unverified', files: ['a.js'] }),
    subtask('1.2'),
    subtask('1.3', { files: ['a.js'] }),
    subtask('1.4'),
    subtask('1.5', { checks: [{ type: 'file_exists', path: 'x' }] }),
    subtask('1.6', { files: ['CHANGELOG.md', 'a.js'] }),
    subtask('1.7', { status: 'pending' }),
  ];
  const plan: Plan = { tasks: [{ id: '1', description: 'd', subtasks }], fallback: false };
  const records = [
    { type: 'subtask_started', subtask: '1.4' },
    { type: 'action_intended', files: [{ path: 'a.js' }] },
  ] as unknown as readonly JournalRecord[];
  const work = changed('a.js', 'CHANGELOG.md');
  const files = readingFilesBySubtask();
  for (const record of records) files.take(record);
  expect(uncoveredSubtasks(plan, work, ['CHANGELOG.md'], files.result())).toEqual([
    '1.1',
    '1.2',
    '1.6',
  ]);
  expect(uncoveredSubtasks(null, work, [], files.result())).toEqual([]);
});
