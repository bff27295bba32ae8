/** One block of an answer while it arrives: text, a call, signed thinking, or an unknown block. */

import { textIn } from '../../lib/json-value.ts';
import type { ModelEvent } from '../../schema/model/turn.ts';
import { refuseTooDeep } from '../wire/nesting.ts';
import type { WireRequest } from './request-body.ts';
import type { ContentDelta } from './wire.ts';

export interface ReadBlock {
  readonly kind: 'text' | 'call' | 'signed' | 'unknown';
  begin(): readonly ModelEvent[];
  take(delta: ContentDelta): readonly ModelEvent[];
  /** Text that could only be reported once the block was complete. */
  lateText(): string;
  /** Characters of the answer's text that came from this block. */
  textLength(): number;
  /** The block as received, for sending it back. */
  received(): Record<string, unknown>;
  call(): { readonly id: string; readonly name: string; readonly json: string };
}

type Received = { readonly type: string; readonly [field: string]: unknown };

const NOTHING: ReadBlock = {
  kind: 'unknown',
  begin: () => [],
  take: () => [],
  lateText: () => '',
  textLength: () => 0,
  received: () => ({}),
  call: () => ({ id: '', name: '', json: '' }),
};

/** `index`: how many calls came before. */
export function openBlock(start: Received, wire: WireRequest, index: number): ReadBlock {
  switch (start.type) {
    case 'text':
      return answerText(textIn(start.text), wire, 'text_delta');
    case 'tool_use':
      return start.name === wire.answerTool
        ? answerText('', wire, 'input_json_delta')
        : callBlock(start, wire, index);
    case 'thinking':
    case 'redacted_thinking':
      return signedBlock(start);
    default:
      return NOTHING;
  }
}

/** Reports text as it arrives, but a wrapped answer only without its wrapper. */
function answerText(
  first: string,
  { answer }: WireRequest,
  type: 'text_delta' | 'input_json_delta',
): ReadBlock {
  const isLate = answer !== null && !answer.isPlain;
  let text = first;
  /** Until the text can be shown, an empty piece at least shows that something arrives. */
  const tell = (piece: string): readonly ModelEvent[] => [
    { type: 'text', text: isLate ? '' : piece },
  ];
  const whole = (): string => (answer === null ? text : answer.unwrap(text));
  return {
    ...NOTHING,
    kind: 'text',
    begin: () => (first ? tell(first) : []),
    take(delta) {
      if (delta.type !== type) return [];
      const piece = delta.type === 'text_delta' ? delta.text : delta.partial_json;
      text += piece;
      return tell(piece);
    },
    lateText: () => (isLate ? whole() : ''),
    textLength: () => (isLate ? whole() : text).length,
  };
}

/** The arguments arrive in pieces of JSON; servers that imitate the API send them whole at the start. */
function callBlock(start: Received, { names }: WireRequest, index: number): ReadBlock {
  const name = names.toNeutral(textIn(start.name));
  let json = '';
  return {
    ...NOTHING,
    kind: 'call',
    begin: () => [{ type: 'tool_call_started', index, name }],
    take(delta) {
      if (delta.type !== 'input_json_delta') return [];
      json += delta.partial_json;
      // The API opens each call with an empty piece.
      if (delta.partial_json === '') return [];
      return [{ type: 'tool_call_arguments', index, text: delta.partial_json }];
    },
    call() {
      if (json === '') refuseTooDeep(name, start.input);
      return { id: textIn(start.id), name, json: json || JSON.stringify(start.input ?? {}) };
    },
  };
}

function signedBlock(start: Received): ReadBlock {
  let thinking = textIn(start.thinking);
  let signature = textIn(start.signature);
  return {
    ...NOTHING,
    kind: 'signed',
    begin: () => (thinking ? [{ type: 'thinking', text: thinking }] : []),
    take(delta) {
      if (delta.type === 'signature_delta') signature += delta.signature;
      if (delta.type !== 'thinking_delta') return [];
      thinking += delta.thinking;
      return [{ type: 'thinking', text: delta.thinking }];
    },
    received: () => (start.type === 'thinking' ? { ...start, thinking, signature } : { ...start }),
  };
}
