import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EXAMPLE_FOLDER, exampleState } from './support/example-state.ts';

// Paths and hints differ on Windows; the example is made elsewhere.
test.skipIf(process.platform === 'win32')(
  'the example of a state directory is what the engine writes today',
  async () => {
    const shown = readdirSync(EXAMPLE_FOLDER, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(EXAMPLE_FOLDER.length + 1));
    const made = await exampleState();
    expect(shown.sort()).toEqual([...made.keys()].sort());
    for (const [name, text] of made) {
      expect(readFileSync(join(EXAMPLE_FOLDER, name), 'utf8'), name).toBe(text);
    }
  },
);

test('the example was killed once and reached its goal', () => {
  const journal = readFileSync(join(EXAMPLE_FOLDER, 'history.jsonl'), 'utf8');
  const types = journal
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).type);
  expect(types).toContain('lease_taken');
  expect(types.at(-1)).toBe('run_finished');
  expect(types.filter((type) => type === 'action_intended')).toHaveLength(
    new Set(journal.match(/"type":"action_intended","id":"[^"]+"/g)).size,
  );
});
