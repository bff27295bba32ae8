/** Markdown files that a person writes for the program: a head of names and values, then a text. */
import { pathsOf } from '../lib/files/absolute-paths.ts';
import { errorCode } from '../lib/files/durable-files.ts';
import { nodeFileSystem } from '../lib/files/file-system.ts';
import { orNull } from '../lib/or-null.ts';
import { readBytes } from '../workspace/files.ts';
import { decodeText } from '../workspace/text-encoding.ts';
import { oneLine } from './render/text/text.ts';

const MAX_FILES = 200;
const MAX_BYTES = 64 * 1024;

export const isOwnName = (name: string): boolean => /^[a-z][a-z0-9-]{0,39}$/.test(name);

const WRONG_NAME = {
  why: 'its name must be small letters, digits and hyphens, such as review.md.',
};

interface OwnFile {
  /** The file's name without its ending. */
  readonly name: string;
  readonly file: string;
  /** The file's text, or why it cannot be used. */
  readonly definition: string | { readonly why: string };
}

export function ownFilesIn(folder: string): readonly OwnFile[] {
  const { join } = pathsOf(nodeFileSystem.platform);
  const files = (orNull(() => nodeFileSystem.readdir(folder)) ?? []).filter((file) =>
    file.endsWith('.md'),
  );
  return files
    .sort()
    .slice(0, MAX_FILES)
    .map((file) => {
      const name = file.slice(0, -'.md'.length);
      return { name, file, definition: isOwnName(name) ? textOf(join(folder, file)) : WRONG_NAME };
    });
}

/** A link leads to a file that nobody has seen here, so it is refused. */
function textOf(path: string): OwnFile['definition'] {
  const fs = nodeFileSystem;
  try {
    if (fs.lstat(path).kind !== 'file') return { why: 'it is not a regular file.' };
    const bytes = readBytes(fs, path, MAX_BYTES + 1);
    if (bytes === null || bytes.length > MAX_BYTES)
      return { why: `it is longer than ${MAX_BYTES / 1024} KB.` };
    const decoded = decodeText(bytes);
    if (decoded.kind === 'text' && decoded.encoding !== 'latin1')
      return decoded.text.replaceAll('\r\n', '\n');
    return { why: 'it is not text in UTF-8.' };
  } catch (error) {
    if (errorCode(error) === '') throw error;
    return { why: `it cannot be read (${errorCode(error)}).` };
  }
}

export interface Head {
  readonly fields: { readonly [name: string]: string | undefined };
  readonly text: string;
}

/** Lines `name: value` between two lines of `---`, as other agents write them; the rest is the text. */
export function readFrontMatter(definition: string): Head | { readonly why: string } {
  const lines = definition.split('\n');
  if (lines[0]?.trim() !== '---') return { fields: {}, text: definition };
  const end = lines.findIndex((line, at) => at > 0 && line.trim() === '---');
  if (end < 0) return { why: 'its head begins with --- and has no second line of ---.' };
  const fields: Record<string, string> = {};
  for (const line of lines.slice(1, end)) {
    const [, name, value = ''] = /^([\w-]+):\s*(.*)$/.exec(line) ?? [];
    if (name === undefined && line.trim() !== '' && !/^\s|^#/.test(line))
      return {
        why: `the line "${oneLine(line).slice(0, 60)}" of its head is not of the form name: value.`,
      };
    if (name !== undefined) fields[name] = value.trim().replace(/^(["'])(.*)\1$/, '$2');
  }
  return { fields, text: lines.slice(end + 1).join('\n') };
}
