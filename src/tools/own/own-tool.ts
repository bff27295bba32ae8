/** A tool of the program that embeds this one, as a tool like others. */
import type { Clock } from '../../lib/clock.ts';
import { TardigradeError } from '../../lib/errors.ts';
import type { ToolResult, Touches } from '../../schema/actions.ts';
import type { JsonSchema } from '../../schema/model/turn.ts';
import { type ArgsSchema, isObject } from '../calls/args-schema.ts';
import type { PerformHooks, Tool, ToolContext } from '../contract.ts';
import { locate } from '../files/workspace-path.ts';
import { failed, ok } from '../result.ts';
import { truncateMiddle } from '../truncate.ts';
import type { PlainCall, PlainTool } from './plain-tool.ts';
import {
  faultsOf,
  isStandardSchema,
  jsonSchemaOf,
  type SchemaIssue,
  type SchemaResult,
  type StandardSchema,
} from './standard-schema.ts';

const CALL_MS = 120_000;

/**
 * Throws E_USAGE for what is no tool.
 * @param readSchema for a JSON Schema: it takes all of zod, so whoever has none of them does not load it
 */
export function ownTool(
  plain: PlainTool,
  {
    clock,
    readSchema,
  }: {
    readonly clock: Pick<Clock, 'sleep'>;
    readonly readSchema: ReadSchema | null;
  },
): Tool {
  check(plain);
  const { name, description, inputSchema, afterCrash, timeoutMs = CALL_MS } = plain;
  const schema = isStandardSchema(inputSchema) ? inputSchema : null;
  return {
    name,
    description,
    args: schema === null ? argsBy(readSchema, inputSchema) : argsOf(plain, schema),
    touches: touchesOf(plain.touches),
    afterCrash: afterCrash ?? 'unknown',
    // One that is led would have to be shown all of them in each question.
    needs: { calls: true },
    own: { isAsked: plain.touches === undefined },
    mayWrite: plain.touches !== 'nothing' && plain.touches !== 'reads',
    target: () => ({ kind: 'other', text: name }),
    prepare: async (args, context) => {
      const read = schema === null ? { value: args } : schema['~standard'].validate(args);
      if (!(read instanceof Promise) && read.issues !== undefined)
        return { kind: 'refused', result: failed(faultText(read.issues)) };
      if (read instanceof Promise) read.catch(() => {});
      // A check that takes time has the bounds of the call.
      const call = (signal: AbortSignal): Promise<ToolResult> | ToolResult => {
        const { workspace } = context;
        const resolve: PlainCall['resolve'] = (path, options) => pathIn(context, path, options);
        const execute = async (result: SchemaResult<unknown>): Promise<ToolResult> =>
          result.issues === undefined
            ? toResult(await plain.execute(result.value, { workspace, resolve, signal }))
            : failed(faultText(result.issues));
        return read instanceof Promise ? read.then(execute) : execute(read);
      };
      return {
        kind: 'ready',
        files: [],
        perform: async (hooks) => {
          const result = await within({ name, timeoutMs, clock, call }, hooks);
          return shortened(result, context);
        },
      };
    },
  };
}

function pathIn(
  context: ToolContext,
  path: string,
  { forWrite = false }: { readonly forWrite?: boolean } = {},
): string {
  const place = locate(context, path, forWrite);
  if (place.kind === 'no_place') throw new Error(place.reason);
  return place.absolute;
}

const faultText = (issues: readonly SchemaIssue[]): string => `${faultsOf(issues).join('; ')}.`;

type ReadSchema = (schema: JsonSchema) => ArgsSchema;

function argsBy(read: ReadSchema | null, schema: PlainTool['inputSchema']): ArgsSchema {
  if (read === null) throw new Error('nobody reads JSON Schema here');
  return read(schema as JsonSchema);
}

/** A process that is not started here is none of which anything is known. */
const touchesOf = (touches: Touches | undefined): Touches =>
  touches === 'nothing' || touches === 'reads' ? touches : 'network';

/** What is journalled is what the model wrote; `execute` gets what the schema makes of it. */
function argsOf({ name, jsonSchema }: PlainTool, schema: StandardSchema): ArgsSchema {
  const told = jsonSchema ?? jsonSchemaOf(schema);
  if (told === null)
    throw usage(
      `The schema of the tool ${name} does not tell its JSON Schema.`,
      'Give that as jsonSchema beside it.',
    );
  return {
    jsonSchema: told,
    parse: (args) => {
      const read = schema['~standard'].validate(args);
      // What takes time to check is checked before it is carried out.
      if (read instanceof Promise) {
        read.catch(() => {});
        return { ok: true, args };
      }
      return read.issues === undefined
        ? { ok: true, args }
        : { ok: false, faults: faultsOf(read.issues) };
    },
  };
}

async function within(
  call: {
    readonly name: string;
    readonly timeoutMs: number;
    readonly clock: Pick<Clock, 'sleep'>;
    call(signal: AbortSignal): Promise<ToolResult> | ToolResult;
  },
  { signal }: PerformHooks,
): Promise<ToolResult> {
  const { name, timeoutMs, clock } = call;
  const over = new AbortController();
  const done = new AbortController();
  const late = clock
    .sleep(timeoutMs, AbortSignal.any([signal, done.signal]))
    .then(
      () =>
        failed(
          `${name} did not end within ${Math.round(timeoutMs / 1000)} s. What it did is not known.`,
          'timeout',
        ),
      () => failed('Cancelled. What it did is not known.', 'cancelled'),
    )
    .finally(() => over.abort());
  const work = Promise.resolve()
    .then(() => call.call(AbortSignal.any([signal, over.signal])))
    .catch((error: unknown) => failed(`${name} failed: ${messageOf(error)}`));
  try {
    return await Promise.race([work, late]);
  } finally {
    done.abort();
  }
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

function toResult(value: unknown): ToolResult {
  if (value === undefined || value === null || value === '') return ok('Done.');
  if (typeof value === 'string') return ok(value);
  return ok(JSON.stringify(value) ?? String(value));
}

function shortened(result: ToolResult, { maxResultChars, withoutKeys }: ToolContext): ToolResult {
  const whole = withoutKeys?.(result.content) ?? result.content;
  const content = truncateMiddle(whole, maxResultChars);
  return content === whole ? { ...result, content } : { ...result, content, fullContent: whole };
}

/** As every API takes it. */
const NAME = /^[A-Za-z]\w{0,63}$/;

function check(plain: PlainTool): void {
  const { name, description, inputSchema, execute } = (plain ?? {}) as Partial<PlainTool>;
  const fault =
    typeof name !== 'string' || !NAME.test(name)
      ? 'Its name is made of letters, digits and _, a letter first, and has at most 64.'
      : typeof description !== 'string' || description.trim() === ''
        ? 'It needs a description for the model.'
        : !isStandardSchema(inputSchema) && !isObject(inputSchema)
          ? 'Its inputSchema is a schema of an object, or JSON Schema.'
          : typeof execute !== 'function'
            ? 'It needs a function execute.'
            : null;
  if (fault !== null) throw usage(`The tool ${JSON.stringify(name) ?? ''} cannot be used.`, fault);
}

const usage = (message: string, hint: string): TardigradeError =>
  new TardigradeError('E_USAGE', message, hint);
