/** Keeps the start and the end of a text stream in limited memory. */
export interface BoundedOutput {
  /**
   * Accepts whole characters only, as a streaming decoder returns them. Returns the part that still fits the
   * start.
   */
  add(text: string): string;
  finish(): { readonly text: string; readonly leftOutBytes: number };
}

/** Many small pieces are stored in few blocks of this size. */
const BLOCK = 64 * 1024;

/**
 * Owns the kept bytes. Invariants: (1) memory never exceeds `maxBytes` plus one block and one chunk, (2) no
 * character is split, (3) omitted bytes are counted and marked in the text.
 */
export function boundedOutput(maxBytes: number): BoundedOutput {
  const headLimit = Math.ceil(maxBytes / 2);
  const tailLimit = maxBytes - headLimit;
  const head = blocks();
  let headFull = false;
  const tail = blocks();
  let dropped = 0;

  const fillHead = (bytes: Buffer): number => {
    if (headFull) return 0;
    const room = headLimit - head.size();
    headFull = bytes.length > room;
    const kept = headFull ? boundaryBefore(bytes, room) : bytes.length;
    head.add(bytes.subarray(0, kept));
    return kept;
  };

  return {
    add(text) {
      const bytes = Buffer.from(text, 'utf8');
      const kept = fillHead(bytes);
      tail.add(bytes.subarray(kept));
      while (tail.size() - tail.first() >= tailLimit && tail.first() > 0) dropped += tail.shift();
      return kept === bytes.length ? text : bytes.toString('utf8', 0, kept);
    },
    finish() {
      const start = head.all().toString('utf8');
      const all = tail.all();
      const from = boundaryAfter(all, Math.max(0, all.length - tailLimit));
      const leftOutBytes = dropped + from;
      const end = all.toString('utf8', from);
      if (leftOutBytes === 0) return { text: start + end, leftOutBytes };
      return { text: `${start}\n[... ${leftOutBytes} bytes left out ...]\n${end}`, leftOutBytes };
    },
  };
}

/** Bytes in order of arrival; small pieces are copied together. */
function blocks() {
  const full: Buffer[] = [];
  let open = Buffer.alloc(0);
  let used = 0;
  let size = 0;
  const close = (): void => {
    if (used > 0) full.push(open.subarray(0, used));
    open = Buffer.alloc(0);
    used = 0;
  };
  return {
    size: () => size,
    /** The size of the oldest block. */
    first: () => full[0]?.length ?? used,
    add(bytes: Buffer): void {
      size += bytes.length;
      if (bytes.length > open.length - used) {
        close();
        if (bytes.length >= BLOCK) {
          full.push(bytes);
          return;
        }
        open = Buffer.alloc(BLOCK);
      }
      used += bytes.copy(open, used);
    },
    shift(): number {
      if (full.length === 0) close();
      const length = full.shift()?.length ?? 0;
      size -= length;
      return length;
    },
    all: () => Buffer.concat([...full, open.subarray(0, used)]),
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
