/** The program that a script names in its first line, without its folder: `#!/usr/bin/env -S ruby -w`. Pure. */
import { posix } from 'node:path';

/** `null`: it names none, or in words that are no name. */
export function interpreterIn(script: string): string | null {
  const [, line = ''] = /^#!\s*([^\r\n]*)/.exec(script) ?? [];
  const [first = '', ...rest] = line.split(/\s+/);
  const isEnv = posix.basename(first) === 'env';
  const path = isEnv ? rest.find((word) => !/^-|=/.test(word)) : first;
  const name = posix.basename(path ?? '');
  return /^\w[\w.+-]*$/.test(name) ? name : null;
}
