import type { Redactor } from '../llm/secrets/redactor.ts';

const PIECES: ReadonlySet<string> = new Set([
  'text',
  'thinking',
  'action_output',
  'tool_call_arguments',
]);

interface Piece {
  readonly type: string;
  readonly text: string;
}

const isPiece = <Event extends { readonly type: string }>(event: Event): event is Event & Piece =>
  PIECES.has(event.type);

/**
 * Wraps an observer so that it never receives a secret in use, even one split over two pieces. Records are
 * redacted already.
 */
export function redactedEmit<Event extends { readonly type: string }>(
  emit: (event: Event) => void,
  redactor: Redactor,
): (event: Event) => void {
  if (!redactor.isNeeded) return emit;
  let open: {
    readonly piece: Event & Piece;
    readonly stream: ReturnType<Redactor['stream']>;
  } | null = null;
  const finish = (): void => {
    const rest = open?.stream.end() ?? '';
    if (open !== null && rest !== '') emit({ ...open.piece, text: rest });
    open = null;
  };
  return (event) => {
    if (isPiece(event)) {
      if (open !== null && !isSameText(open.piece, event)) finish();
      open ??= { piece: event, stream: redactor.stream() };
      const text = open.stream.push(event.text);
      if (text !== '') emit({ ...event, text });
      return;
    }
    finish();
    // The state of a run is built from its records.
    const isClean = event.type === 'record' || event.type === 'begun';
    emit(isClean ? event : redactor.value(event));
  };
}

/** The arguments of two different calls are separate texts. */
const isSameText = (one: Piece, other: Piece): boolean =>
  one.type === other.type && !('index' in one && 'index' in other && one.index !== other.index);
