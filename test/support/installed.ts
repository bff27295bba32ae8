/** What this machine has for the tests: looked for once by all of them, since pytest takes a while to say so. */
import { execa } from 'execa';

/** True when the program answers with success. */
async function isInstalled(program: string, ...args: string[]): Promise<boolean> {
  const { exitCode } = await execa(program, args, { reject: false, stdin: 'ignore' });
  return exitCode === 0;
}

export const hasPython = await isInstalled('python', '--version');
export const hasPytest = hasPython && (await isInstalled('python', '-m', 'pytest', '--version'));
