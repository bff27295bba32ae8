import { resolve } from 'node:path';
import { misuse, type TardigradeError } from '../../lib/errors.ts';
import { SETUP } from '../../llm/embedded/failures.ts';
import { isHubName, parseHubName, SHORT_NAMES } from '../../llm/embedded/hub-file.ts';

/** A model on Hugging Face keeps its name; a file name becomes absolute. Throws E_USAGE. */
export function embeddedFile(name: string, cwd: string): string {
  if (!isHubName(name)) return resolve(cwd, name);
  if (parseHubName(name) === null) throw noHubFile(name);
  return name;
}

/**
 * The error for a name that is no file to download. A file of one's own is never downloaded: it is named as
 * `embedded:FILE.gguf`.
 */
export const noHubFile = (name: string): TardigradeError =>
  misuse(
    `"${name}" does not name a GGUF file on Hugging Face.`,
    `Write hf:OWNER/REPO/FILE.gguf, or one of ${Object.keys(SHORT_NAMES).join(', ')}. A file of your own needs only the engine`,
    SETUP,
  );
