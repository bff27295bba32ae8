import type { RunEvent } from '../../schema/events/events.ts';
import { type Inbox, type LineTaken, MAX_LINE } from '../../schema/inbox.ts';
import type { Terminal } from '../process/terminal.ts';
import { Edits } from '../screen/edits.ts';
import type { InputLine } from '../screen/input-line.ts';
import type { ScreenStage, StageParts } from '../screen/stage.ts';
import { reduceView, startView } from '../screen/view.ts';
import type { Renderer, RendererOptions } from './contract.ts';
import { atTheEnd } from './ending/at-the-end.ts';
import { fill } from './text/fold.ts';
import type { ShownLine } from './text/line.ts';
import type { Style } from './text/style.ts';
import { inLine } from './text/text.ts';
import { eventLinesOf } from './work/lines.ts';

const POLL_MS = 100;
/** A start that waits this long may load the screen, since a person may be typing. */
const SLOW_START_MS = 500;
/** The most rows of one message; text that a person gets back is never cut. */
const MAX_ROWS = 20;

type LiveTerminal = StageParts['terminal'] & Pick<Terminal, 'isForeground' | 'program'>;
type Parts = typeof import('../screen/live-screen.ts');

/**
 * A run on a terminal. Owns the view and the typed text. Invariants:
 * 1. Until the first request is sent, nothing that only a screen needs is loaded, and lines are written as they come,
 *    unless the start has to wait before that.
 * 2. Enter submits a line; a paste never does. A line that nobody takes stays here, and `stop` returns what the model
 *    did not get.
 */
export class LiveRenderer implements Renderer {
  readonly inbox: Inbox;
  readonly #terminal: LiveTerminal;
  readonly #style: Style;
  readonly #options: RendererOptions;
  readonly #stopLooking: () => void;
  readonly #startedAt: number;
  readonly #edits: Edits<RunEvent>;
  /** What a frame would have shown, for a run that ends before the first frame. */
  readonly #unseen: string[] = [];
  #view: ReturnType<typeof startView>;
  #parts: Parts | null = null;
  #stage: ScreenStage | null = null;
  #input: InputLine | null = null;
  #take: ((line: string) => LineTaken) | null = null;
  /** Submitted with Enter and not taken yet. */
  #sent: string[] = [];
  #release: (() => void) | null = null;
  #hasAsked = false;
  #isLoading = false;
  #isHeld = false;
  #isStopped = false;
  #leftAbove = '';

  constructor(terminal: LiveTerminal, style: Style, options: RendererOptions) {
    this.#terminal = terminal;
    this.#style = style;
    this.#options = options;
    this.#startedAt = this.#now();
    this.#view = startView(options.watched?.begunAt ?? this.#startedAt, options.watched?.wayOut);
    this.#edits = new Edits({
      style,
      changeMade: options.changeMade,
      take: (event) => this.#see(event),
      write: (rows) => !this.#isStopped && this.#write(rows),
      width: () => this.#width(),
    });
    this.#stopLooking = terminal.every(POLL_MS, () => this.#poll());
    this.inbox = {
      listen: (take) => {
        this.#take = take;
        this.#handOver();
        return () => {
          this.#take = null;
        };
      },
    };
  }

  observe(event: RunEvent): void {
    if (!this.#isStopped) this.#edits.observe(event);
  }

  #see(event: RunEvent): void {
    const before = this.#view;
    this.#view = reduceView(before, event, this.#now());
    if (event.type === 'turn_started') this.#hasAsked = true;
    const isDebug = this.#options.verbosity === 'debug';
    const lines = eventLinesOf(event, { before, after: this.#view }, this.#style.glyphs).filter(
      (line) => line.level !== 'debug' || isDebug,
    );
    const fitting = (some: readonly ShownLine[]) => some.flatMap((line) => this.#fitting(line));
    // The question itself is on the screen.
    const isAsked = event.type === 'record' && event.record.type === 'approval_asked';
    if (this.#parts === null && !isAsked)
      this.#unseen.push(...fitting(lines.filter((line) => line.inFrame === true)));
    this.#write(fitting(lines.filter((line) => line.inFrame !== true)));
    const words = event.type === 'record' ? CALLS[event.record.type] : undefined;
    if (words !== undefined) this.#stage?.call(words);
    this.#showEdits(event, before);
    this.#stage?.changed();
  }

  /** A repair has a line of its own. */
  #showEdits(event: RunEvent, { calls, isMending }: ReturnType<typeof startView>): void {
    if (event.type !== 'record' || event.record.type !== 'action_finished') return;
    const { status, id } = event.record;
    const files = status === 'ok' ? (calls[id]?.files ?? []) : [];
    const whole = (path: string): string => `${this.#terminal.program} diff ${path}`;
    this.#edits.show(files, { whole, hasHead: !isMending });
  }

  remember(event: RunEvent): void {
    this.#view = reduceView(this.#view, event, this.#now());
    this.#hasAsked = true;
  }

  /** Gives keys and screen away until they are released. */
  hold(): () => void {
    if (this.#isStopped) return () => {};
    this.#edits.goOn();
    this.#isHeld = true;
    this.#release = this.#stage?.hold(this.#treeAbove()) ?? null;
    return () => {
      this.#isHeld = false;
      this.#release?.();
    };
  }

  /** The plan above a question; nothing if it is unchanged since the last question. */
  #treeAbove(): readonly string[] {
    const size = this.#terminal.stderr.size();
    const tree = this.#parts?.treeAbove(this.#view, size, this.#style) ?? [];
    const text = tree.join('\n');
    if (text === this.#leftAbove) return [];
    this.#leftAbove = text;
    return tree;
  }

  stop(): void {
    if (this.#isStopped) return;
    this.#edits.goOn();
    this.#isStopped = true;
    this.#stopLooking();
    const unsent = { lines: this.#sent, line: this.#input?.draft.text ?? '' };
    const returned = atTheEnd(this.#view, unsent).flatMap((line) => this.#folded(line));
    const tree = this.#parts?.wholeTree(this.#view, this.#width(), this.#style) ?? [];
    const last = [...tree, ...returned];
    if (this.#stage !== null) this.#stage.close(last);
    else this.#write([...this.#unseen, ...last]);
  }

  #now = (): number => this.#terminal.clock.monotonic();

  #width = (): number => Math.max(10, this.#terminal.stderr.size().columns - 1);

  #write(lines: readonly string[]): void {
    const { stderr } = this.#terminal;
    if (this.#stage !== null) this.#stage.write(stderr, lines);
    else if (lines.length > 0) stderr.write(lines.map((line) => `${line}\n`).join(''));
  }

  /** Folds a line to at most `MAX_ROWS` rows; an ellipsis replaces the others. */
  #fitting(line: ShownLine): readonly string[] {
    const rows = this.#folded(line);
    const { glyphs, paint } = this.#style;
    const more = paint(line.tone, glyphs.ellipsis);
    return rows.length > MAX_ROWS ? [...rows.slice(0, MAX_ROWS), more] : rows;
  }

  #folded({ text, tone }: ShownLine): readonly string[] {
    const whole = inLine(text);
    const rows = fill(whole, this.#width(), whole.length - whole.trimStart().length + 2);
    return rows.map((row) => this.#style.paint(tone, row));
  }

  #poll(): void {
    const isSlowStart = this.#now() - this.#startedAt >= SLOW_START_MS;
    if (!(this.#hasAsked || isSlowStart) || this.#isLoading) return;
    this.#isLoading = true;
    // If the screen cannot be loaded, nothing is shown; the run does not depend on it.
    import('../screen/live-screen.ts').then(
      (parts) => this.#begin(parts),
      () => {},
    );
  }

  #begin(parts: Parts): void {
    if (this.#isStopped) return;
    this.#stopLooking();
    const terminal = this.#terminal;
    const system = parts.operatingSystem(terminal.platform);
    const input = new parts.InputLine({ most: MAX_LINE, isOneRow: true });
    const stage = new parts.ScreenStage({
      terminal,
      input,
      notifies: this.#options.notifies !== false,
      isForeground: terminal.isForeground ?? (() => parts.inForeground(system)),
      frame: (size) => {
        const { draft, search } = input;
        const typed = { draft, search, lines: this.#sent };
        return parts.frameOf(this.#view, typed, size, this.#now(), this.#style);
      },
      isMoving: () => true,
      sent: (text) => {
        this.#sent.push(text);
        this.#handOver();
      },
      interrupt: () => this.#options.interrupt?.(),
      pause: () => this.#options.watched?.pause(),
    });
    this.#parts = parts;
    this.#input = input;
    this.#stage = stage;
    if (this.#isHeld) this.#release = stage.hold();
    stage.open();
  }

  #handOver(): void {
    if (this.#take === null) return;
    const lines = this.#sent;
    this.#sent = [];
    for (const text of lines) {
      const taken = this.#take(text);
      if (taken === 'kept' || taken === 'empty') continue;
      // A line that cannot be taken now is returned at the end.
      this.#sent.push(text);
      this.observe({ type: 'notice', level: 'warning', text: REFUSED[taken] });
    }
  }
}

/** How a run alerts a person who looks at another window. */
const CALLS: { readonly [type: string]: string } = {
  run_finished: 'The run has ended.',
  run_paused: 'The run is paused.',
};

const REFUSED: { readonly [Why in Exclude<LineTaken, 'kept' | 'empty'>]: string } = {
  too_long: 'That line is too long for the model; put it into a file and name the file.',
  too_many: 'Too many lines wait for the model; this one is returned at the end.',
  failed: 'The run takes no more lines; this one is returned at the end.',
};
