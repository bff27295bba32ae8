/** What a server says about its tools, as data: limited, without hidden characters. Pure. */
import { sanitize } from '../../lib/text/plain-text.ts';
import type { JsonSchema } from '../../schema/model/turn.ts';
import type { ArgsSchema } from '../calls/args-schema.ts';
import { jsonSchema } from '../calls/json-schema-args.ts';

export interface ServerTool {
  readonly name: string;
  readonly description: string;
  readonly args: ArgsSchema;
}

/** In the protocol's form. */
interface Listed {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: { readonly [key: string]: unknown };
}

const MAX_TOOLS = 200;
const LONGEST_NAME = 200;
const LONGEST_DESCRIPTION = 2000;
const LONGEST_SCHEMA = 20_000;
const DEEPEST_SCHEMA = 32;

export interface OfferedServerTools {
  readonly tools: readonly ServerTool[];
  /** Sentences about tools that are left out, and why. */
  readonly left: readonly string[];
}

export function offeredServerTools(listed: readonly Listed[]): OfferedServerTools {
  const tools = new Map<string, ServerTool>();
  const left: string[] = [];
  for (const { name, description = '', inputSchema } of listed.slice(0, MAX_TOOLS)) {
    const schema = withoutHidden(inputSchema, DEEPEST_SCHEMA) as JsonSchema;
    if (name.length > LONGEST_NAME || sanitize(name) !== name)
      left.push('one whose name cannot be shown');
    else if (JSON.stringify(schema).length > LONGEST_SCHEMA)
      left.push(`${name}, since its arguments are described at too great length`);
    else if (tools.has(name)) left.push(`a second one of the name ${name}`);
    else
      tools.set(name, {
        name,
        description: sanitize(description).slice(0, LONGEST_DESCRIPTION),
        args: jsonSchema(schema),
      });
  }
  const beyond = listed.length - MAX_TOOLS;
  if (beyond > 0) left.push(`${beyond} beyond the first ${MAX_TOOLS}`);
  return { tools: [...tools.values()], left };
}

/** Deeper nesting is dropped, because walking it could exhaust the stack. */
function withoutHidden(value: unknown, levels: number): unknown {
  if (typeof value === 'string') return sanitize(value);
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return Array.isArray(value) ? [] : {};
  if (Array.isArray(value)) return value.map((one) => withoutHidden(one, levels - 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, withoutHidden(inner, levels - 1)]),
  );
}
