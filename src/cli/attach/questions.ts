/** Puts questions of another process to the person at this terminal. */
import type { Done, OpenQuestion } from '../../host/live/live-port.ts';
import { oneLine } from '../../lib/text/plain-text.ts';
import { ANSWERED, type PersonsAnswer } from '../../round/permission/person.ts';
import type { StreamEvent } from '../../schema/events/stream.ts';
import { yesOrNo } from '../../shown/answers.ts';
import type { Terminal } from '../process/terminal.ts';
import { askAtTerminal, type Lasting } from '../questions/ask-person.ts';

export interface QuestionsPort {
  readonly terminal: Pick<Terminal, 'stderr' | 'clock' | 'keys' | 'env' | 'platform'>;
  /** Hides what is redrawn until the returned function is called. */
  hold(): () => void;
  answer(id: string, answer: Exclude<PersonsAnswer, { kind: 'none' }>): Promise<Done>;
  note(text: string): void;
  readonly lasting: Lasting;
}

/** A settled question leaves the screen after this time; the event with its answer normally comes sooner. */
const GONE_MS = 500;

export class AttachedQuestions {
  readonly #port: QuestionsPort;
  readonly #open = new Map<string, AbortController>();
  /** Questions that are no longer open, but still on the screen. */
  readonly #settled = new Set<string>();

  constructor(port: QuestionsPort) {
    this.#port = port;
  }

  get isAsking(): boolean {
    return this.#open.size > 0;
  }

  async put(question: OpenQuestion): Promise<void> {
    const { terminal, hold, answer, note, lasting } = this.#port;
    const stop = new AbortController();
    // A key must answer one question only.
    for (const id of this.#settled) this.#end(id, null);
    this.#open.set(question.id, stop);
    const ask = askAtTerminal(terminal, hold, lasting);
    const decision = await ask({ ...question, input: {} }, stop.signal);
    // The same question may be open again, as the one about a plan may be.
    if (this.#open.get(question.id) === stop) this.#end(question.id, null);
    if (decision.kind === 'none') return;
    const done = await answer(question.id, decision);
    if (done.how === 'refused') note(done.why);
    if (done.how !== 'late') return;
    note(`Another answer came first and counts: ${oneLine(yesOrNo(done.counted))}.`);
  }

  /** Ends a question that somebody answered elsewhere. */
  receive(event: StreamEvent): void {
    if (event.type === 'permission_answered')
      this.#end(event.id, event.allowed ? ANSWERED.once : ANSWERED.no);
  }

  /** Ends a question that is no longer open. */
  settled(id: string): void {
    const stop = this.#open.get(id);
    if (stop === undefined) return;
    this.#settled.add(id);
    void this.#port.terminal.clock.sleep(GONE_MS).then(() => {
      if (this.#open.get(id) === stop) this.#end(id, null);
    });
  }

  close(): void {
    for (const id of [...this.#open.keys()]) this.#end(id, null);
  }

  #end(id: string, why: string | null): void {
    this.#open.get(id)?.abort(why);
    this.#open.delete(id);
    this.#settled.delete(id);
  }
}
