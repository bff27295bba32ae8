/**
 * Lines of earlier formats, read as if this build had written them. An upgrade maps one stored line to
 * one record at the same place and is pure; the fold, not the upgrade, carries meaning that changed.
 * 1. A line of format 3 or later carries its format.
 * 2. A line without one belongs to a run of format 1 (no durable mark) or 2, or to a conversation of
 *    its format 1. Only the kind of the journal tells a run's line from a conversation's.
 */
import { fromFormat1 } from './format-1.ts';
import { FORMAT_VERSION } from './records.ts';

export type Upgraded =
  | { readonly ok: true; readonly value: object }
  | { readonly ok: false; readonly why: string };

interface Envelope {
  readonly type?: unknown;
  readonly format?: unknown;
  readonly durable?: unknown;
  readonly ending?: unknown;
}

const asIs = (value: object): Upgraded => ({ ok: true, value });

const tooNew = (format: unknown): Upgraded | null =>
  typeof format === 'number' && format > FORMAT_VERSION
    ? { ok: false, why: `it is of format ${format}, and this build reads up to ${FORMAT_VERSION}` }
    : null;

/** @param value one line of a run's journal whose checksum held. */
export function upgradedRunLine(value: object): Upgraded {
  const { format, durable } = value as Envelope;
  return tooNew(format) ?? (durable === undefined ? fromFormat1(value) : asIs(value));
}

/** @param value one line of a conversation's journal whose checksum held. */
export function upgradedChatLine(value: object): Upgraded {
  const { format } = value as Envelope;
  return tooNew(format) ?? asIs(withReply(value));
}

/** That a message was replied to was called answered before runs had that ending. */
function withReply(value: object): object {
  const { type, ending } = value as Envelope;
  return type === 'message_ended' && ending === 'answered'
    ? { ...value, ending: 'replied' }
    : value;
}
