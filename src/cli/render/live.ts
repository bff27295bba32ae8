import type { RunEvent } from '../../schema/events.ts';
import type { Inbox, Taken } from '../../schema/inbox.ts';
import type { Screen } from '../screen/region.ts';
import type { Typing } from '../screen/typing.ts';
import { reduceView, startView } from '../screen/view.ts';
import type { Terminal } from '../terminal.ts';
import { atTheEnd } from './at-the-end.ts';
import type { Renderer, RendererOptions } from './contract.ts';
import { fill } from './fold.ts';
import type { Line } from './line.ts';
import { linesOf } from './lines.ts';
import type { Style } from './style.ts';
import { inLine } from './text.ts';

const REDRAW_MS = 100;
/** A start that waits this long for something has time, and a person who types. */
const SLOW_START_MS = 500;
/** Where nobody could continue it the program was not stopped at all. */
const STOPPED_BY_THEN_MS = 300;
const MOST_LINES = 20;
/** Of the later lines of what is told. */
const HANG = 4;

type Place = Pick<
  Terminal,
  | 'stderr'
  | 'clock'
  | 'every'
  | 'draw'
  | 'env'
  | 'platform'
  | 'readKeys'
  | 'onSignal'
  | 'onExit'
  | 'stopHere'
  | 'isForeground'
>;
type Parts = typeof import('../screen/live-screen.ts');

/**
 * Owns the view, the frame and the keyboard. Invariants:
 * 1. Until the first request is under way nothing is loaded that only a screen needs, and lines are
 *    written as they come, unless something is waited for before it.
 * 2. The terminal is as it was after `stop`, while the program is stopped, and however the process
 *    ends, but for SIGKILL: a shell that edits lines puts raw mode right by itself then.
 * 3. What was typed and not told to the model is given back at `stop`.
 */
export function createLiveRenderer(
  terminal: Place,
  style: Style,
  options: RendererOptions,
): Renderer {
  return new LiveRenderer(terminal, style, options);
}

class LiveRenderer implements Renderer {
  readonly inbox: Inbox;
  readonly #terminal: Place;
  readonly #style: Style;
  readonly #options: RendererOptions;
  readonly #undo: (() => void)[] = [];
  readonly #startedAt: number;
  /** What a frame would have shown, for a run that ends before there is one. */
  readonly #unseen: string[] = [];
  #view: ReturnType<typeof startView>;
  #parts: Parts | null = null;
  #screen: Screen | null = null;
  #typing: Typing | null = null;
  #listener: ((line: string) => Taken) | null = null;
  #stopListening: () => void = () => {};
  #hasAsked = false;
  #isLoading = false;
  #isAway = false;
  #isHeld = false;
  #isStopped = false;
  #leftAbove = '';
  #drawnAt = Number.NEGATIVE_INFINITY;

  constructor(terminal: Place, style: Style, options: RendererOptions) {
    this.#terminal = terminal;
    this.#style = style;
    this.#options = options;
    this.#startedAt = this.#now();
    this.#view = startView(options.goal, options.maxRounds, this.#startedAt);
    this.#undo.push(terminal.every(REDRAW_MS, () => this.#tick()));
    this.inbox = {
      listen: (take) => {
        this.#listener = take;
        this.#connect();
        return () => {
          this.#listener = null;
          this.#stopListening();
        };
      },
    };
  }

  observe(event: RunEvent): void {
    if (this.#isStopped) return;
    const before = this.#view;
    this.#view = reduceView(before, event, this.#now());
    if (event.type === 'turn_started') this.#hasAsked = true;
    const isDebug = this.#options.verbosity === 'debug';
    const lines = linesOf(event, { before, after: this.#view }, this.#style.glyphs).filter(
      (line) => line.level !== 'debug' || isDebug,
    );
    const fitting = (some: readonly Line[]) => some.flatMap((line) => this.#fitting(line));
    const above = fitting(lines.filter((line) => line.inFrame !== true));
    // The question itself stands there.
    const isAsked = event.type === 'record' && event.record.type === 'approval_asked';
    if (this.#parts === null && !isAsked)
      this.#unseen.push(...fitting(lines.filter((line) => line.inFrame === true)));
    if (above.length > 0 || this.#now() - this.#drawnAt >= REDRAW_MS) this.#draw(above);
  }

  /** The keys are somebody else's, and the screen, until it is released. */
  hold(): () => void {
    if (this.#isStopped) return () => {};
    this.#isAway = true;
    this.#isHeld = true;
    this.#typing?.close();
    this.#screen?.close(this.#treeAbove());
    return () => {
      this.#isHeld = false;
      this.#comeBack();
    };
  }

  /** A second question about the same state says nothing anew. */
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
    this.#isStopped = true;
    for (const undo of this.#undo.splice(0)) undo();
    this.#typing?.close();
    const unsent = this.#typing?.unsent() ?? { lines: [], line: '' };
    const given = atTheEnd(this.#view, unsent).flatMap((line) => this.#fitting(line));
    const tree = this.#parts?.wholeTree(this.#view, this.#width(), this.#style) ?? [];
    const last = [...tree, ...given];
    if (this.#screen !== null) this.#screen.close(last);
    else this.#write([...this.#unseen, ...last]);
  }

  #now = (): number => this.#terminal.clock.monotonic();

  #width = (): number => Math.max(10, this.#terminal.stderr.size().columns - 1);

  #write(lines: readonly string[]): void {
    if (lines.length > 0) this.#terminal.stderr.write(lines.map((line) => `${line}\n`).join(''));
  }

  /** Advice is never cut. */
  #fitting({ text, tone }: Line): string[] {
    const [width, { glyphs, paint }] = [this.#width(), this.#style];
    const lines = fill(inLine(text), width, HANG);
    const shown =
      lines.length > MOST_LINES ? [...lines.slice(0, MOST_LINES), glyphs.ellipsis] : lines;
    return shown.map((line) => paint(tone, line));
  }

  #draw(above: readonly string[]): void {
    if (this.#screen === null || this.#parts === null || this.#isAway) {
      this.#write(above);
      return;
    }
    const typed = this.#typing?.unsent() ?? { lines: [], line: '' };
    const size = this.#terminal.stderr.size();
    const frame = this.#parts.frameOf(this.#view, typed, size, this.#now(), this.#style);
    this.#screen.draw(frame, above);
    this.#drawnAt = this.#now();
  }

  #tick(): void {
    if (this.#screen !== null) this.#draw([]);
    else if ((this.#hasAsked || this.#isSlowStart()) && !this.#isLoading) {
      this.#isLoading = true;
      // What cannot be loaded is not shown; the run does not depend on it.
      import('../screen/live-screen.ts').then(
        (parts) => this.#begin(parts),
        () => {},
      );
    }
  }

  #isSlowStart = (): boolean => this.#now() - this.#startedAt >= SLOW_START_MS;

  #begin(parts: Parts): void {
    if (this.#isStopped) return;
    this.#parts = parts;
    this.#screen = parts.openScreen(this.#terminal);
    const look = parts.systemLook(this.#terminal.platform);
    this.#typing = parts.createTyping({
      terminal: this.#terminal,
      isForeground: this.#terminal.isForeground ?? (() => parts.inForeground(look)),
      changed: () => this.#draw([]),
      refused: (why) => this.#refuse(why),
      interrupt: () => this.#options.interrupt?.(),
      suspend: () => this.#suspend(),
    });
    this.#undo.push(this.#terminal.onExit(() => this.#crash()));
    if (this.#terminal.platform !== 'win32')
      this.#undo.push(this.#terminal.onSignal('SIGCONT', () => this.#comeBack()));
    // What was loaded while somebody else has the keys must not read them, too.
    if (!this.#isHeld) this.#typing.open();
    this.#connect();
    this.#draw([]);
  }

  /** The process ends without `stop`; what it says of that stands below the frame already. */
  #crash(): void {
    this.#isStopped = true;
    this.#typing?.close();
  }

  #connect(): void {
    if (this.#typing !== null && this.#listener !== null)
      this.#stopListening = this.#typing.inbox.listen(this.#listener);
  }

  #refuse(why: Exclude<Taken, 'kept' | 'empty'>): void {
    const text = {
      too_long: 'That line is too long for the model; put it into a file and name the file.',
      too_many: 'Too many lines wait for the model; this one is given back at the end.',
      failed: 'The run takes no more lines; this one is given back at the end.',
    }[why];
    this.observe({ type: 'notice', level: 'warning', text });
  }

  #suspend(): void {
    if (this.#terminal.platform === 'win32' || this.#isAway) return;
    this.#isAway = true;
    this.#typing?.close();
    this.#screen?.close();
    this.#terminal.stopHere();
    const since = this.#now();
    const stop = this.#terminal.every(REDRAW_MS, () => {
      if (this.#now() - since < STOPPED_BY_THEN_MS) return;
      stop();
      if (this.#isAway) this.#comeBack();
    });
    this.#undo.push(stop);
  }

  /** After `fg`; whoever stopped it may have left the frame, and the shell its own lines below. */
  #comeBack(): void {
    if (this.#isStopped || this.#isHeld) return;
    if (!this.#isAway) {
      this.#screen?.forget();
      this.#typing?.reopen();
    } else this.#typing?.open();
    this.#isAway = false;
    this.#draw([]);
  }
}
