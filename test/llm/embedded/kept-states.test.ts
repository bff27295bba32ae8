import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type FakeEngine, fakeEngine } from './fake-engine.ts';

let engine: FakeEngine;
beforeAll(() => {
  engine = fakeEngine();
});
afterEach(() => rmSync(join(engine.folder, states), { recursive: true, force: true }));
afterAll(() => engine.remove());

const states = join('embedded', 'states');

/** Asks each in one process; returns how many tokens, here characters, of each prompt were not read. */
async function reused(...questions: readonly string[]): Promise<readonly number[]> {
  const provider = engine.provider();
  const counts: number[] = [];
  try {
    for (const content of questions) {
      const request = {
        ...{ model: 'm', messages: [{ role: 'user', content } as const], temperature: 0, seed: 1 },
        ...{ contextWindow: 4096, maxOutputTokens: 500 },
      };
      for await (const event of provider.stream(request, new AbortController().signal))
        if (event.type === 'finished') counts.push(event.usage.cacheRead);
    }
  } finally {
    await provider.close();
  }
  return counts;
}

function kept(): { readonly folder: string; readonly files: readonly string[] } {
  const [key = ''] = readdirSync(join(engine.folder, states));
  const folder = join(engine.folder, states, key);
  return { folder, files: readdirSync(folder).sort() };
}

const long = (letter: string): string => letter.repeat(300);

test('a conversation that another one displaced goes on where it was', async () => {
  const [first, other, again = 0] = await reused(long('a'), long('b'), `${long('a')} and more`);
  expect([first, other]).toEqual([0, 'user:'.length]);
  expect(again).toBeGreaterThanOrEqual(300);
  expect(kept().files).toEqual(['prompts.json']);
});

test('a short prompt is read again, which takes no longer', async () => {
  expect((await reused('aaa', 'bbb', 'aaa')).every((count) => count <= 'user:'.length)).toBe(true);
});

test('what prompts of three processes begin with is read by two, and kept anew where it cannot be loaded', async () => {
  const order = long('o');
  await reused(`${order} first goal`);
  await reused(`${order} second goal`);
  const [third = 0] = await reused(`${order} third goal`);
  expect(third).toBeGreaterThan(280);
  expect(third).toBeLessThanOrEqual('user:'.length + order.length + 1);
  const { folder, files } = kept();
  expect(files).toEqual([expect.stringMatching(/^304-\w+\.state$/), 'prompts.json']);
  const text = files.map((name) => readFileSync(join(folder, name), 'utf8')).join();
  expect(text).not.toContain('goal');
  expect(
    String.fromCodePoint(...JSON.parse(readFileSync(join(folder, files[0] ?? ''), 'utf8'))),
  ).toBe(`user:${order}`.slice(0, 304));

  const state = join(folder, files[0] ?? '');
  const whole = readFileSync(state, 'utf8');
  writeFileSync(state, 'no state');
  expect(await reused(`${order} fourth goal`)).toEqual([0]);
  expect(kept().files).toEqual(files);
  expect(readFileSync(state, 'utf8')).toBe(whole);
  // A state at which the engine crashed is not loaded a second time.
  writeFileSync(state, 'CRASH');
  await expect(reused(`${order} fifth goal`)).rejects.toThrow();
  expect(await reused(`${order} fifth goal`)).toEqual([0]);
});

test('the same goal again keeps nothing of it', async () => {
  expect(await reused(long('g'))).toEqual([0]);
  expect(await reused(long('g'))).toEqual([0]);
  expect(kept().files).toEqual(['prompts.json']);
});

test('where nothing can be written, prompts are read as ever', async () => {
  writeFileSync(join(engine.folder, states), 'a file, not a folder');
  expect(await reused(long('a'), long('b'), long('a'))).toEqual([0, 5, 5]);
});
