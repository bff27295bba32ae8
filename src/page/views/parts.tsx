/** Small components shared by the views. */
import { type ComponentChildren, createContext, type TargetedKeyboardEvent } from 'preact';
import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { readable } from '../fold/visible.ts';
import { type Label, labelOf, lastSeen, type StandingShape } from '../fold/words.ts';
import type { WatchedWork } from '../fold/work.ts';
import { errorWords } from '../store.ts';

/** Each shape has one meaning, so that colour is never needed. */
const SHAPES: { readonly [shape in StandingShape]: string } = {
  proved: 'M8 1l5.5 2v4.2c0 3.6-2.2 6.2-5.5 7.8-3.3-1.6-5.5-4.2-5.5-7.8V3z M5 8l2.2 2.2L11 6.2',
  part: 'M8 1l5.5 2v4.2c0 3.6-2.2 6.2-5.5 7.8-3.3-1.6-5.5-4.2-5.5-7.8V3z M5.2 7.8h5.6',
  done: 'M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8z M5.2 8.2l2 2 3.8-4',
  step: 'M8 6.2a1.8 1.8 0 1 0 0 3.6a1.8 1.8 0 0 0 0-3.6z',
  unchecked:
    'M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8z M8 6.6a1.4 1.4 0 1 0 0 2.8a1.4 1.4 0 0 0 0-2.8z',
  working: 'M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8z M6.5 5.2v5.6L11 8z',
  waiting: 'M8 1.5l6.8 12.5H1.2z M8 6v4 M8 11.8v.4',
  paused: 'M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8z M6.3 5.6v4.8 M9.7 5.6v4.8',
  killed: 'M9 1L3.5 9H8l-1 6 5.5-8H8z',
  failed: 'M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8z M5.7 5.7l4.6 4.6 M10.3 5.7l-4.6 4.6',
  unsure:
    'M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8z M6.2 6.2a1.8 1.8 0 1 1 2.6 1.6c-.6.3-.8.6-.8 1.2 M8 11.2v.3',
  open: 'M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8z',
  tray: 'M2 9l2-6h8l2 6v4.5H2z M2 9h3.5l1 2h3l1-2H14',
  list: 'M2.5 4h.5 M6 4h7.5 M2.5 8h.5 M6 8h7.5 M2.5 12h.5 M6 12h7.5',
  plus: 'M8 2.5v11 M2.5 8h11',
  pulse: 'M1.5 8.5H5l2-5 3 9 1.5-4h3',
  look: 'M1.5 8S4 3.8 8 3.8 14.5 8 14.5 8 12 12.2 8 12.2 1.5 8 1.5 8z M8 6.2a1.8 1.8 0 1 0 0 3.6A1.8 1.8 0 0 0 8 6.2z',
  undone: 'M5.5 2.5L2 6l3.5 3.5 M2.3 6H10a4 4 0 0 1 0 8H6',
};

const FILLED: ReadonlySet<StandingShape> = new Set(['proved', 'waiting', 'killed']);

export function Icon({ shape, tone = 'plain' }: { shape: StandingShape; tone?: Label['tone'] }) {
  const kind = FILLED.has(shape) ? 'filled' : 'drawn';
  return (
    <svg
      class={`icon ${kind} tone-${tone}`}
      viewBox="0 0 16 16"
      aria-hidden="true"
      data-shape={shape}
    >
      {SHAPES[shape].split(' M').map((path, at) => (
        <path key={path} d={at === 0 ? path : `M${path}`} />
      ))}
    </svg>
  );
}

/** True if the current state is unknown and no request can be made: the server is away, or the page is a saved file. */
export const Away = createContext(false);

/** The label of a standing, or of its last known standing. */
export function useLastSeen(said: Label): Label {
  return useContext(Away) ? lastSeen(said) : said;
}

/** Whether the window matches the media query; later changes do not count. */
export const isScreen = (query: string): boolean => globalThis.matchMedia?.(query).matches === true;

/** How something stands: a shape and a word. */
export function Badge({ standing }: { standing: string }) {
  const { word, shape, tone } = useLastSeen(labelOf(standing));
  return (
    <span class={`badge tone-${tone}`}>
      <Icon shape={shape} tone={tone} />
      {word}
    </span>
  );
}

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

/** The view of an id that the server does not know, or no longer knows. */
export const Unknown = ({ what }: { what: string }) => (
  <div class="empty">
    <h1>This {what} is not here.</h1>
    <p>Its folder was moved or deleted, or the address is mistyped.</p>
    <a class="button primary" href="#/work">
      Look in all work
    </a>
  </div>
);

/** An error, announced to screen readers at once. */
export const ProblemAlert = ({ words }: { words: string }) =>
  words === '' ? null : (
    <p class="problem" role="alert">
      <Icon shape="failed" tone="bad" />
      <span>{words}</span>
    </p>
  );

/** A form that makes its own request. */
export const RequestForm = (props: {
  class: string;
  submit: () => void;
  children: ComponentChildren;
}) => (
  <form
    class={props.class}
    onSubmit={(event) => {
      event.preventDefault();
      props.submit();
    }}
  >
    {props.children}
  </form>
);

/** A command for a terminal. */
export const Typed = ({ command }: { command: string }) =>
  command === '' ? null : (
    <p class="command">
      <code>{command}</code> <CopyButton text={command} label="Copy" />
    </p>
  );

export function CopyButton({ text, label }: { text: string; label: string }) {
  const [isCopied, setCopied] = useState(false);
  return (
    <button
      type="button"
      class="quiet"
      onClick={() => {
        navigator.clipboard.writeText(text).then(
          () => setCopied(true),
          () => {},
        );
      }}
    >
      {isCopied ? 'Copied' : label}
    </button>
  );
}

/** Sends requests for a button, and holds the error message. While the server is away, `isAsking` is true. */
export function useAsk() {
  const isAway = useContext(Away);
  const [isAsking, setAsking] = useState(false);
  const [problem, setProblem] = useState('');
  return {
    isAsking: isAsking || isAway,
    problem,
    ask: async (send: () => Promise<string>): Promise<boolean> => {
      setAsking(true);
      const words = await send();
      setAsking(false);
      setProblem(words);
      return words === '';
    },
  };
}

/**
 * The server's answer, asked for again whenever one of `over` changes. `null`: it has not come yet, or `ask` does not
 * ask.
 */
export function useFetched<Answer>(
  ask: () => Promise<Answer> | null,
  over: readonly unknown[],
): { readonly answer: Answer | null; readonly problem: string } {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    let isLate = false;
    const show = (read: Answer | null, words: string): void => {
      if (isLate) return;
      setAnswer(read);
      setProblem(words);
    };
    ask()?.then(
      (read) => show(read, ''),
      (error) => show(null, errorWords(error)),
    );
    return () => {
      isLate = true;
    };
  }, over);
  return { answer, problem };
}

/** A modal dialog; the browser keeps the focus in it, and Escape closes it. */
export function Dialog(props: { title: string; close: () => void; children: ComponentChildren }) {
  const { title, close, children } = props;
  const at = useRef<HTMLDialogElement>(null);
  // The dialog opens before the next key, which is meant for it.
  useLayoutEffect(() => {
    at.current?.showModal();
  }, []);
  return (
    <dialog ref={at} aria-label={title} onClose={close}>
      <h2>{title}</h2>
      {children}
    </dialog>
  );
}

/** Preformatted output; wide lines scroll, also by keyboard. */
export const Printed = (props: { kind?: string; children: ComponentChildren }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys scroll it
  <pre class={props.kind ?? 'output'} tabIndex={0}>
    {typeof props.children === 'string' ? readable(props.children) : props.children}
  </pre>
);

/** Lines shown until a person asks for the rest; the end matters more, because programs print their totals there. */
const FIRST_LINES = 3;
const LAST_LINES = 8;

/** Output: its first and last lines, and the rest on demand. */
export function FirstLines({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false);
  const lines = text.trimEnd().split('\n');
  const isFolded = !isWhole && lines.length > FIRST_LINES + LAST_LINES + 2;
  const ends = [...lines.slice(0, FIRST_LINES), '…', ...lines.slice(-LAST_LINES)];
  return (
    <>
      <Printed>{(isFolded ? ends : lines).join('\n')}</Printed>
      {isFolded && (
        <button type="button" class="small" onClick={() => setWhole(true)}>
          Show all {lines.length} lines
        </button>
      )}
    </>
  );
}

/** A legend: each mark with its meaning. */
export const Legend = (props: {
  label: string;
  marks: readonly (readonly [ComponentChildren, string])[];
}) => (
  <ul class="legend dim" aria-label={props.label}>
    {props.marks.map(([mark, words]) => (
      <li key={words}>
        {mark} {words}
      </li>
    ))}
  </ul>
);

export const Scroll = (props: { kind: string; label: string; children: ComponentChildren }) => (
  // biome-ignore lint/a11y/useSemanticElements: no field of a form, and no landmark, of which there may be many
  // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys scroll it
  <div role="group" class={props.kind} aria-label={props.label} tabIndex={0}>
    {props.children}
  </div>
);

export const FactList = ({ rows }: { rows: readonly (readonly [string, ComponentChildren])[] }) => (
  <dl class="facts">
    {rows
      .filter(([, value]) => value !== '' && value !== null)
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);

/** How full the model's context is, once that is known. */
export function ContextMeter({ work: { context, window } }: { work: WatchedWork }) {
  if (window === 0 || context === 0) return null;
  const words = `context ${Math.round((context / window) * 100)} %`;
  return (
    <span class="meter-said">
      <meter aria-label="Context" min={0} max={1} value={Math.min(1, context / window)}>
        {words}
      </meter>
      {words}
    </span>
  );
}

/** Keyboard navigation in a list or a tree: arrows move by one row, Home and End go to the ends. */
export function walkRows(event: TargetedKeyboardEvent<HTMLElement>, selector: string): void {
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>(selector)];
  const now = rows.indexOf(document.activeElement as HTMLElement);
  const last = rows.length - 1;
  const to = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: last }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  rows[Math.max(0, Math.min(last, to))]?.focus();
}
