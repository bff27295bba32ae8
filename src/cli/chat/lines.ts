/** Pure: the events of a conversation, one line each, for stderr. */
import { firstOf } from '../../lib/text/shortened.ts';
import { visible } from '../../lib/text/visible.ts';
import { candidateText } from '../../llm/failover/candidate.ts';
import type { FileChange } from '../../schema/actions.ts';
import type { SessionEvent } from '../../schema/events/events.ts';
import type { Usage } from '../../schema/model/turn.ts';
import { tokensIn } from '../../schema/model/usage.ts';
import type { ConversationState } from '../../schema/state.ts';
import { costText, tokensText } from '../../shown/costs.ts';
import { lineCountText, testsText } from '../render/records/notes.ts';
import { triedText, whyNot } from '../render/records/tried.ts';
import { debugLine, renderedLine, type ShownLine } from '../render/text/line.ts';
import type { Glyphs } from '../render/text/style.ts';
import { count, duration, oneLine } from '../render/text/text.ts';

/** The lines that an event leaves. @param files changed by the call that ended with it */
export function eventLines(
  event: SessionEvent,
  glyphs: Glyphs,
  files: readonly FileChange[] = [],
): readonly ShownLine[] {
  switch (event.type) {
    case 'record': {
      const { seq, type } = event.record;
      return [...recordLines(event.record, glyphs, files), debugLine(`  [${seq}] ${type}`)];
    }
    case 'turn_retry':
      return [
        renderedLine(`Asking again in ${duration(event.waitMs)}: ${oneLine(event.why)}`, 'warning'),
      ];
    case 'model_switched':
      return [
        renderedLine(
          `Continuing with ${oneLine(`${candidateText(event.to)}: ${event.why}`)}`,
          'warning',
        ),
      ];
    case 'notice':
      return [renderedLine(oneLine(event.text), event.level === 'warning' ? 'warning' : 'dim')];
    default:
      return [];
  }
}

type Recorded = Extract<SessionEvent, { type: 'record' }>['record'];

function recordLines(
  record: Recorded,
  glyphs: Glyphs,
  files: readonly FileChange[],
): readonly ShownLine[] {
  switch (record.type) {
    case 'action_finished':
      return [finishedLine(record, glyphs, files)];
    case 'files_changed': {
      const names = record.files.map(({ path }) => visible(path));
      if (record.by !== 'command' || names.length === 0) return [];
      return [renderedLine(`  changed by it: ${firstOf(names, 3)}`, 'dim')];
    }
    case 'message_ended': {
      const words = [record.detail, record.hint ?? ''].filter(Boolean).map(oneLine).join(' ');
      return record.ending === 'replied' || record.detail === ''
        ? []
        : [renderedLine(words, 'warning')];
    }
    default:
      return [];
  }
}

function finishedLine(
  record: Extract<Recorded, { type: 'action_finished' }>,
  glyphs: Glyphs,
  files: readonly FileChange[],
): ShownLine {
  const { status, facts } = record;
  const isGood = status === 'ok' && (facts.exitCode ?? 0) === 0;
  const what = triedText(record);
  const took =
    facts.durationMs !== undefined && facts.durationMs >= 1000 ? duration(facts.durationMs) : '';
  const why = isGood ? [testsText(facts.tests), took] : [whyNot(record)];
  const mark = isGood ? glyphs.ok : glyphs.failed;
  const lines = files.flatMap((file) => file.lines ?? []);
  const counts = lines.map((of) => lineCountText(of, glyphs));
  const text = [`${mark} ${what}`, ...counts, ...why].filter(Boolean).join(` ${glyphs.dot} `);
  return renderedLine(text, isGood ? 'dim' : 'warning');
}

/**
 * `1,234 tokens in, 56 out · context 12 % · session $0.0031 · 3.2 s`; the price covers the whole session. What a stopped
 * answer took nobody reports, so it is not shown as zero.
 */
export function usageText(
  usage: Usage,
  state: ConversationState,
  contextTokens: number,
  elapsedMs: number,
  glyphs: Glyphs,
): string {
  const window = state.settings?.numCtx ?? 0;
  const share = window === 0 ? '' : `context ${count((100 * contextTokens) / window)} %`;
  const cost = costText(state.usage);
  const ofAll = cost === '' ? '' : `session ${cost}`;
  const tokens = tokensIn(usage) === 0 ? '' : tokensText(usage);
  const parts = [tokens, share, ofAll, duration(elapsedMs)];
  return parts.filter(Boolean).join(` ${glyphs.dot} `);
}

/** Text that was typed but not sent; '' for a blank line. */
export const notSent = (text: string): string =>
  text.trim() === '' ? '' : `Not sent: ${text.split('\n').map(oneLine).join('\n')}\n`;
