// A script as data: turns matched by what a request says, for servers that run on their own.
import { z } from 'zod';
import type { FakeModel } from './fake-ollama.ts';
import type { Reply } from './fake-ollama-replies.ts';
import type { ChatRequest } from './fake-ollama-validation.ts';

const Texts = z.union([z.string(), z.array(z.string())]);

/** Every condition that is given must hold; texts are parts of a message, all of them in it. */
const When = z.strictObject({
  /** In the newest message. */
  last: Texts.optional(),
  /** In the newest message of the user. */
  user: Texts.optional(),
  /** Somewhere in the whole conversation. */
  any: Texts.optional(),
  /** Nowhere in the newest message. */
  notLast: Texts.optional(),
  /** Nowhere in the conversation. */
  not: Texts.optional(),
  lastRole: z.enum(['system', 'user', 'assistant', 'tool']).optional(),
  tools: z.boolean().optional(),
  /** True or false: with or without `format`; text: parts of the format as JSON. */
  format: z.union([z.boolean(), Texts]).optional(),
});

const FakeReply = z.strictObject({
  content: z.string().optional(),
  thinking: z.string().optional(),
  toolCalls: z
    .array(
      z.strictObject({
        name: z.string(),
        arguments: z.unknown(),
        id: z.string().nullable().optional(),
        withoutIndex: z.boolean().optional(),
      }),
    )
    .optional(),
  callsIn: z.enum(['middle', 'final']).optional(),
  callsWithContent: z.boolean().optional(),
  doneReason: z.string().optional(),
  noDone: z.boolean().optional(),
  noMetrics: z.boolean().optional(),
  promptTokens: z.number().optional(),
  outputTokens: z.number().optional(),
  pieceLength: z.number().optional(),
  error: z
    .strictObject({
      status: z.number(),
      body: z.string(),
      headers: z.record(z.string(), z.string()).optional(),
    })
    .optional(),
  errorLine: z.string().optional(),
  recorded: z.string().optional(),
  raw: z.string().optional(),
  delayHeadersMs: z.number().optional(),
  chunkDelayMs: z.number().optional(),
  cut: z.enum(['before headers', 'after content']).optional(),
});

export const FakeScript = z.strictObject({
  models: z
    .array(
      z.strictObject({
        name: z.string(),
        capabilities: z.array(z.string()).optional(),
        contextLength: z.number().optional(),
        parameterSize: z.string().optional(),
        family: z.string().optional(),
        digest: z.string().optional(),
      }),
    )
    .optional(),
  enforceWindow: z.boolean().optional(),
  loadedWindow: z.number().optional(),
  /** The first turn whose conditions hold answers; `times` is how often it may, without end if left out. */
  turns: z.array(
    z.strictObject({
      name: z.string().optional(),
      when: When.optional(),
      times: z.number().optional(),
      reply: FakeReply,
    }),
  ),
});
export type FakeScript = z.input<typeof FakeScript>;
export type ScriptedTurn = FakeScript['turns'][number];

export const modelsOf = (script: z.infer<typeof FakeScript>): readonly FakeModel[] | undefined =>
  script.models as readonly FakeModel[] | undefined;

/** Answers from the turns; `used` is told which one answered, -1 for none. */
export function scriptedReplies(
  turns: readonly ScriptedTurn[],
  used: (turn: number, n: number) => void = () => undefined,
): (request: ChatRequest, n: number) => Reply {
  const served = turns.map(() => 0);
  return (request, n) => {
    const index = turns.findIndex(
      (turn, at) =>
        (served[at] ?? 0) < (turn.times ?? Number.POSITIVE_INFINITY) && holds(turn, request),
    );
    used(index, n);
    const turn = turns[index];
    if (!turn) {
      const last = request.messages.at(-1)?.content.slice(0, 200);
      const text = `fake-ollama: no scripted turn matches request ${n}, which ends in: ${last}`;
      return { error: { status: 400, body: JSON.stringify({ error: text }) } };
    }
    served[index] = (served[index] ?? 0) + 1;
    return turn.reply as Reply;
  };
}

const listOf = (texts: string | readonly string[] | undefined): readonly string[] =>
  texts === undefined ? [] : typeof texts === 'string' ? [texts] : texts;

function holds({ when = {} }: ScriptedTurn, request: ChatRequest): boolean {
  const last = request.messages.at(-1);
  const user = request.messages.findLast((message) => message.role === 'user')?.content ?? '';
  const all = request.messages.map((message) => message.content).join('\n');
  const format = JSON.stringify(request.format ?? null);
  const formatHolds =
    when.format === undefined ||
    (typeof when.format === 'boolean'
      ? when.format === (request.format !== undefined)
      : listOf(when.format).every((text) => format.includes(text)));
  return (
    formatHolds &&
    listOf(when.last).every((text) => last?.content.includes(text)) &&
    listOf(when.user).every((text) => user.includes(text)) &&
    listOf(when.any).every((text) => all.includes(text)) &&
    !listOf(when.notLast).some((text) => last?.content.includes(text)) &&
    !listOf(when.not).some((text) => all.includes(text)) &&
    (when.lastRole === undefined || when.lastRole === last?.role) &&
    (when.tools === undefined || when.tools === Boolean(request.tools?.length))
  );
}
