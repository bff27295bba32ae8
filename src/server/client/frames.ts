/**
 * Decodes the frames of an event stream, whose pieces may be cut anywhere; `\r\n`, comments and several data lines are
 * allowed.
 */

export interface ReadFrame {
  /** The id of the last frame that had one; ''. */
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

export class FrameReader {
  /** Pieces without a line end, so that a long line is searched once. */
  #rest: string[] = [];
  #id = '';
  #event = '';
  #data: string[] = [];

  /** The frames that are complete now. */
  push(text: string): readonly ReadFrame[] {
    const mayEnd = /[\r\n]/.test(text) || this.#rest.at(-1)?.endsWith('\r');
    this.#rest.push(text);
    if (!mayEnd) return [];
    const lines = this.#rest.join('').split(/\r\n|\n|\r(?!$)/);
    this.#rest = [lines.pop() ?? ''];
    return lines.flatMap((line) => this.#line(line) ?? []);
  }

  #line(line: string): ReadFrame | null {
    if (line === '') return this.#end();
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (name === 'id') this.#id = value;
    if (name === 'event') this.#event = value;
    if (name === 'data') this.#data.push(value);
    return null;
  }

  #end(): ReadFrame | null {
    const frame = { id: this.#id, event: this.#event || 'message', data: this.#data.join('\n') };
    const isEmpty = this.#data.length === 0;
    this.#event = '';
    this.#data = [];
    return isEmpty ? null : frame;
  }
}
