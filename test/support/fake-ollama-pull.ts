/** What the fake server answers to /api/pull: its library, and what it keeps of unfinished downloads. */
import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';

/** Name and size in bytes of what can be downloaded. */
export type Library = Readonly<Record<string, number>>;

/** What happens to one download on its way, once that many bytes are there. */
export interface PullTrouble {
  readonly at: number;
  /** `cut`: the socket is destroyed. A text: that error line. A promise: nothing more until then. */
  readonly fate: 'cut' | { readonly error: string } | Promise<unknown>;
}

const PIECES = 10;

export class FakePulls {
  /** Bytes that are here, by model; they outlive a connection. */
  readonly kept = new Map<string, number>();
  /** Bodies of the requests. */
  readonly asked: unknown[] = [];

  constructor(
    private readonly library: Library,
    private readonly trouble: (n: number) => PullTrouble | null,
  ) {}

  /** Resolves with whether the model is there now. */
  async answer(body: string, response: ServerResponse): Promise<string | null> {
    const request = JSON.parse(body);
    const trouble = this.trouble(this.asked.push(request));
    const name = String(request.name ?? request.model);
    const size = this.library[name];
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    const say = (line: object): Promise<void> =>
      new Promise((next) => response.write(`${JSON.stringify(line)}\n`, () => next()));
    await say({ status: 'pulling manifest' });
    if (size === undefined) {
      response.end('{"error":"pull model manifest: file does not exist"}\n');
      return null;
    }
    const digest = `sha256:${createHash('sha256').update(name).digest('hex')}`;
    const status = `pulling ${digest.slice(7, 19)}`;
    for (let done = this.kept.get(name) ?? 0; ; done = Math.min(size, done + size / PIECES)) {
      this.kept.set(name, done);
      await say({ status, digest, total: size, ...(done > 0 ? { completed: done } : {}) });
      if (trouble !== null && done >= trouble.at && done < size) {
        if (trouble.fate === 'cut') response.destroy();
        else if ('error' in trouble.fate) response.end(`${JSON.stringify(trouble.fate)}\n`);
        else await trouble.fate;
        if (!(trouble.fate instanceof Promise) || response.destroyed) return null;
      }
      if (done >= size) break;
    }
    for (const step of ['verifying sha256 digest', 'writing manifest', 'success']) {
      await say({ status: step });
    }
    response.end();
    return name;
  }
}
