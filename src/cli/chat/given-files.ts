/** Files that a command line names for a conversation: what it begins with, and where it is written at the end. */
import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { TardigradeError } from '../../lib/errors.ts';
import { replaceFile } from '../../lib/files/durable-files.ts';
import { nodeFileSystem } from '../../lib/files/file-system.ts';
import { systemErrorCode } from '../../lib/system-error.ts';
import type { Message } from '../../schema/model/messages.ts';
import { transcriptOf } from '../../sessions/transcripts/export.ts';
import { readMessages } from '../../sessions/transcripts/messages-given.ts';
import type { CommandContext } from '../command-context.ts';

type Context = Pick<CommandContext, 'invocation' | 'terminal'>;

/** What a conversation that begins is given. */
export interface GivenWords {
  readonly system?: string;
  readonly messages?: readonly Message[];
}

/** Throws E_USAGE for what cannot be read. */
export function givenWords({ invocation: { system, load }, terminal }: Context): GivenWords {
  return {
    ...(system === undefined ? {} : { system: systemIn(system, terminal) }),
    ...(load === undefined ? {} : { messages: readMessages(textOf(load, terminal)) }),
  };
}

/** One word is a file; who says what the model is needs several. */
function systemIn(words: string, terminal: Context['terminal']): string {
  const text = /\s/.test(words.trim()) && !existsSync(resolve(terminal.cwd, words)) ? words : null;
  return (text ?? textOf(words, terminal)).trim();
}

/** More than any conversation has; a device or a pipe may have no end. */
const MOST_BYTES = 64 * 1024 * 1024;

function textOf(file: string, { cwd }: Context['terminal']): string {
  try {
    const bytes = readUpTo(resolve(cwd, file), MOST_BYTES);
    if (bytes !== null) return bytes.toString('utf8');
  } catch (error) {
    throw new TardigradeError(
      'E_USAGE',
      `The file ${file} cannot be read (${systemErrorCode(error)}).`,
      'Give the path of an existing file.',
      { cause: error },
    );
  }
  throw new TardigradeError(
    'E_USAGE',
    `The file ${file} has more than ${MOST_BYTES / 1024 / 1024} MB.`,
    'Give a shorter one.',
  );
}

/** All of it, a pipe to its end; `null` where it is longer. */
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

/** What is there is written over only where it is a conversation. Throws E_USAGE, before a model is asked. */
export function checkSave({ invocation: { save }, terminal: { cwd } }: Context): void {
  if (save === undefined) return;
  const path = resolve(cwd, save);
  const refuse = (why: string): never => {
    throw new TardigradeError(
      'E_USAGE',
      why,
      'Give the path of a new file in a folder that exists.',
    );
  };
  if (!existsSync(dirname(path))) refuse(`The folder of ${save} does not exist.`);
  if (existsSync(path) && !isTranscript(path))
    refuse(`${save} is there already and holds no conversation.`);
}

function isTranscript(path: string): boolean {
  try {
    // To read a pipe would wait for its other end.
    if (!statSync(path).isFile()) return false;
    const [first = ''] = readFileSync(path, 'utf8').split('\n', 1);
    return first === '' || (JSON.parse(first) as { readonly type?: unknown }).type === 'session';
  } catch {
    // No lines of JSON.
    return false;
  }
}

/** Once the session is closed. Throws E_DISK_FULL, E_IO. */
export function saveSession(
  { invocation: { save, workspace }, terminal: { cwd } }: Context,
  id: string,
): void {
  if (save === undefined) return;
  const lines = [...transcriptOf(nodeFileSystem, workspace, id)].map(
    (line) => `${JSON.stringify(line)}\n`,
  );
  replaceFile(nodeFileSystem, resolve(cwd, save), Buffer.from(lines.join('')));
}
