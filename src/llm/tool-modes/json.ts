/**
 * `json`: no tools on the wire. Each turn has one action constrained by a schema, and the content of a file follows as
 * one code block in a turn of its own. Ollama sorts keys alphabetically, so the deciding key sorts first: action <
 * answer < because < cmd, file < instead_of < reason < stdin < success < write.
 */
import { isRecord, jsonIn } from '../../lib/json-value.ts';
import { own } from '../../lib/own.ts';
import type { Capability, ToolNames } from '../../schema/actions.ts';
import type { Message } from '../../schema/model/messages.ts';
import type { ModelQuestion, OpenAction } from '../../schema/model/question.ts';
import type { JsonSchema, ToolDefinition } from '../../schema/model/turn.ts';
import type { Decoded } from '../../schema/records.ts';
import { isTooDeep } from '../wire/nesting.ts';
import { readCodeBlock } from './code-block.ts';
import { type DecodeContext, outputTokens, type ToolModeCodec } from './tool-mode.ts';

const MAX_LENGTH: { readonly [argument: string]: number } = {
  because: 120,
  cmd: 120,
  file: 80,
  path: 80,
  reason: 160,
  stdin: 160,
  line: 60,
  instead_of: 240,
  write: 480,
  answer: 1200,
  answer_line: 240,
};
const MAX_KEY = 60;

export const jsonMode: ToolModeCodec = {
  encode(question, { tools, names, planSchema, briefSchema, contextWindow }) {
    const maxOutputTokens = outputTokens(question, contextWindow);
    switch (question.kind) {
      case 'brief':
        return { responseSchema: briefSchema(), maxOutputTokens };
      case 'plan':
        return { responseSchema: planSchema, maxOutputTokens };
      case 'try':
      case 'content':
        return { maxOutputTokens };
      case 'action':
        return { responseSchema: actionSchema(question.open, tools, names), maxOutputTokens: 512 };
    }
  },

  decode(question, reply, context) {
    switch (question.kind) {
      case 'brief':
      case 'plan':
      case 'try':
        return { kind: 'text' };
      case 'content':
        return decodeContent(reply.content, question.file, context);
      case 'action':
        return decodeAction(reply.content, question, context);
    }
  },

  // One action per answer: if it was cut, nothing is left.
  decodeCut: () => ({ kind: 'text' }),

  conversation: (messages) => messages.map(withoutToolCalls),
};

/** The names on the wire, whose order lets a model say what is wrong before what is right. */
const WIRE_NAMES: { readonly [argument: string]: string } = {
  path: 'file',
  old_text: 'instead_of',
  new_text: 'write',
};

const ARGUMENTS = new Map(Object.entries(WIRE_NAMES).map(([name, wire]) => [wire, name]));

const wireName = (does: Capability, argument: string): string =>
  does === 'lists_folders' ? argument : (WIRE_NAMES[argument] ?? argument);

export function actionSchema(
  open: readonly OpenAction[],
  tools: readonly ToolDefinition[],
  names: ToolNames,
): JsonSchema {
  const schemas = open.flatMap((action) => {
    const tool = tools.find((candidate) => candidate.name === names[action.does]);
    return tool ? [oneAction(action, tool)] : [];
  });
  const [only] = schemas;
  return schemas.length === 1 && only ? only : { anyOf: schemas };
}

function oneAction(action: OpenAction, tool: ToolDefinition): JsonSchema {
  const declared = tool.parameters.properties as { readonly [name: string]: JsonSchema };
  const { does, only } = action;
  const args = Object.keys(declared).filter((name) => only?.includes(name) ?? true);
  const properties: Record<string, unknown> = { action: { const: tool.name } };
  if (does !== 'ends_subtasks') properties.because = bounded('because');
  for (const name of args) {
    const fixed = action.fixed?.[name];
    const choices = action.choices?.[name];
    const lines = action.lines?.[name];
    properties[wireName(does, name)] =
      fixed !== undefined
        ? { const: fixed }
        : choices
          ? { enum: choices }
          : lines
            ? lineSchema(lines, name)
            : argumentSchema(wireName(does, name), declared[name]);
  }
  return closedObject(properties);
}

function closedObject(properties: Readonly<Record<string, unknown>>): JsonSchema {
  const names = Object.keys(properties).sort();
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, properties[name]])),
    required: names,
    additionalProperties: false,
  };
}

/**
 * One key per line, so that a model answers the question beside it; asked for a single text, small models repeat the
 * questions or forget a line.
 */
const lineSchema = (lines: readonly string[], argument: string): JsonSchema => {
  const one = bounded(argument === 'answer' ? 'answer_line' : 'line');
  return closedObject(Object.fromEntries(lineKeys(lines).map((key) => [key, one])));
};

/** Numbered, since keys come in alphabetical order; made of letters that every API accepts in a key. */
const lineKeys = (lines: readonly string[]): readonly string[] =>
  lines.map((line, index) =>
    `${index + 1}_${line.replace(/[^A-Za-z0-9]+/g, '_')}`.slice(0, MAX_KEY).replace(/_+$/, ''),
  );

/** The lines of an answer, by their keys or else in their order; a text is taken as it is. */
function joinLines(value: unknown, lines: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const answers = value as Readonly<Record<string, unknown>>;
  const keyed = lineKeys(lines).map((key) => answers[key]);
  const answered = keyed.some((line) => line !== undefined) ? keyed : Object.values(answers);
  return answered.map((line) => onOneLine(textOf(line))).join('\n');
}

const onOneLine = (text: string): string =>
  text.replaceAll(/\s+/g, (space) => (space.includes('\n') ? ' ' : space));

/** Lines without an answer, or whose answer only repeats them. */
const linesWithout = (
  args: { readonly [name: string]: unknown },
  { lines = {} }: OpenAction,
): readonly string[] =>
  Object.entries(lines).flatMap(([name, asked]) => {
    const answers = textOf(args[name]).split('\n');
    return asked.filter((line, at) => ['', line].includes((answers[at] ?? '').trim()));
  });

const bounded = (name: string): JsonSchema => ({
  type: 'string',
  maxLength: MAX_LENGTH[name] ?? 400,
});

const argumentSchema = (name: string, declared: JsonSchema | undefined): JsonSchema =>
  declared?.type === 'string' ? bounded(name) : { type: declared?.type ?? 'string' };

function decodeContent(content: string, file: string, context: DecodeContext): Decoded {
  const block = readCodeBlock(content, file);
  const code = block.kind === 'code' ? block.code : content;
  if (isAction(code, context)) return { kind: 'invalid', error: NOT_AN_ACTION };
  if (block.kind === 'none') return { kind: 'invalid', error: block.error };
  const target = context.target(file);
  if (target.isFilled && target.isForeign?.(block.label))
    return { kind: 'invalid', error: `${file} is no program. Answer with what is to stand in it.` };
  const { callId: id, names } = context;
  const call = { id, name: names.writes_whole_files, args: { path: file, content: code } };
  return { kind: 'calls', calls: [call], recovered: false };
}

const NOT_AN_ACTION = 'Answer with the content of the file in a code block, not with an action.';

/** True if the code is an action: some models keep answering with actions. */
function isAction(code: string, { names }: DecodeContext): boolean {
  const action = parseObject(code)?.action;
  return Object.values(names).some((name) => name === action);
}

function decodeAction(
  content: string,
  question: Extract<ModelQuestion, { kind: 'action' }>,
  context: DecodeContext,
): Decoded {
  const answer = parseObject(content);
  if (!answer) return { kind: 'invalid', error: 'Answer with one JSON object and nothing else.' };
  const name = textOf(answer.action);
  const open = question.open.find(({ does }) => context.names[does] === name);
  if (!open) {
    const names = question.open.map(({ does }) => context.names[does]).join(', ');
    const said = `"${shortened(name)}" is not open now.`;
    return { kind: 'invalid', error: `${said} Choose one of: ${names}.` };
  }
  // Built without assignment, because `__proto__` may be a name like any other.
  const args: { readonly [name: string]: unknown } = Object.fromEntries(
    Object.entries(answer)
      .filter(([key, value]) => !isAside(key, value))
      .map(([key, value]) => {
        const lines = own(open.lines ?? {}, key);
        return [ARGUMENTS.get(key) ?? key, lines ? joinLines(value, lines) : value];
      }),
  );
  if (open.does === 'writes_whole_files' && !args.path)
    return { kind: 'invalid', error: `${name} needs the name of its file.` };
  const [missing] = open.needsEachLine ? linesWithout(args, open) : [];
  if (missing !== undefined)
    return { kind: 'invalid', error: `Your answer says nothing to this part: ${missing}` };
  const calls = [{ id: context.callId, name, args: { ...args, ...open.fixed } }];
  return { kind: 'calls', calls, recovered: false };
}

/** Keys that are no arguments. */
const isAside = (key: string, value: unknown): boolean =>
  key === 'action' || key === 'because' || (key === 'stdin' && value === '');

/** Strings, numbers and booleans as text; any other value as ''. */
const textOf = (value: unknown): string =>
  typeof value === 'object' || value === undefined ? '' : String(value);

const MAX_SHOWN = 60;
const shortened = (text: string): string =>
  text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`;

export function parseObject(content: string): Record<string, unknown> | null {
  const text = content.trim().replace(/^```\w*\n?|\n?```$/g, '');
  const value = jsonIn(text);
  return isRecord(value) && !isTooDeep(value) ? value : null;
}

/** Calls and results of a conversation that began in native mode, as plain text. */
function withoutToolCalls(message: Message): Message {
  if (message.role === 'tool') return { role: 'user', content: message.content };
  if (message.role !== 'assistant' || !message.toolCalls) return message;
  const calls = message.toolCalls.map((call) =>
    JSON.stringify({ action: call.name, ...call.args }),
  );
  return { role: 'assistant', content: [message.content, ...calls].filter(Boolean).join('\n') };
}
