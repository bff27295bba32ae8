#!/usr/bin/env node
import { enableCompileCache } from './cli/compile-cache.ts';
import { VERSION } from './lib/version.ts';

// The entry: answers `--version` before anything else is loaded, and alone sets the exit status.
const argv = process.argv.slice(2);

if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  process.stdout.write(`${VERSION}\n`);
} else {
  enableCompileCache();
  const { start } = await import('./cli/start.ts');
  process.exitCode = await start(argv, VERSION, import.meta.url);
}
