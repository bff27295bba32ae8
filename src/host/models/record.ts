import { resolve } from 'node:path';
import { misuse } from '../../lib/errors.ts';
import { nodeFileSystem } from '../../lib/files/file-system.ts';
import { openRecordingFile, type RecordingFile } from '../../llm/recorded/recording-file.ts';
import { keysIn } from '../../llm/secrets/scrub.ts';
import type { ModelChoice } from '../engine-port.ts';
import type { HostEnvironment } from '../host-environment.ts';
import { rowOf } from '../providers/providers.ts';

export interface RecordRequest {
  /** Path of the recording, relative to the current folder. */
  readonly file: string;
  readonly choice: ModelChoice;
  readonly warn: (text: string) => void;
}

/** Throws E_USAGE if no recording can be written there. Nothing is written before the first turn. */
export function openRecording(
  { file, choice, warn }: RecordRequest,
  { cwd, env }: HostEnvironment,
): RecordingFile {
  const path = resolve(cwd, file);
  if (rowOf(choice.provider).kind === 'playback' && choice.model === path)
    throw misuse(`${file} is the recording that is being replayed.`, 'Give another file.', {
      option: 'record',
    });
  return openRecordingFile(path, { fs: nodeFileSystem, secrets: keysIn(env), warn });
}
