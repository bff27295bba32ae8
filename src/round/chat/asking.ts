/**
 * What a turn asks for, and how its answer is read. A model held to a schema says something or names one call.
 * It gives the content of a file in a separate turn, as one code block, because small models break code inside
 * JSON.
 */

import { asPlainText, mergedMessages } from '../../drivers/chat/messages.ts';
import { isFinalTurn } from '../../drivers/chat/next.ts';
import {
  choiceSchema,
  readChoice,
  type WordsOrCall,
  wordsBeforeCut,
} from '../../llm/tool-modes/choice.ts';
import { jsonMode } from '../../llm/tool-modes/json.ts';
import { nativeMode } from '../../llm/tool-modes/native.ts';
import { outputTokens, roomyOutputTokens } from '../../llm/tool-modes/tool-mode.ts';
import type { ToolCall } from '../../schema/model/messages.ts';
import type { ModelQuestion } from '../../schema/model/question.ts';
import type { ModelRequest, ToolDefinition, TurnResult } from '../../schema/model/turn.ts';
import type { Decoded } from '../../schema/records.ts';
import { normalisedCall, withNormalisedCalls } from '../../tools/calls/normalise-call.ts';
import { toolNamed } from '../../tools/toolset.ts';
import type { Read } from '../ask.ts';
import { decodeContext } from '../model/decode-context.ts';
import type { ConversationPorts } from './conversation.ts';
import { isGuessed, whyNotAnew } from './file-wanted.ts';
import { withImages } from './images.ts';

/** The tools that may be called. */
export type Open = 'all' | 'nothing';

export type RequestKind =
  /** Native tool calls, or calls written as text. */
  | { readonly kind: 'open'; readonly callsTools: boolean }
  | { readonly kind: 'choice'; readonly open: Open }
  | { readonly kind: 'content'; readonly file: string };

/** After this many calls that the loop guard blocked, only text is accepted. */
const MAX_BLOCKED = 2;

/** Depends only on state and journal, so a crash does not change it. */
export function requestKindOf({ context }: Pick<ConversationPorts, 'context'>): RequestKind {
  const { settings } = context.state;
  const { open, fileWanted } = context.state.chat;
  if (settings?.calling !== 'held')
    return { kind: 'open', callsTools: settings?.calling !== 'text' };
  const isLast = isFinalTurn(context.state);
  if (fileWanted?.isAsked && !isLast) return { kind: 'content', file: fileWanted.path };
  if (isLast || (open?.blocked ?? 0) >= MAX_BLOCKED) return { kind: 'choice', open: 'nothing' };
  return { kind: 'choice', open: 'all' };
}

/** The open tools, whatever the person said: changing a file of the user's asks for consent anyway. */
const openTools = (live: ConversationPorts, open: Open): readonly ToolDefinition[] =>
  open === 'nothing' ? [] : live.definitions;

const QUESTION: ModelQuestion = { kind: 'action', open: [] };

/** The parts of a request that depend on its kind. @param system its first message, or none */
export function requestParts(
  live: ConversationPorts,
  asking: RequestKind,
  system: ModelRequest['messages'],
): Pick<ModelRequest, 'messages' | 'tools' | 'responseSchema' | 'maxOutputTokens'> {
  const { context } = live;
  const window = context.state.settings?.numCtx ?? 0;
  if (asking.kind !== 'open')
    return {
      messages: [...system, ...withImages(mergedMessages(live.spoken.constrained()), live)],
      ...(asking.kind === 'choice'
        ? { responseSchema: choiceSchema(openTools(live, asking.open)) }
        : {}),
      maxOutputTokens: outputTokens(QUESTION, window),
    };
  const messages = [...system, ...context.messagesOf(context.state.conversation)];
  if (!asking.callsTools)
    return {
      messages: withImages(asPlainText(messages), live),
      maxOutputTokens: outputTokens(QUESTION, window),
    };
  return {
    messages: withImages(messages, live),
    ...(isFinalTurn(context.state) ? {} : { tools: live.definitions }),
    maxOutputTokens: roomyOutputTokens(QUESTION, window),
  };
}

const TEXT: Decoded = { kind: 'text' };

export function readModelsAnswer(
  asking: RequestKind,
  { status: { kind }, message }: TurnResult,
  live: ConversationPorts,
  callId: string,
): Read {
  const isHeld = asking.kind !== 'open';
  if (kind !== 'success' && kind !== 'truncated') return { decoded: TEXT };
  if (kind === 'truncated' && isHeld)
    return {
      decoded: TEXT,
      words: asking.kind === 'choice' ? wordsBeforeCut(message.content) : '',
    };
  const context = decodeContext(callId, live.definitions, live);
  if (asking.kind === 'content')
    return {
      decoded: withNormalisedCalls(jsonMode.decode(asking, message, context), live.tools),
      words: '',
    };
  if (asking.kind === 'choice') {
    const choice = readChoice(message.content, live.definitions);
    if (choice.kind !== 'other') return chosen(choice, live, callId);
  }
  const { decode: whole, decodeCut } = nativeMode;
  const decoded = (kind === 'success' ? whole : decodeCut)(QUESTION, message, context);
  return { decoded: withNormalisedCalls(decoded, live.tools) };
}

function chosen(
  choice: Exclude<WordsOrCall, { kind: 'other' }>,
  live: ConversationPorts,
  id: string,
): Read {
  switch (choice.kind) {
    case 'says':
      return { decoded: TEXT, words: choice.words };
    case 'invalid':
      return { decoded: choice, words: '' };
    case 'calls':
      return { decoded: calledIn(choice, live, id), words: '' };
  }
}

/** Of a write, only the file is named. */
function calledIn(
  { name, args }: Extract<WordsOrCall, { kind: 'calls' }>,
  live: ConversationPorts,
  id: string,
): Decoded {
  const { tools } = live;
  const tool = toolNamed(tools, name);
  const named = Object.entries(args).map(([asked, value]) => [
    tool?.constrained?.args[asked] ?? asked,
    value,
  ]);
  const call = normalisedCall({ id, name, args: Object.fromEntries(named) }, tools);
  if (tool?.does === 'writes_whole_files' && !('content' in call.args)) return fileIn(call, live);
  if (tool?.does === 'edits_files' && isGuessed(call, live)) return fileIn(call, live);
  return { kind: 'calls', calls: [call], recovered: false };
}

function fileIn({ name, args: { path } }: ToolCall, live: ConversationPorts): Decoded {
  if (typeof path !== 'string' || path === '')
    return { kind: 'invalid', error: `${name} needs the name of its file.` };
  const fault = whyNotAnew(path, live);
  return fault === null ? { kind: 'file', path } : { kind: 'invalid', error: fault };
}
