import type { Redactor } from '../llm/secrets/redactor.ts';
import type { Emit, RunEvent } from '../schema/events.ts';

type Piece = Extract<
  RunEvent,
  { readonly text: string; readonly type: 'text' | 'thinking' | 'action_output' }
>;

/** The same observer, who is never told a key in use, also not in two pieces. Records are clean already. */
export function redactedEmit(emit: Emit, redactor: Redactor): Emit {
  if (!redactor.isNeeded) return emit;
  let open: {
    readonly type: Piece['type'];
    readonly stream: ReturnType<Redactor['stream']>;
  } | null = null;
  const finish = (): void => {
    const rest = open?.stream.end() ?? '';
    if (open !== null && rest !== '') emit({ type: open.type, text: rest });
    open = null;
  };
  return (event) => {
    if (event.type === 'text' || event.type === 'thinking' || event.type === 'action_output') {
      if (open?.type !== event.type) finish();
      open ??= { type: event.type, stream: redactor.stream() };
      const text = open.stream.push(event.text);
      if (text !== '') emit({ ...event, text });
      return;
    }
    finish();
    emit(event.type === 'record' ? event : redactor.value(event));
  };
}
