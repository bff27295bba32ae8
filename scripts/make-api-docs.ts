// Writes docs/api.md anew from the declarations of the built package: `npm run build` first.
import { readFileSync, writeFileSync } from 'node:fs';
import { apiPage, ENTRIES } from './lib/api-page.ts';

const read = (path: string): string => readFileSync(`dist/types/${path}.d.ts`, 'utf8');
const entries = ENTRIES.map(({ door, source }) => ({ door, source: readFileSync(source, 'utf8') }));
writeFileSync('docs/api.md', apiPage(entries, read));
