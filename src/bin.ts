#!/usr/bin/env node
import { pathToFileURL } from 'node:url';
import { loadProgram, type Program } from './cli/process/load-program.ts';
import { VERSION } from './lib/version.ts';

// The entry: answers `--version` before anything else is loaded, and alone sets the exit status.
// It is built as CommonJS: Node starts up a tenth sooner without its loader of ES modules.
const argv = process.argv.slice(2);

if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code !== 'EPIPE') process.exitCode = 8;
  });
  process.stdout.write(`${VERSION}\n`);
} else {
  void run();
}

async function run(): Promise<void> {
  const entry = pathToFileURL(__filename).href;
  const program = loaded(entry);
  process.exitCode =
    program === null ? 8 : await program.start(argv, VERSION, entry, program.keepCompiled);
}

function loaded(entry: string): Program | null {
  try {
    return loadProgram(entry, argv);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // Nothing is loaded that could say it better.
    const next =
      code === 'EMFILE' ? 'Allow it more open files (ulimit -n 1024)' : 'Install it anew';
    process.stderr.write(`Error: the program cannot be loaded: ${message}\n  Next: ${next}.\n`);
    return null;
  }
}
