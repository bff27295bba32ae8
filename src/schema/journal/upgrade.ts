/**
 * Lines of earlier formats, read as if this build had written them. An upgrade maps one stored line to
 * one record at the same place and is pure; the fold, not the upgrade, carries meaning that changed.
 * 1. A line of format 3 or later carries its format.
 * 2. A line without one belongs to a run of format 1 (no durable mark) or 2, or to a conversation of
 *    its format 1. Only the kind of the journal tells a run's line from a conversation's.
 */
import { defined } from '../../lib/defined.ts';
import { FORMAT_VERSION } from '../records.ts';
import { fromFormat1, type Upgraded } from './format-1.ts';

interface Envelope {
  readonly type?: unknown;
  readonly format?: unknown;
  readonly durable?: unknown;
}

const asIs = (value: object): Upgraded => ({ ok: true, value });

const tooNew = (format: unknown): Upgraded | null =>
  typeof format === 'number' && format > FORMAT_VERSION
    ? { ok: false, why: `it is of format ${format}, and this build reads up to ${FORMAT_VERSION}` }
    : null;

/** @param value one line of a run's journal whose checksum held. */
export function upgradedRunLine(value: object): Upgraded {
  const { format, durable } = value as Envelope;
  const line = value as Line;
  return (
    tooNew(format) ?? (durable === undefined ? fromFormat1(renamed(line)) : asIs(renamed(line)))
  );
}

/**
 * @param value one line of a conversation's journal whose checksum held. Until format 3 conversations had
 * records of their own. What a MAC covers stays the same.
 */
export function upgradedChatLine(value: object): Upgraded {
  const { format } = value as Envelope;
  return tooNew(format) ?? asIs(ofConversation(renamed(value as Line)));
}

type Line = { readonly [field: string]: unknown };

/** Renames values that an earlier build, of any format, called differently. */
function renamed(line: Line): Line {
  switch (line.type) {
    case 'weighed': {
      const { isKnown, ...rest } = line;
      return { ...rest, type: 'verdict_given', ...defined({ isProved: isKnown }) };
    }
    case 'sandbox_looked': {
      const { wish, ...rest } = line;
      return { ...rest, ...defined({ mode: rest.mode ?? wish }) };
    }
    default:
      return line;
  }
}

function ofConversation(line: Line): Line {
  switch (line.type) {
    case 'session_opened': {
      const { session, name, before, ...rest } = line;
      const named = { run: session, goal: name ?? '', goalHash: CONVERSATION };
      return { ...rest, type: 'run_opened', ...named, conversation: defined({ name, before }) };
    }
    case 'session_resumed':
      return { ...line, type: 'run_resumed', limits: {} };
    case 'session_settings': {
      const { callsTools, answersHeld, ...rest } = line;
      const calling = callsTools === true ? 'wire' : answersHeld === true ? 'held' : 'text';
      const driver = { driver: 'chat', calling, mayChangeDriver: false };
      return { ...rest, type: 'settings_changed', ...driver };
    }
    case 'told': {
      const cause = line.asksFor === undefined ? 'aside' : 'content_question';
      return { ...line, type: 'message_added', role: 'user', cause };
    }
    case 'shortened': {
      const cut = Array.isArray(line.cut) ? line.cut : [];
      const span = { fromSeq: cut.at(0)?.seq ?? 0, toSeq: cut.at(-1)?.seq ?? 0 };
      return { ...line, type: 'compacted', ...span, text: '' };
    }
    case 'turn_finished':
      return { round: 0, ...line };
    case 'message_ended':
      // `replied` was called `answered` until runs got an ending of that name.
      return line.ending === 'answered' ? { ...line, ending: 'replied' } : line;
    default:
      return line;
  }
}

/** Stands for a goal's hash in a conversation's MAC, so that neither MAC can pass for the other. */
export const CONVERSATION = 'session';
