/** What this machine has for the tests: looked for once by all of them. */
import { execa } from 'execa';

/** True when the program answers with success. */
async function isInstalled(program: string, ...args: string[]): Promise<boolean> {
  const { exitCode } = await execa(program, args, { reject: false, stdin: 'ignore' });
  return exitCode === 0;
}

/** To load it, as for its version, takes ten times as long as to find it. */
export const HAS_PYTEST = 'import importlib.util; exit(importlib.util.find_spec("pytest") is None)';

export const hasPython = await isInstalled('python', '--version');
export const hasPytest = hasPython && (await isInstalled('python', '-c', HAS_PYTEST));
