/** How large a workspace may be to be copied. */

export interface CopyLimits {
  readonly files: number;
  readonly bytes: number;
}

const MEGABYTE = 1024 * 1024;

/** For copies that are made again and again while a run works. */
export const COPY_LIMITS: CopyLimits = { files: 2_000, bytes: 50 * MEGABYTE };

/** For the copies of a verdict: those after the first one write only what differs. */
export const VERDICT_LIMITS: CopyLimits = { files: 100_000, bytes: 2_000 * MEGABYTE };

export const tooManyFor = ({ files, bytes }: CopyLimits = COPY_LIMITS): string =>
  `it has more than ${files.toLocaleString('en')} files or ${bytes / MEGABYTE} MB`;
