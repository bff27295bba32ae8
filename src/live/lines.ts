/** Splits the pieces of a stream into lines. Holds at most one line, whose length is bounded. */
export class Lines {
  #rest: Buffer[] = [];
  #bytes = 0;

  /** The lines that the chunk completes; `too_long` if one exceeds `most` bytes: push no more then. */
  push(chunk: Buffer, most: number): readonly string[] | 'too_long' {
    const lines: string[] = [];
    let from = 0;
    for (;;) {
      const end = chunk.indexOf(0x0a, from);
      const piece = chunk.subarray(from, end < 0 ? undefined : end);
      this.#bytes += piece.length;
      if (this.#bytes > most) return 'too_long';
      this.#rest.push(piece);
      if (end < 0) return lines;
      lines.push(Buffer.concat(this.#rest).toString('utf8'));
      this.#rest = [];
      this.#bytes = 0;
      from = end + 1;
    }
  }
}
