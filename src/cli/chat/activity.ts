/** Pure: what happens in a conversation, a line each, for stderr. */
import type { SessionEvent } from '../../schema/chat-events.ts';
import type { ChatState } from '../../schema/chat-state.ts';
import type { ToolCall } from '../../schema/messages.ts';
import type { Usage } from '../../schema/turn.ts';
import { saidCall, saidTool } from '../../tools/said-call.ts';
import type { Glyphs, Tone } from '../render/style.ts';
import { count, duration, oneLine } from '../render/text.ts';
import { triedText, whyNot } from '../render/tried.ts';
import { costText, tokensText } from '../render/usage.ts';

export interface ActivityLine {
  readonly text: string;
  readonly tone: Tone;
}

/** What is told of an event in a line of its own. */
export function activityLines(event: SessionEvent, glyphs: Glyphs): readonly ActivityLine[] {
  switch (event.type) {
    case 'record':
      return recordLines(event.record, glyphs);
    case 'turn_retry':
      return [
        {
          text: `Asking again in ${duration(event.waitMs)}: ${oneLine(event.why)}`,
          tone: 'warning',
        },
      ];
    case 'model_switched':
      return [
        {
          text: `Going on with ${event.to.provider} ${event.to.model}: ${oneLine(event.why)}`,
          tone: 'warning',
        },
      ];
    case 'notice':
      return [{ text: oneLine(event.text), tone: event.level === 'warning' ? 'warning' : 'dim' }];
    default:
      return [];
  }
}

/** For who looks into the engine. */
export const recordText = ({ seq, type }: Recorded): string => `  [${seq}] ${type}`;

type Recorded = Extract<SessionEvent, { type: 'record' }>['record'];

function recordLines(record: Recorded, glyphs: Glyphs): readonly ActivityLine[] {
  switch (record.type) {
    case 'action_finished':
      return [finishedLine(record, glyphs)];
    case 'files_changed': {
      const names = record.files.map(({ path }) => oneLine(path));
      if (record.by !== 'command' || names.length === 0) return [];
      const shown = names.slice(0, 3).join(', ');
      const more = names.length > 3 ? ` and ${names.length - 3} more` : '';
      return [{ text: `  changed by it: ${shown}${more}`, tone: 'dim' }];
    }
    case 'message_ended':
      return record.ending === 'replied' || record.detail === ''
        ? []
        : [
            {
              text: [record.detail, record.hint]
                .filter(Boolean)
                .map((one) => oneLine(String(one)))
                .join(' '),
              tone: 'warning',
            },
          ];
    default:
      return [];
  }
}

function finishedLine(
  record: Extract<Recorded, { type: 'action_finished' }>,
  glyphs: Glyphs,
): ActivityLine {
  const { status, facts } = record;
  const isGood = status === 'ok' && (facts.exitCode ?? 0) === 0;
  const what = triedText(record);
  const took =
    facts.durationMs !== undefined && facts.durationMs >= 1000 ? duration(facts.durationMs) : '';
  const why = isGood ? took : whyNot(record);
  const mark = isGood ? glyphs.ok : glyphs.failed;
  const text = [`${mark} ${what}`, why].filter(Boolean).join(` ${glyphs.dot} `);
  return { text, tone: isGood ? 'dim' : 'warning' };
}

/** What is going on, for the line that is drawn again and again. */
export function activityOf(event: SessionEvent): string | null {
  switch (event.type) {
    case 'turn_started':
      return event.purpose === 'summary' ? 'summarising the conversation' : 'waiting for the model';
    case 'thinking':
      return 'thinking';
    case 'text':
      return 'writing';
    case 'tool_call_started':
      return `calling ${oneLine(saidTool(event.name))}`;
    case 'action_started':
      return callText(event.call);
    default:
      return null;
  }
}

/** The call with what it is about: the first text among its arguments. */
export function callText({ name, args }: ToolCall): string {
  const about = Object.values(args).find((value) => typeof value === 'string') ?? '';
  const target = String(about).slice(0, 200);
  return oneLine(
    saidTool(name) === name ? saidCall({ tool: name, target }) : `${saidTool(name)} ${target}`,
  );
}

/** `1,234 tokens in, 56 out · context 12 % · $0.0031 · 3.2 s`. */
export function usageText(
  usage: Usage,
  state: ChatState,
  contextTokens: number,
  elapsedMs: number,
  glyphs: Glyphs,
): string {
  const window = state.settings?.numCtx ?? 0;
  const share = window === 0 ? '' : `context ${count((100 * contextTokens) / window)} %`;
  const parts = [tokensText(usage), share, costText(state.usage), duration(elapsedMs)];
  return parts.filter(Boolean).join(` ${glyphs.dot} `);
}
