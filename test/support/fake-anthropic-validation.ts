// What the Messages API refuses, with its sentences.
import type { IncomingHttpHeaders } from 'node:http';

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: unknown;
  readonly tool_use_id?: string;
  readonly content?: unknown;
  readonly signature?: string;
  readonly thinking?: string;
  readonly cache_control?: unknown;
  readonly [field: string]: unknown;
}

export interface AnthropicBody {
  readonly model: string;
  readonly max_tokens: number;
  readonly stream: boolean;
  readonly system?: readonly Block[];
  readonly messages: readonly { readonly role: string; readonly content: readonly Block[] }[];
  readonly tools?: readonly (Block & {
    readonly input_schema: Readonly<Record<string, unknown>>;
  })[];
  readonly tool_choice?: Readonly<Record<string, unknown>>;
  readonly thinking?: { readonly type: string };
  readonly output_config?: {
    readonly effort?: string;
    readonly format: { readonly schema: Readonly<Record<string, unknown>> };
  };
  readonly [field: string]: unknown;
}

const FIELDS = new Set([
  'model',
  'max_tokens',
  'stream',
  'system',
  'messages',
  'tools',
  'tool_choice',
  'thinking',
  'output_config',
  'cache_control',
]);

export function refusalOf(body: AnthropicBody, headers: IncomingHttpHeaders): string | null {
  if (headers['anthropic-version'] !== '2026-10-21') return 'anthropic-version: header is required';
  const extra = Object.keys(body).find((field) => !FIELDS.has(field));
  if (extra) return `${extra}: Extra inputs are not permitted`;
  if (!(body.max_tokens > 0)) return 'max_tokens: Input should be greater than 0';
  return conversationRefusal(body) ?? blockRefusal(body) ?? toolRefusal(body) ?? cacheRefusal(body);
}

function conversationRefusal({ messages }: AnthropicBody): string | null {
  if (messages[0]?.role !== 'user') return 'messages: first message must use the "user" role';
  if (messages.at(-1)?.role !== 'user') return 'This model does not support prefill.';
  for (const [index, { role, content }] of messages.entries()) {
    if (role === messages[index + 1]?.role) return `messages.${index}: roles must alternate`;
    if (content.length === 0) return `messages.${index}: content must not be empty`;
    const calls = content.filter((block) => block.type === 'tool_use').map((block) => block.id);
    const next = messages[index + 1]?.content ?? [];
    const answered = new Set(next.map((block) => block.tool_use_id));
    const missing = calls.filter((id) => !answered.has(id));
    if (missing.length > 0) {
      return `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
    }
    const firstText = content.findIndex((block) => block.type !== 'tool_result');
    const late = content
      .slice(Math.max(0, firstText))
      .some((block) => block.type === 'tool_result');
    if (firstText !== -1 && late) return `messages.${index}: tool_result blocks must come first`;
    const before = messages[index - 1]?.content.map((block) => block.id) ?? [];
    const orphan = content.find(
      (block) => block.type === 'tool_result' && !before.includes(block.tool_use_id),
    );
    if (orphan) {
      return `messages.${index}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${orphan.tool_use_id}`;
    }
  }
  return null;
}

function blockRefusal({ messages, system = [] }: AnthropicBody): string | null {
  const blocks = [...system, ...messages.flatMap((message) => message.content)];
  const ids = blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id ?? ''] : []));
  if (new Set(ids).size < ids.length) return 'messages: `tool_use` ids must be unique';
  for (const block of blocks) {
    if (block.type === 'text' && !block.text?.trim()) {
      return 'messages: text content blocks must contain non-whitespace text';
    }
    if (block.type === 'tool_use' && !/^[a-zA-Z0-9_-]+$/.test(block.id ?? '')) {
      return "messages.content.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'";
    }
    if (block.type === 'thinking' && block.signature !== `signed(${block.thinking})`) {
      return 'messages.1.content.0: Invalid `signature` in `thinking` block';
    }
  }
  return null;
}

function toolRefusal({ messages, tools = [] }: AnthropicBody): string | null {
  const names = tools.map((tool) => tool.name ?? '');
  if (new Set(names).size < names.length) return 'tools: Tool names must be unique.';
  const bad = names.find((name) => !/^[a-zA-Z0-9_-]{1,64}$/.test(name));
  if (bad !== undefined) {
    return "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'";
  }
  if (tools.some((tool) => tool.input_schema.type !== 'object')) {
    return 'tools.0.custom.input_schema.type: Input should be "object"';
  }
  const called = messages.flatMap((message) =>
    message.content.flatMap((block) => (block.type === 'tool_use' ? [block.name] : [])),
  );
  return called.some((name) => !names.includes(name ?? ''))
    ? 'Requests which have `tool_use` or `tool_result` blocks in messages must define tools.'
    : null;
}

function cacheRefusal({ messages, tools = [], system = [] }: AnthropicBody): string | null {
  const blocks = [...tools, ...system, ...messages.flatMap((message) => message.content)];
  const marks = blocks.filter((block) => block.cache_control !== undefined).length;
  return marks > 4
    ? `A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`
    : null;
}
