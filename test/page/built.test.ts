/** The page as it is built: small, without anything that a browser would have to fetch elsewhere or evaluate. */
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, it } from 'vitest';
import { type BuiltPage, builtPage } from '../support/page/built-page.ts';

let built: BuiltPage;
beforeAll(async () => {
  built = await builtPage();
});

it('is a document, a script and a style, at most 60 KB of them compressed', () => {
  expect([...built.texts.keys()]).toEqual(['page/index.html', 'page/page.js', 'page/page.css']);
  const bytes = [...built.texts.values()].reduce((all, text) => all + gzipSync(text).length, 0);
  expect(bytes).toBeLessThanOrEqual(60_000);
});

it('has nothing of the program in it but its own files, shared words, and what reads the server', () => {
  const own =
    /^src\/(page|shown|schema|lib\/text)\/|^src\/server\/client\/[\w-]+\.ts$|^src\/llm\/http\/retry-after\.ts$|\bnode_modules\/@?preact\//;
  const foreign = built.inputs.filter((path) => !own.test(path));
  expect(foreign).toEqual([]);
});

/** Preact itself can set it, where an element asks for it by name. */
const OF_PREACT = 6;

it('makes nodes and nothing else of a text, and works under a strict policy', () => {
  const script = built.texts.get('page/page.js') ?? '';
  expect(script.match(/innerHTML/gi)?.length ?? 0).toBeLessThanOrEqual(OF_PREACT);
  expect(script).not.toMatch(/\beval\(|new Function|EventSource|document\.cookie|localStorage/);
  const document = built.texts.get('page/index.html') ?? '';
  expect(document).not.toMatch(/style=|<style|<script>|onload=|https?:/);
});
