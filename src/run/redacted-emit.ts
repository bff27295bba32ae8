import type { Redactor } from '../llm/secrets/redactor.ts';

/** What comes in pieces; a conversation also tells of arguments so. */
const PIECES: ReadonlySet<string> = new Set([
  'text',
  'thinking',
  'action_output',
  'call_arguments',
]);

interface Piece {
  readonly type: string;
  readonly text: string;
}

/** The same observer, who is never told a key in use, also not in two pieces. Records are clean already. */
export function redactedEmit<Event extends { readonly type: string }>(
  emit: (event: Event) => void,
  redactor: Redactor,
): (event: Event) => void {
  if (!redactor.isNeeded) return emit;
  let open: {
    readonly event: Event & Piece;
    readonly stream: ReturnType<Redactor['stream']>;
  } | null = null;
  const finish = (): void => {
    const rest = open?.stream.end() ?? '';
    if (open !== null && rest !== '') emit({ ...open.event, text: rest });
    open = null;
  };
  return (event) => {
    if (isPiece(event)) {
      if (open?.event.type !== event.type) finish();
      open ??= { event, stream: redactor.stream() };
      const text = open.stream.push(event.text);
      if (text !== '') emit({ ...event, text });
      return;
    }
    finish();
    emit(event.type === 'record' ? event : redactor.value(event));
  };
}

const isPiece = <Event extends { readonly type: string }>(event: Event): event is Event & Piece =>
  PIECES.has(event.type);
