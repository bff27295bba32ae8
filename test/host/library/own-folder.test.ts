import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { ownFolder } from '../../../src/host/library/host-place.ts';

const dist = join(fileURLToPath(new URL('.', import.meta.url)), 'dist', '/');
const child = join(dist, 'embedded-child.js');

test.each(['index.js', 'chunks/chunk-1.js'])('the built %s finds the programs', (piece) => {
  const from = pathToFileURL(join(dist, piece)).href;
  expect(ownFolder(from, (path) => path === child)).toBe(dist);
});

test('where nothing is built there is no folder', () => {
  expect(ownFolder(import.meta.url, () => false)).toBe('');
});
