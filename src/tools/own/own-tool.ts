/** A tool of the embedding program as a tool like any other. */
import { thrownText } from '../../lib/callback.ts';
import type { Clock } from '../../lib/clock.ts';
import { misuse } from '../../lib/errors.ts';
import { isRecord } from '../../lib/json-value.ts';
import { type ToolResult, Touches } from '../../schema/actions.ts';
import type { JsonSchema } from '../../schema/model/turn.ts';
import type { ArgsSchema } from '../calls/args-schema.ts';
import type { PerformHooks, Tool, ToolContext } from '../contract.ts';
import { locatePath } from '../files/workspace-path.ts';
import { failed, ok, ready } from '../result.ts';
import { fittingResult } from '../truncate.ts';
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
 * Throws E_USAGE for something that is not a tool.
 * @param readSchema for a JSON Schema; it needs all of zod, so callers without one do not load it
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
    // A tool that touches nothing may also be called before there is a plan.
    ...(plain.touches === 'nothing' ? { isReadOnly: true } : {}),
    afterCrash: afterCrash ?? 'unknown',
    // Guided runs get no such tools: they would have to show all of them in every question.
    needs: { calls: true },
    own: { isAsked: plain.touches === undefined },
    mayWrite: plain.touches !== 'nothing' && plain.touches !== 'reads',
    target: () => ({ kind: 'other', text: name }),
    prepare: async (args, context) => {
      const read = schema === null ? { value: args } : schema['~standard'].validate(args);
      if (!(read instanceof Promise) && read.issues !== undefined)
        return { kind: 'refused', result: failed(faultText(read.issues)) };
      if (read instanceof Promise) read.catch(() => {});
      // An asynchronous check runs within the limits of the call.
      const call = (signal: AbortSignal): Promise<ToolResult> | ToolResult => {
        const { workspace } = context;
        const resolve: PlainCall['resolve'] = (path, options) => pathIn(context, path, options);
        const execute = async (result: SchemaResult<unknown>): Promise<ToolResult> =>
          result.issues === undefined
            ? toResult(name, await plain.execute(result.value, { workspace, resolve, signal }))
            : failed(faultText(result.issues));
        return read instanceof Promise ? read.then(execute) : execute(read);
      };
      return ready(async (hooks) => {
        const result = await within({ name, timeoutMs, clock, call }, hooks);
        return fittingResult(result, context);
      });
    },
  };
}

function pathIn(
  context: ToolContext,
  path: string,
  { forWrite = false }: { readonly forWrite?: boolean } = {},
): string {
  const place = locatePath(context, path, forWrite);
  if (place.kind === 'no_place') throw new Error(place.reason);
  return place.absolute;
}

const faultText = (issues: readonly SchemaIssue[]): string => `${faultsOf(issues).join('; ')}.`;

type ReadSchema = (schema: JsonSchema) => ArgsSchema;

function argsBy(read: ReadSchema | null, schema: PlainTool['inputSchema']): ArgsSchema {
  if (read === null) throw new Error('nobody reads JSON Schema here');
  return read(schema as JsonSchema);
}

/** The reach of a tool. A process that is not started here is unknown, so it counts as network access. */
const touchesOf = (touches: Touches | undefined): Touches =>
  touches === 'nothing' || touches === 'reads' ? touches : 'network';

/** A schema library may throw for types that JSON does not have, such as dates. */
function declaredBy(schema: StandardSchema, jsonSchema: JsonSchema | undefined) {
  try {
    return { declared: jsonSchema ?? jsonSchemaOf(schema), why: '' };
  } catch (error) {
    return { declared: null, why: `: ${thrownText(error)}` };
  }
}

/** The journal has what the model wrote; `execute` gets what the schema makes of it. */
function argsOf({ name, jsonSchema }: PlainTool, schema: StandardSchema): ArgsSchema {
  const { declared, why } = declaredBy(schema, jsonSchema);
  if (declared === null)
    throw misuse(
      `The schema of the tool ${name} does not tell its JSON Schema${why}.`,
      'Give that as jsonSchema beside it.',
    );
  return {
    jsonSchema: declared,
    parse: (args) => {
      const read = schema['~standard'].validate(args);
      // An asynchronous check runs just before the call is carried out.
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
          `${name} did not end within ${timeoutMs / 1000} s. What it did is not known.`,
          'timeout',
        ),
      () => failed('Cancelled. What it did is not known.', 'cancelled'),
    )
    .finally(() => over.abort());
  const work = Promise.resolve()
    .then(() => call.call(AbortSignal.any([signal, over.signal])))
    .catch((error: unknown) => failed(`${name} failed: ${thrownText(error)}`));
  try {
    return await Promise.race([work, late]);
  } finally {
    done.abort();
  }
}

function toResult(name: string, value: unknown): ToolResult {
  if (value === undefined || value === null || value === '') return ok('Done.');
  if (typeof value === 'string') return ok(value);
  try {
    return ok(JSON.stringify(value) ?? String(value));
  } catch (error) {
    // The tool has done its work, so the model must not call it again for this fault.
    return failed(
      `${name} was carried out, but what it returned is no JSON and is not known: ${thrownText(error)}`,
    );
  }
}

/** The names that every API accepts. */
const NAME = /^[A-Za-z]\w{0,63}$/;

function check(plain: PlainTool): void {
  const { name, description, inputSchema, jsonSchema, execute, touches, afterCrash, timeoutMs } =
    (plain ?? {}) as Partial<PlainTool>;
  const fault =
    typeof name !== 'string' || !NAME.test(name)
      ? 'Its name is made of letters, digits and _, a letter first, and has at most 64.'
      : typeof description !== 'string' || description.trim() === ''
        ? 'It needs a description for the model.'
        : !isStandardSchema(inputSchema) && !isRecord(inputSchema)
          ? 'Its inputSchema is a schema of an object, or JSON Schema.'
          : !isJson(isStandardSchema(inputSchema) ? jsonSchema : inputSchema)
            ? 'Its JSON Schema must be JSON: what refers to itself needs $ref.'
            : typeof execute !== 'function'
              ? 'It needs a function execute.'
              : // A tool with a `touches` is called unasked, so it must be one of the words.
                touches !== undefined && !Touches.safeParse(touches).success
                ? `Its touches is ${Touches.options.join(', ')}, or left out.`
                : afterCrash !== undefined && afterCrash !== 'repeat' && afterCrash !== 'unknown'
                  ? 'Its afterCrash is repeat, unknown, or left out.'
                  : timeoutMs !== undefined && !(Number.isFinite(timeoutMs) && timeoutMs > 0)
                    ? 'Its timeoutMs is a number of milliseconds above 0.'
                    : null;
  if (fault === null) return;
  const shown = typeof name === 'string' ? JSON.stringify(name) : 'without a name';
  throw misuse(`The tool ${shown} cannot be used.`, fault);
}

/** False also for a schema that contains itself: its references were replaced by what they refer to. */
function isJson(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
}
