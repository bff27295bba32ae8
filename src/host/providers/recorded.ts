import { misuse, type TardigradeError } from '../../lib/errors.ts';
import { readFileIfPresent } from '../../lib/files/durable-files.ts';
import { nodeFileSystem } from '../../lib/files/file-system.ts';
import { systemErrorCode } from '../../lib/system-error.ts';
import { recordedCandidates } from '../../llm/recorded/recorded-provider.ts';
import { parseRecording } from '../../llm/recorded/recording.ts';
import type { OpenedModel } from './provider-row.ts';

/** Throws E_USAGE if the file is not a recording. */
export async function openRecorded(file: string): Promise<OpenedModel> {
  const [first, ...fallbacks] = recordedCandidates(parseRecording(readRecording(file), file));
  return {
    ...first,
    ...(fallbacks.length > 0 ? { fallbacks } : {}),
    where: file,
    notice: `The model's turns are replayed from ${file}.`,
  };
}

function readRecording(file: string): string {
  try {
    const bytes = readFileIfPresent(nodeFileSystem, file);
    if (bytes !== null) return bytes.toString('utf8');
  } catch (error) {
    throw unreadable(file, systemErrorCode(error), error);
  }
  throw unreadable(file, 'ENOENT', undefined);
}

const unreadable = (file: string, code: string, cause: unknown): TardigradeError =>
  misuse(
    `The recording ${file} cannot be read (${code}).`,
    'Give the path of a recording as recorded:FILE.',
    { cause, option: 'model' },
  );
