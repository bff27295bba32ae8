// node scripts/run.mjs scripts/make-example.ts: makes .agent_context.example anew.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EXAMPLE_FOLDER, exampleState } from '../test/support/example-state.ts';

const files = await exampleState();
rmSync(EXAMPLE_FOLDER, { recursive: true, force: true });
for (const [name, text] of files) {
  const path = join(EXAMPLE_FOLDER, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
console.log(`${EXAMPLE_FOLDER}: ${[...files.keys()].join(', ')}`);
