/** Files that a command line names for a conversation: what it begins with, and where it is saved at the end. */
import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { misuse } from '../../lib/errors.ts';
import { replaceFile } from '../../lib/files/durable-files.ts';
import { nodeFileSystem } from '../../lib/files/file-system.ts';
import { systemErrorCode } from '../../lib/system-error.ts';
import type { Message } from '../../schema/model/messages.ts';
import { transcriptOf } from '../../sessions/transcripts/export.ts';
import { readMessages } from '../../sessions/transcripts/imported-messages.ts';
import { decodeText } from '../../workspace/text-encoding.ts';
import type { CommandContext } from '../command-context.ts';

type Context = Pick<CommandContext, 'invocation' | 'terminal'>;

/** What a new conversation begins with. */
export interface StartWords {
  readonly system?: string;
  readonly messages?: readonly Message[];
}

/** Throws E_USAGE for unreadable files. */
export function startWords({ invocation: { system, load }, terminal }: Context): StartWords {
  return {
    ...(system === undefined ? {} : { system: systemIn(system, terminal) }),
    ...(load === undefined ? {} : { messages: readMessages(textOf(load, terminal)) }),
  };
}

/** A single word is a file name; instructions to the model take several words. */
function systemIn(words: string, terminal: Context['terminal']): string {
  const text = /\s/.test(words.trim()) && !existsSync(resolve(terminal.cwd, words)) ? words : null;
  return (text ?? textOf(words, terminal)).trim();
}

/** More than any conversation needs; a device or a pipe may never end. */
const MAX_BYTES = 64 * 1024 * 1024;

function textOf(file: string, { cwd }: Context['terminal']): string {
  try {
    const bytes = readUpTo(resolve(cwd, file), MAX_BYTES);
    if (bytes !== null) return decoded(bytes);
  } catch (error) {
    throw misuse(
      `The file ${file} cannot be read (${systemErrorCode(error)}).`,
      'Give the path of an existing file.',
      { cause: error },
    );
  }
  throw misuse(
    `The file ${file} has more than ${MAX_BYTES / 1024 / 1024} MB.`,
    'Give a shorter one.',
  );
}

/** A byte order mark names the encoding: older PowerShells write UTF-16. */
function decoded(bytes: Buffer): string {
  const read = decodeText(bytes);
  return read.kind === 'text' && read.encoding !== 'latin1' ? read.text : bytes.toString('utf8');
}

/** The whole content of a file, or of a pipe up to its end; `null` if it is longer than `most`. */
function readUpTo(path: string, most: number): Buffer | null {
  const fd = openSync(path, 'r');
  try {
    const pieces: Buffer[] = [];
    let bytes = 0;
    while (bytes <= most) {
      const piece = Buffer.allocUnsafe(PIECE_BYTES);
      const count = readSync(fd, piece);
      if (count === 0) return Buffer.concat(pieces);
      pieces.push(piece.subarray(0, count));
      bytes += count;
    }
    return null;
  } finally {
    closeSync(fd);
  }
}

const PIECE_BYTES = 256 * 1024;

/** Refuses a file that is not a saved conversation. Throws E_USAGE before a model is asked. */
export function checkSave({ invocation: { save }, terminal: { cwd } }: Context): void {
  if (save === undefined) return;
  const path = resolve(cwd, save);
  const refuse = (why: string): never => {
    throw misuse(why, 'Give the path of a new file in a folder that exists.');
  };
  if (!existsSync(dirname(path))) refuse(`The folder of ${save} does not exist.`);
  if (existsSync(path) && !isTranscript(path))
    refuse(`${save} is there already and holds no conversation.`);
}

function isTranscript(path: string): boolean {
  try {
    // Reading a pipe would wait for its other end.
    if (!statSync(path).isFile()) return false;
    const text = readFileSync(path, 'utf8');
    const [first = ''] = text.split('\n', 1);
    return text === '' || (JSON.parse(first) as { readonly type?: unknown }).type === 'session';
  } catch {
    // The file does not hold lines of JSON.
    return false;
  }
}

/** Called once the session is closed. Throws E_DISK_FULL, E_IO. */
export function saveSession(
  { invocation: { save, workspace }, terminal: { cwd } }: Context,
  id: string,
): void {
  if (save === undefined) return;
  const lines = [...transcriptOf(nodeFileSystem, workspace, id)].map(
    (line) => `${JSON.stringify(line)}\n`,
  );
  // The file may hold a conversation of before: one in which nothing was said does not replace it.
  if (lines.length < 2) return;
  replaceFile(nodeFileSystem, resolve(cwd, save), Buffer.from(lines.join('')));
}
