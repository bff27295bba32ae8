/** Splits the pieces of a stream into lines. Holds at most one line, whose length is bounded. */
export class LineSplitter {
  #rest: Buffer[] = [];
  #bytes = 0;

  /**
   * The lines that the chunk completes; `null` if one is too long: push no more then.
   * @param most bytes of a line, asked before each line: a line may change the limit of the next one
   */
  *push(chunk: Buffer, most: () => number): Generator<string | null> {
    let from = 0;
    for (;;) {
      const end = chunk.indexOf(0x0a, from);
      const piece = chunk.subarray(from, end < 0 ? undefined : end);
      this.#bytes += piece.length;
      if (this.#bytes > most()) {
        yield null;
        return;
      }
      this.#rest.push(piece);
      if (end < 0) return;
      const line = Buffer.concat(this.#rest).toString('utf8');
      this.#rest = [];
      this.#bytes = 0;
      from = end + 1;
      yield line;
    }
  }
}
