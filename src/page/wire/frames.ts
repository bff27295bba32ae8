/** Frames of a stream of events out of its pieces. Pure. */
export interface Frame {
  readonly id: string | null;
  readonly event: string;
  readonly data: string;
}

export class Frames {
  #rest = '';

  /** The frames that are whole now; comments are none. */
  push(piece: string): readonly Frame[] {
    const parts = (this.#rest + piece).split(/\r?\n\r?\n/);
    this.#rest = parts.pop() ?? '';
    return parts.map(frameIn).filter((frame) => frame !== null);
  }
}

function frameIn(part: string): Frame | null {
  let id: string | null = null;
  let event = 'message';
  const data: string[] = [];
  for (const line of part.split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    const value = line.slice(colon + 1).replace(/^ /, '');
    const field = line.slice(0, colon);
    if (field === 'id') id = value;
    else if (field === 'event') event = value;
    else if (field === 'data') data.push(value);
  }
  return data.length === 0 ? null : { id, event, data: data.join('\n') };
}
