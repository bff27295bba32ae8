/** Keeps the start and the end of a stream of text in bounded memory. */
export interface BoundedOutput {
  /** Whole characters only: what a streaming decoder gives. Returns what of it still fits the start. */
  add(text: string): string;
  finish(): { readonly text: string; readonly leftOutBytes: number };
}

/**
 * Owns the kept bytes. Invariants: (1) never more than `maxBytes` plus one chunk in memory,
 * (2) no character is cut in two, (3) what was left out is counted and marked in the text.
 */
export function boundedOutput(maxBytes: number): BoundedOutput {
  const headLimit = Math.ceil(maxBytes / 2);
  const tailLimit = maxBytes - headLimit;
  const head: Buffer[] = [];
  let headBytes = 0;
  let headFull = false;
  const tail: Buffer[] = [];
  let tailBytes = 0;
  let dropped = 0;

  const fillHead = (bytes: Buffer): number => {
    if (headFull) return 0;
    const room = headLimit - headBytes;
    headFull = bytes.length > room;
    const kept = headFull ? boundaryBefore(bytes, room) : bytes.length;
    head.push(bytes.subarray(0, kept));
    headBytes += kept;
    return kept;
  };

  return {
    add(text) {
      const bytes = Buffer.from(text, 'utf8');
      const kept = fillHead(bytes);
      const rest = bytes.subarray(kept);
      if (rest.length > 0) {
        tail.push(rest);
        tailBytes += rest.length;
      }
      for (let first = tail[0]; first !== undefined; first = tail[0]) {
        if (tailBytes - first.length < tailLimit) break;
        tail.shift();
        tailBytes -= first.length;
        dropped += first.length;
      }
      return kept === bytes.length ? text : bytes.toString('utf8', 0, kept);
    },
    finish() {
      const start = Buffer.concat(head).toString('utf8');
      const all = Buffer.concat(tail);
      const from = boundaryAfter(all, Math.max(0, all.length - tailLimit));
      const leftOutBytes = dropped + from;
      const end = all.toString('utf8', from);
      if (leftOutBytes === 0) return { text: start + end, leftOutBytes };
      return { text: `${start}\n[... ${leftOutBytes} bytes left out ...]\n${end}`, leftOutBytes };
    },
  };
}

const continues = (byte: number | undefined): boolean =>
  byte !== undefined && (byte & 0xc0) === 0x80;

function boundaryBefore(bytes: Buffer, at: number): number {
  let boundary = at;
  while (boundary > 0 && continues(bytes[boundary])) boundary -= 1;
  return boundary;
}

function boundaryAfter(bytes: Buffer, at: number): number {
  let boundary = at;
  while (continues(bytes[boundary])) boundary += 1;
  return boundary;
}
