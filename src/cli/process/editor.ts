/** Edits a text in the person's own editor, at this terminal. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { misuse, type TardigradeError } from '../../lib/errors.ts';
import { systemErrorCode } from '../../lib/system-error.ts';
import { withoutSecrets } from '../../llm/secrets/scrub.ts';

interface Port {
  readonly env: { readonly [name: string]: string | undefined };
  readonly platform: NodeJS.Platform;
}

/** `$VISUAL`, `$EDITOR`, else the system's usual editor, as a program with its arguments; no shell is used. */
export function editorOf({ env, platform }: Port): readonly string[] {
  const named = [env.VISUAL, env.EDITOR].find((one) => (one ?? '').trim() !== '');
  if (named === undefined) return [platform === 'win32' ? 'notepad.exe' : 'vi'];
  return [...named.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, word]) => double ?? single ?? word ?? '',
  );
}

/** The text after editing. Throws E_USAGE if the editor cannot start or ends with an error. */
export async function editText(text: string, name: string, port: Port): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'tardigrade-edit-'));
  const file = join(folder, name);
  try {
    writeFileSync(file, text, { mode: 0o600 });
    await ended([...editorOf(port), file], port);
    return readFileSync(file, 'utf8');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function ended([program = '', ...args]: readonly string[], port: Port): Promise<void> {
  // Without a shell Windows starts no .cmd file, and `code` is one.
  const such = port.platform === 'win32' ? 'notepad.exe' : 'nano or "code --wait"';
  const fail = (why: string): TardigradeError =>
    misuse(
      `Your editor (${program}) ${why}.`,
      `Set EDITOR to one that waits until the file is closed, such as ${such}.`,
    );
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'inherit', env: withoutSecrets(port.env) });
    child.once('error', (error) => reject(fail(`cannot be started (${systemErrorCode(error)})`)));
    child.once('exit', (code, signal) =>
      code === 0 ? resolve() : reject(fail(`ended with ${code ?? signal}`)),
    );
  });
}
