// Splits the body of an answer into lines, whatever ends them and wherever its packets are cut.
import { answerTooLarge, BOUNDS, limitText } from '../wire/bounds.ts';

/**
 * Each line once it is complete, without its end; empty lines, too, but none after the last line end. Text of an
 * incomplete line is not searched again. Throws a `ProviderError` for an endless line.
 */
export async function* splitIntoLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let line = '';
  // The line feed of a final carriage return may be in the next packet.
  let held = '';
  for await (const part of bytes) {
    const text = held + decoder.decode(part, { stream: true });
    held = text.endsWith('\r') ? '\r' : '';
    const [first = '', ...others] = text.slice(0, text.length - held.length).split(/\r\n|\n|\r/);
    line = bounded(line + first);
    for (const next of others) {
      yield line;
      line = bounded(next);
    }
  }
  const last = held + decoder.decode();
  line += last.replace(/^\r/, '');
  if (line !== '' || last !== '') yield line;
}

/**
 * The bytes in pieces that end at line ends: for readers that search a whole line again with each piece of it. Throws a
 * `ProviderError` for an endless line.
 */
export async function* inWholeLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let begun: Uint8Array[] = [];
  let length = 0;
  for await (const piece of pieces) {
    const end = Math.max(piece.lastIndexOf(0x0a), piece.lastIndexOf(0x0d)) + 1;
    if (end > 0) {
      yield Buffer.concat([...begun, piece.subarray(0, end)]);
      begun = [];
      length = 0;
    }
    begun.push(piece.subarray(end));
    length += piece.length - end;
    if (length > BOUNDS.line) throw lineTooLong();
  }
  if (length > 0) yield Buffer.concat(begun);
}

function bounded(line: string): string {
  if (line.length <= BOUNDS.line) return line;
  throw lineTooLong();
}

const lineTooLong = (): Error =>
  answerTooLarge(`The answer has a line longer than ${limitText(BOUNDS.line)}`);
