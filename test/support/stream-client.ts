/** A client of a stream that breaks: it keeps what it is sent, and what was wrong with it. */
import { FrameReader, type ReadFrame } from '../../src/server/client/frames.ts';
import { Response, type StreamWorld } from './stream-world.ts';

export interface ClientKind {
  /** Our own names; else the seven. */
  readonly isOwn: boolean;
  readonly records: boolean;
  readonly pieces: boolean;
  readonly holds: boolean;
}

export class StreamClient {
  readonly kind: ClientKind;
  readonly faults: string[] = [];
  /** Of what is in the journal: each event that it was sent. */
  readonly told: string[] = [];
  /** The id after which its stream began. */
  from = '';
  questions = new Set<string>();
  isAtEnd = false;
  /** Whether it was told that the run is paused, and of no process since. */
  #hasPause = false;
  /** Whether it was told the last event of the run. */
  #hasResult = false;
  #world: StreamWorld;
  #last: string | null = null;
  #response: Response | null = null;
  #reader = new FrameReader();
  /** What it has of the turn; `null`: it came in the middle, or was told that pieces are missing. */
  #text: string | null = null;
  #calls: string[] = [];
  /** It has a part of a turn. */
  #hasPart = false;
  /** What it has of a turn was sent over this connection. */
  #isSure = false;

  constructor(world: StreamWorld, kind: ClientKind) {
    this.#world = world;
    this.kind = kind;
  }

  get response(): Response | null {
    return this.#response?.destroyed === true ? null : this.#response;
  }

  connect(): void {
    if (this.response !== null || this.isAtEnd) return;
    this.read(false);
    if (this.isAtEnd) return;
    const { isOwn, records, pieces, holds } = this.kind;
    const isChat = this.#world.isChat;
    if (this.#last === null) {
      this.from = isChat && (holds || !isOwn) ? this.#world.talk.delivered : '0.0';
      this.told.length = 0;
      this.#begin();
      this.#text = null;
    }
    const query = new URLSearchParams({
      ...(isChat ? { names: isOwn ? 'tardigrade' : 'seed' } : isOwn ? {} : { names: 'seed' }),
      ...(records ? { records: '1' } : {}),
      ...(pieces ? {} : { pieces: '0' }),
      ...(holds ? {} : { observe: '1' }),
    });
    const response = new Response();
    this.#response = response;
    this.#reader = new FrameReader();
    this.#isSure = false;
    this.questions.clear();
    void this.#world
      .stream(response, query, this.#last)
      .catch((error: Error) => this.faults.push(`${error.stack}`))
      .finally(() => response.destroy());
  }

  /** Reads what was written, or a part of it. */
  read(isWhole: boolean): void {
    const { written = [] } = this.#response ?? {};
    let bytes = Buffer.concat(written.splice(0));
    if (!isWhole) {
      const size = this.#world.roll(bytes.length + 1);
      written.push(bytes.subarray(bytes.length - size));
      bytes = bytes.subarray(0, bytes.length - size);
    }
    for (const frame of this.#reader.push(bytes.toString())) this.#take(frame);
  }

  /** @param how 1: pieces are dropped for it; 2: it is cut off */
  slow(how: number): void {
    const response = this.#response;
    if (response === null) return;
    response.writableLength = how * 5 * 1024 * 1024;
    if (how === 0) response.emit('drain');
  }

  cut(): void {
    this.read(false);
    this.#response?.written.splice(0);
    this.#response?.destroy();
  }

  #take({ id, event, data: json }: ReadFrame): void {
    const data = JSON.parse(json);
    const fault = (what: string): void => {
      this.faults.push(`${what} at ${id} ${event} ${json.slice(0, 200)}`);
    };
    if (id !== '' && this.#last !== null && isEarlier(id, this.#last))
      fault(`back from ${this.#last}`);
    if (id !== '') this.#last = id;
    const { isOwn, records } = this.kind;
    const isTrace = event === 'trace';
    const name = isTrace ? data.kind : event;
    const body = isTrace ? data.data : data;
    const record = name === 'record' ? (body.record ?? body).type : '';
    if (record !== '' && !records) fault('an unwanted record');
    if (record === 'lease_taken' || record === 'run_resumed') {
      this.#begin();
      this.#hasPause = false;
    }
    if (isOwn && data.seq !== undefined) this.told.push(`${data.seq} ${name}`);
    if (!isOwn && name === 'record') this.told.push(`${data.seq} record`);
    if (!isOwn && SAID.has(name)) this.told.push(name === 'tool_result' ? body.callId : name);
    switch (name) {
      case 'reset':
        fault('reset');
        return;
      case 'bye':
        if (!this.#world.isOver) fault('bye before the end');
        if (!this.#hasResult) fault('no result');
        this.isAtEnd = true;
        return;
      case 'question':
        this.questions.add(body.id);
        return;
      case 'settled':
        this.questions.delete(body.id);
        return;
      case 'text_delta':
        if (this.#text !== null) this.#text += body.text;
        this.#hasPart = true;
        return;
      case 'thinking_delta':
      case 'tool_call_started':
      case 'tool_call_arguments':
        this.#hasPart = true;
        return;
      case 'tool_call':
      case 'tool_call_ready':
        this.#hasPart = true;
        this.#calls.push(body.callId ?? body.id);
        return;
      case 'pieces_dropped':
        if (isOwn) this.#text = null;
        return;
      case 'turn_restarted':
        if (!this.#hasPart && this.#isSure) fault('nothing to drop');
        this.#begin();
        return;
      case 'turn_finished':
        this.#check(body, fault);
        this.#isSure = true;
        this.#begin();
        return;
      case 'turn_started':
      case 'person_said':
      case 'message_ended':
        this.#begin();
        return;
      case 'completed':
      case 'result':
        if (data.ending !== 'paused' && data.reason !== 'paused') {
          if (this.#hasResult && !this.#world.isChat) fault('a second result');
          this.#hasResult = true;
        } else if (records) {
          if (this.#hasPause) fault('a pause told twice');
          this.#hasPause = true;
        }
        this.#begin();
        return;
      default:
    }
  }

  #begin(): void {
    this.#text = '';
    this.#calls = [];
    this.#hasPart = false;
  }

  /** The end of a turn has all of it. */
  #check(
    { text, calls = [] }: { readonly text: string; readonly calls?: readonly { id: string }[] },
    fault: (what: string) => void,
  ): void {
    const { isOwn, pieces } = this.kind;
    if (this.#text === null) return;
    // By our own names the rest of the text does not come once more with the end.
    const isRight = pieces && !isOwn ? this.#text === text : text.includes(this.#text);
    if (!isRight) fault(`has ${this.#text}`);
    const ids = calls.map(({ id }) => id);
    const isWhole = isOwn
      ? new Set(this.#calls).size === this.#calls.length
      : `${this.#calls}` === `${ids}`;
    if (!isWhole) fault(`has the calls ${this.#calls}`);
  }
}

const SAID: ReadonlySet<string> = new Set(['tool_result', 'completed', 'person_said']);

const placeOf = (id: string): readonly number[] => id.split(/[.+~]/).map(Number);
export const isEarlier = (one: string, other: string): boolean => {
  const [a, b] = [placeOf(one), placeOf(other)];
  const at = [0, 1, 2].find((part) => (a[part] ?? 0) !== (b[part] ?? 0));
  return at !== undefined && (a[at] ?? 0) < (b[at] ?? 0);
};
