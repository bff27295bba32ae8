import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Page, pages, tableOf, wordsOf } from './support/markdown.ts';

/** Tables that another test makes from the code, or holds against it: they are as long as what they list. */
const COMPARED = [
  ['option', 'typed', 'setting'],
  ['option', 'default', 'meaning'],
  ['event', 'says', 'fields'],
  ['code', 'name', 'meaning'],
  ['message', 'meaning', 'what to do'],
];
const GUIDES = ['editors.md', 'server.md', 'fleet.md'];
const MADE = ['api.md'];

const users = pages().filter(({ path }) => /^docs\/[^/]+\.md$/.test(path));
const written = users.filter(({ path }) => !MADE.includes(basename(path)));
const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

describe('the pages for users', () => {
  test('are nine and three guides, beside the names of the library', () => {
    expect(users.map(({ path }) => basename(path)).sort()).toEqual(
      [
        ...['start.md', 'talk.md', 'goals.md', 'permissions.md', 'models.md', 'settings.md'],
        ...['library.md', 'troubleshooting.md', 'survives.md', ...GUIDES, ...MADE],
      ].sort(),
    );
  });

  test('hold 12,500 words at most', () => {
    const counts = written.map((page) => [basename(page.path), wordsOf(page, COMPARED)] as const);
    expect(sum(counts.map(([, words]) => words)), JSON.stringify(counts)).toBeLessThanOrEqual(
      12_500,
    );
  });

  test.each(GUIDES)('%s holds 800 words at most', (name) => {
    const page = users.find(({ path }) => basename(path) === name) as Page;
    expect(wordsOf(page, COMPARED)).toBeLessThanOrEqual(800);
  });

  test('have each table that is not counted', () => {
    const has = (page: Page, titles: readonly string[]): boolean =>
      page.text.includes(`| ${titles.join(' | ')} |`);
    for (const titles of COMPARED) {
      const [page] = written.filter((each) => has(each, titles));
      expect(page, titles.join()).toBeDefined();
      expect(tableOf(page as Page, titles).length).toBeGreaterThan(5);
    }
  });

  test('are counted without blocks, screens and such tables', () => {
    const text =
      'Two words.\n\n    a screen\n\n```sh\nagent\n```\n\n| a | b |\n|---|---|\n| c | d |\n\n- One more.\n';
    expect(wordsOf({ path: '', text }, [['a', 'b']])).toBe(4);
    expect(wordsOf({ path: '', text }, [])).toBe(8);
  });
});
