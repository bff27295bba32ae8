// Prints the manual page of the program; the build puts it beside the program.
import { readFileSync } from 'node:fs';
import { manPage } from './lib/man-page.ts';

const { version }: { version: string } = JSON.parse(readFileSync('package.json', 'utf8'));
process.stdout.write(manPage(version));
