/** What an answer means if the engine leads: code outside JSON, passages, functions. */

import { goalParts } from '../../decompose/brief/goal-parts.ts';
import { jsonMode } from '../../llm/tool-modes/json.ts';
import { isWholeWrite } from '../../schema/capability.ts';
import type { ToolCall } from '../../schema/model/messages.ts';
import type { ModelQuestion } from '../../schema/model/question.ts';
import type { Decoded } from '../../schema/records.ts';
import { toolNamed } from '../../tools/toolset.ts';
import type { FinishedReply, ReadingView } from '../driver.ts';
import { decodedBy } from '../reading.ts';
import { withRestOfFile } from './functions-edit.ts';
import { asPassage } from './passage-edit.ts';
import { readTry } from './plain-try.ts';

export function decode(question: ModelQuestion, reply: FinishedReply, view: ReadingView): Decoded {
  if (question.kind === 'try') return readTry(reply, view);
  const decoded = decodedBy(jsonMode, question, reply, view);
  if (decoded.kind !== 'calls') return decoded;
  switch (question.kind) {
    case 'content':
      return content(decoded, view);
    case 'action':
      return action(decoded, view);
    case 'brief':
    case 'plan':
      return decoded;
  }
}

type Calls = Extract<Decoded, { kind: 'calls' }>;

/** The content of an answer, which may be only some lines of the file, or some functions; the rest stays. */
function content(decoded: Calls, view: ReadingView): Decoded {
  const [write] = decoded.calls;
  const passage = write ? asPassage(write, view) : null;
  return passage ?? { ...decoded, calls: decoded.calls.map((call) => withRestOfFile(call, view)) };
}

/** A write names only its file: the content is requested in a turn of its own. */
function action(decoded: Calls, view: ReadingView): Decoded {
  if (saysNothing(decoded.calls, view)) return { kind: 'invalid', error: NOTHING_SAID };
  const path = fileToAskFor(decoded.calls, view);
  return path === null ? decoded : { kind: 'file', path };
}

const NOTHING_SAID = 'Put into "answer" what you saw: names, texts, figures.';

/**
 * True for an answer without a letter or a figure, or with only a part of the goal: it is asked for once
 * more.
 */
function saysNothing([first]: readonly ToolCall[], { state: { goal, active } }: ReadingView) {
  const answer = first?.args.answer;
  return (
    (active?.invalidReplies ?? 0) === 0 &&
    typeof answer === 'string' &&
    (!/[\p{L}\p{N}]/u.test(answer) || goalParts(goal).includes(answer.trim()))
  );
}

function fileToAskFor([first]: readonly ToolCall[], { tools }: ReadingView): string | null {
  if (!first || 'content' in first.args) return null;
  if (!isWholeWrite(toolNamed(tools, first.name) ?? {})) return null;
  const { path } = first.args;
  return typeof path === 'string' ? path : '';
}
