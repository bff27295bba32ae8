// The body of an answer line by line, whatever ends its lines and wherever its packets are cut.

/** Each line as soon as it is whole, without its end; one that is empty, too, but none behind the last. */
export async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const part of bytes) {
    // A carriage return at the very end may have its line feed in the next packet.
    const lines = (rest + decoder.decode(part, { stream: true })).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    yield* lines;
  }
  const last = rest + decoder.decode();
  if (last !== '') yield last.replace(/\r$/, '');
}
