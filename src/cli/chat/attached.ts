/**
 * `@file` in a message: the text of the file is sent after the words, between marks. An image is sent as it
 * is, to a model that accepts images.
 */

import { isSecretFile } from '../../languages/files/secret-files.ts';
import { errorCode } from '../../lib/files/durable-files.ts';
import { type FileSystem, nodeFileSystem } from '../../lib/files/file-system.ts';
import { visible } from '../../lib/text/visible.ts';
import { MAX_GOAL } from '../../schema/config.ts';
import { MAX_IMAGE_BYTES } from '../../sessions/images.ts';
import { imageTypeOf } from '../../tools/files/describe-binary.ts';
import { chunksOf, infoOf, isRefusal, readBytes } from '../../workspace/files.ts';
import { resolveInWorkspace } from '../../workspace/jail.ts';
import { decodeText } from '../../workspace/text-encoding.ts';
import type { CommandContext } from '../command-context.ts';
import { count } from '../render/text/text.ts';

/** The model reads longer files itself, one part at a time. */
const MAX_BYTES = 256 * 1024;
const MAX_FILES = 20;
const BEGIN = '\n\n<file path="';
const END = '</file>';

/**
 * The message to send. A name that matches no file of the folder stays text.
 * @param screen reports what is sent along, and why something is not
 */
export function withFiles(
  message: string,
  { invocation }: Pick<CommandContext, 'invocation'>,
  screen: { note(text: string): void },
  seesImages: boolean,
  fs: FileSystem = nodeFileSystem,
) {
  const named = message.split(/\s+/u).filter((word) => word.length > 1 && word.startsWith('@'));
  const paths = [...new Set(named.map(pathIn))].slice(0, MAX_FILES);
  let text = message;
  const images: Uint8Array[] = [];
  for (const path of paths) {
    const read = readIfAllowed(fs, path, invocation.workspace, seesImages);
    if (read === null) continue;
    const part = 'text' in read ? `${BEGIN}${path}">\n${read.text.trimEnd()}\n${END}` : '';
    const found = text.length + part.length > MAX_GOAL ? TOO_LONG : read;
    const name = visible(path);
    screen.note('why' in found ? `Not attached: ${name}, ${found.why}` : `Attached: ${name}`);
    if ('image' in found) images.push(found.image);
    else if ('text' in found) text += part;
  }
  return { text, images };
}

/**
 * Punctuation after a file name ends the sentence. A loop trims it, because an expression would take
 * quadratic time.
 */
function pathIn(word: string): string {
  let end = word.length;
  while (end > 2 && '.,;:!?)'.includes(word.charAt(end - 1))) end -= 1;
  return word.slice(1, end);
}

/** Only the words, as typed. */
export function withoutAttachments(message: string): string {
  const at = message.endsWith(END) ? message.indexOf(BEGIN) : -1;
  return at < 0 ? message : message.slice(0, at);
}

const TOO_LONG = {
  why: `the message would have more than ${count(MAX_GOAL)} characters; name the part that you mean`,
};

/** `null`: there is no such file. */
function readIfAllowed(...named: Parameters<typeof read>) {
  try {
    return read(...named);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { why: `it cannot be read (${errorCode(error)})` };
  }
}

function read(fs: FileSystem, path: string, workspace: string, seesImages: boolean) {
  const place = resolveInWorkspace(fs, fs.realpath(workspace), path, {
    platform: fs.platform,
    forWrite: false,
  });
  if (place.kind === 'refused') return null;
  const info = infoOf(fs, place.absolute);
  if (info?.kind !== 'file') return null;
  if (isSecretFile(place.relative)) return { why: 'it may hold keys' };
  const image = imageIn(fs, place.absolute, info.size);
  if (image !== null) return seesImages ? image : { why: 'the model takes no images' };
  if (info.size > MAX_BYTES)
    return { why: `it has ${count(info.size)} bytes; name the part that you mean` };
  const bytes = readBytes(fs, place.absolute, MAX_BYTES);
  const decoded = bytes === null ? null : decodeText(bytes);
  if (decoded?.kind !== 'text') return { why: 'it is not text' };
  return decoded.encoding === 'latin1'
    ? { why: 'it is not text in UTF-8; the model can read it with its tool' }
    : { text: decoded.text };
}

/** `null`: it is not an image. The bytes decide the type, never the name. */
function imageIn(fs: FileSystem, path: string, size: number) {
  const [head = new Uint8Array()] = chunksOf(fs, path);
  if (imageTypeOf(head) === null) return null;
  if (size > MAX_IMAGE_BYTES) return { why: 'it has more than 5 MB' };
  const image = readBytes(fs, path, MAX_IMAGE_BYTES);
  return image === null ? null : { image };
}
