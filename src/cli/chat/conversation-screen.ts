/** A conversation on a terminal: answers on stdout as they come, events on stderr, and a frame below both. */
import type { FileChange } from '../../schema/actions.ts';
import type { SessionEvent } from '../../schema/events/events.ts';
import type { Terminal } from '../process/terminal.ts';
import { endOfPage, NO_PAGE, pageAfter } from '../render/markdown/page.ts';
import { foldToWidth } from '../render/text/fold.ts';
import type { Style, Tone } from '../render/text/style.ts';
import { inLine, sanitize } from '../render/text/text.ts';
import { activityOf } from '../screen/activity.ts';
import { EMPTY_CHAT_VIEW, reduceChatView } from '../screen/chat-view.ts';
import { type ChangeMade, Edits } from '../screen/edits.ts';
import { frameOf } from '../screen/frame.ts';
import type { InputLine } from '../screen/input-line.ts';
import { ScreenStage, type StageParts } from '../screen/stage.ts';
import { eventLines } from './lines.ts';

export interface ConversationScreenParts
  extends Pick<StageParts, 'sent' | 'interrupt' | 'leave' | 'typed' | 'notifies'> {
  readonly terminal: StageParts['terminal'] & Pick<Terminal, 'stdout'>;
  readonly style: Style;
  readonly input: InputLine;
  readonly isDebug: boolean;
  /** Left out: thoughts are hidden until the person asks for them. */
  readonly showsThoughts?: boolean;
  /** Messages that wait until the model has answered. */
  queued(): readonly string[];
  isWorking(): boolean;
  readonly changeMade?: ChangeMade;
  /** What Ctrl+C does. Left out: it stops the work. */
  readonly wayOut?: string;
}

/** An answer that was stopped has no finished turn. */
const ENDS_ANSWER: ReadonlySet<string> = new Set(['turn_finished', 'message_ended']);

const WHOLE = { whole: () => '/diff', hasHead: false };

export class ConversationScreen {
  readonly stage: ScreenStage;
  readonly #parts: ConversationScreenParts;
  readonly #intended = new Map<string, readonly FileChange[]>();
  #showsThoughts: boolean;
  /** The line of a thought that has not ended yet. */
  #thought = '';
  readonly #edits: Edits<SessionEvent>;
  #view: typeof EMPTY_CHAT_VIEW;
  #isAsking = false;

  constructor(parts: ConversationScreenParts) {
    const { input, style, wayOut = EMPTY_CHAT_VIEW.wayOut } = parts;
    this.#parts = parts;
    this.#showsThoughts = parts.showsThoughts ?? false;
    this.#view = { ...EMPTY_CHAT_VIEW, wayOut };
    this.#edits = new Edits({
      style,
      changeMade: parts.changeMade,
      take: (event) => this.#take(event),
      write: (rows) => this.stage.write(parts.terminal.stderr, rows),
      width: () => Math.max(10, parts.terminal.stderr.size().columns - 1),
    });
    this.stage = new ScreenStage({
      ...parts,
      // The terminal stops a program in the background, as it stops any program that reads keys.
      isForeground: () => true,
      isMoving: () => parts.isWorking(),
      frame: (size) => {
        const view = parts.isWorking() ? this.#view : { ...this.#view, activity: null };
        const { draft, menu, search } = input;
        const typed = { draft, menu, search, lines: parts.queued() };
        return frameOf(view, typed, size, this.#now(), style);
      },
    });
  }

  observe(event: SessionEvent): void {
    this.#edits.observe(event);
  }

  #take(event: SessionEvent): void {
    const before = this.#view;
    this.#view = reduceChatView(before, event, this.#now());
    if (event.type === 'thinking') this.#thinks(sanitize(event.text));
    else if (event.type === 'text') this.#says(sanitize(event.text));
    else if (event.type === 'record' && ENDS_ANSWER.has(event.record.type)) this.endAnswer();
    const { style, isDebug } = this.#parts;
    const files = event.type === 'record' ? this.#changedBy(event.record) : [];
    for (const { text, tone, level } of eventLines(event, style.glyphs, files))
      if (level !== 'debug' || isDebug) this.note(text, tone);
    this.#edits.show(files, WHOLE);
    if (this.#view.activity !== before.activity) this.stage.draw();
    else this.stage.changed();
  }

  /** True while a question of the conversation has keys and screen. */
  get isAsking(): boolean {
    return this.#isAsking;
  }

  /** False while something else has keys and screen, and Ctrl+C. */
  get takesInterrupt(): boolean {
    return this.#isAsking || !this.stage.isHeld;
  }

  holdForQuestion(): () => void {
    const release = this.stage.hold();
    this.#isAsking = true;
    return () => {
      this.#isAsking = false;
      release();
    };
  }

  toggleThoughts(): boolean {
    this.#endThought();
    this.#showsThoughts = !this.#showsThoughts;
    return this.#showsThoughts;
  }

  /** @param label of the work that begins; '' if nothing is worth showing */
  begins(label: string): void {
    const activity = label === '' ? null : activityOf('waiting', label, this.#now());
    this.#view = { ...this.#view, activity };
    this.stage.draw();
  }

  /** Prints thoughts in whole lines: they and the answer go to different streams. */
  #thinks(text: string): void {
    if (!this.#showsThoughts) return;
    const ended = (this.#thought + text).split('\n');
    this.#thought = ended.pop() ?? '';
    for (const line of ended) if (line.trim() !== '') this.note(`  ${line}`, 'emphasis');
  }

  #endThought(): void {
    const line = this.#thought;
    this.#thought = '';
    if (line.trim() !== '') this.note(`  ${line}`, 'emphasis');
  }

  /** Ends the answer; a last line without a line end gets one. */
  endAnswer(): void {
    this.#endThought();
    const rows = endOfPage(this.#view.answer, this.#look());
    this.#view = { ...this.#view, answer: NO_PAGE };
    this.stage.write(this.#parts.terminal.stdout, rows);
  }

  /** Prints a line about what happens. */
  note(text: string, tone: Tone = 'dim'): void {
    const { terminal, style } = this.#parts;
    const { stderr } = terminal;
    const line = style.paint(tone, inLine(text));
    const shown = stderr.isTerminal ? foldToWidth(line, stderr.size().columns - 1) : line;
    this.stage.write(stderr, shown.split('\n'));
  }

  /** Separates two exchanges with a blank line on a terminal; a pipe needs none. */
  space(): void {
    const { stdout } = this.#parts.terminal;
    if (stdout.isTerminal) this.stage.write(stdout, ['']);
  }

  /** Prints the program's own lines on stdout. */
  show(text: string): void {
    this.stage.write(this.#parts.terminal.stdout, text.split('\n'));
  }

  #now = (): number => this.#parts.terminal.clock.monotonic();

  #changedBy(record: Extract<SessionEvent, { type: 'record' }>['record']): readonly FileChange[] {
    if (record.type === 'action_intended') this.#intended.set(record.id, record.files);
    if (record.type !== 'action_finished') return [];
    const files = this.#intended.get(record.id) ?? [];
    this.#intended.delete(record.id);
    return record.status === 'ok' ? files : [];
  }

  /** Resolves once every change is shown. */
  allShown(): Promise<void> {
    return this.#edits.allShown();
  }

  #look(): { readonly width: number; readonly style: Style } {
    const { terminal, style } = this.#parts;
    return { width: Math.max(10, terminal.stdout.size().columns - 1), style };
  }

  #says(text: string): void {
    this.#endThought();
    const { stdout } = this.#parts.terminal;
    const { page, rows } = pageAfter(this.#view.answer, text, this.#look());
    this.#view = { ...this.#view, answer: page };
    this.stage.write(stdout, rows);
  }
}
