// Writes the tables of options in the docs anew; what a page says of a flag in its own words stays.
import { readFileSync, writeFileSync } from 'node:fs';
import { OPTIONS } from '../src/options/table.ts';
import { withTables } from './lib/option-tables.ts';

for (const page of ['docs/internals/command-line.md', 'docs/settings.md'])
  writeFileSync(page, withTables(readFileSync(page, 'utf8'), OPTIONS));
