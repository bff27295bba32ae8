/** The rules for a path from a model, judged by its text alone. Pure. */
import { LOST_PREFIX, STATE_DIRECTORY } from '../journal/layout.ts';
import { shortened } from '../lib/text/shortened.ts';

export type PathVerdict =
  | { readonly kind: 'ok'; readonly segments: readonly string[] }
  | { readonly kind: 'refused'; readonly reason: string };

/** Folders that must not be written to, at any depth. */
const PROTECTED = ['.git', STATE_DIRECTORY];

/** True for the name of the state folder of this run, or of a run that lost its folder. */
export const isStateFolder = (name: string): boolean =>
  name === STATE_DIRECTORY || name.startsWith(LOST_PREFIX);

/** Short names that NTFS gives `.git` and `.agent_context`. */
const SHORT_NAMES = /^(git|agent_|gi[0-9a-f]{4}|ag[0-9a-f]{4})~[0-9]+(\.los)?$/;

/** HFS+ ignores these code points when it compares names, so `.g\u200cit` would be `.git` (CVE-2014-9390). */
const IGNORED_BY_HFS = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** Source: learn.microsoft.com, "Naming Files, Paths, and Namespaces". An extension makes no difference. */
const DEVICE_NAME =
  /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[1-9\u00b9\u00b2\u00b3])\s*(\.|$)/i;

/** Characters; most systems accept no longer path. */
export const MAX_PATH = 4096;

export const tooLong = (path: string): string | null =>
  path.length <= MAX_PATH
    ? null
    : `the path has ${path.length.toLocaleString('en')} characters, and no more than ${MAX_PATH.toLocaleString('en')} are read`;

const refused = (reason: string): PathVerdict => ({ kind: 'refused', reason });

/**
 * Splits a path into its segments with `..` resolved; `[]` is the workspace itself. The rules are the same on
 * every platform, so that a workspace stays usable when it moves to another one.
 */
export function judgePath(modelPath: string): PathVerdict {
  const long = tooLong(modelPath);
  if (long !== null) return refused(long);
  if (modelPath.trim() === '') return refused('the path is empty; "." is the workspace itself');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point
  if (/[\u0000-\u001f\u007f-\u009f]/.test(modelPath))
    return refused('the path holds control characters');
  if (/\p{Surrogate}/u.test(modelPath)) return refused('the path is not valid Unicode');
  const path = modelPath.replaceAll('\\', '/');
  if (path.startsWith('//')) return refused('network and device paths are not allowed');
  if (path.startsWith('/')) return refused('absolute paths are not allowed');
  if (/^[a-z]:/i.test(path)) return refused('paths with a drive are not allowed');
  if (/^~($|\/)/.test(path)) return refused('the home folder is outside the workspace');
  return judgeSegments(path.split('/'));
}

function judgeSegments(parts: readonly string[]): PathVerdict {
  const segments: string[] = [];
  for (const part of parts) {
    if (part === '' || part === '.') continue;
    if (part === '..') {
      if (segments.pop() === undefined) return refused('the path leads out of the workspace');
      continue;
    }
    const fault = segmentFault(part);
    if (fault !== null) return refused(fault);
    segments.push(part);
  }
  return { kind: 'ok', segments };
}

function segmentFault(segment: string): string | null {
  const shown = (): string => JSON.stringify(shortened(segment));
  if (segment.includes(':')) return `${shown()} holds a colon, which names a stream on Windows`;
  if (DEVICE_NAME.test(segment)) return `${shown()} is the name of a device on Windows`;
  if (/[. ]$/.test(segment)) return `${shown()} ends in a dot or a space, which Windows drops`;
  if (Buffer.byteLength(segment) > 255) return 'a name in the path is longer than 255 bytes';
  return null;
}

/** The protected folder that a path leads into; `null`: none. */
export function protectedFolder(segments: readonly string[]): string | null {
  for (const segment of segments) {
    const name = segment.replace(IGNORED_BY_HFS, '').toLowerCase();
    if (PROTECTED.includes(name) || isStateFolder(name)) return name;
    if (SHORT_NAMES.test(name)) return segment;
  }
  return null;
}
