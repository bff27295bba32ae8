/** Makes a conversation fit its window again. */

import { SUMMARY_SYSTEM, summaryRequest } from '../../drivers/chat/prompt.ts';
import { cutResult, type Shortening, tokensUsed } from '../../drivers/chat/shorten.ts';
import { transcriptText } from '../../drivers/chat/transcript.ts';
import { settingsOf } from '../../steps/select.ts';
import { tellShortened } from '../compact.ts';
import { attemptTurn, requestBase } from './ask.ts';
import type { Talk } from './talk.ts';

/** Tokens of a summary. */
const SUMMARY_TOKENS = 1_024;
const CHARS_PER_TOKEN = 3.2;
/** Of the window, for what is to be summarised. */
const SHARE = 0.6;

export async function shorten(live: Talk, how: Shortening): Promise<void> {
  tellShortened(live, tokensUsed(live.context.state));
  if (how.kind === 'summarize') await summarize(live, how);
  else cut(live, how);
}

async function summarize(
  live: Talk,
  { refs }: Extract<Shortening, { kind: 'summarize' }>,
): Promise<void> {
  const { context } = live;
  const [first, last] = [refs.at(0), refs.at(-1)];
  if (!first || !last) return;
  const { numCtx } = settingsOf(context.state);
  const room = Math.floor(numCtx * SHARE * CHARS_PER_TOKEN);
  const text = transcriptText(context.messagesOf(refs), room);
  const build = () => ({
    ...requestBase(live, [
      { role: 'system', content: SUMMARY_SYSTEM },
      { role: 'user', content: summaryRequest(text) },
    ]),
    maxOutputTokens: Math.min(SUMMARY_TOKENS, Math.floor(numCtx / 4)),
  });
  await attemptTurn(live, 'summary', build, { fromSeq: first.seq, toSeq: last.seq });
}

function cut({ context }: Talk, { seqs, maxChars }: Extract<Shortening, { kind: 'cut' }>): void {
  const refs = context.state.conversation.filter(({ seq }) => seqs.includes(seq));
  const shorter = refs.map((ref) => {
    const { content } = context.messageAt(ref.seq);
    return { seq: ref.seq, text: cutResult(content, maxChars) };
  });
  context.cutMessages(shorter);
}
