/** A tool as a program that embeds this one writes it. */
import type { Touches } from '../../schema/actions.ts';
import type { JsonSchema } from '../../schema/model/turn.ts';
import type { StandardSchema } from './standard-schema.ts';

/** A tool of a program: name, description, schema of its arguments, and the function that does it. */
export interface PlainTool<Input = unknown> {
  /** Letters, digits and `_`, at most 64; no other tool has it. */
  readonly name: string;
  /** One or two sentences for the model. */
  readonly description: string;
  /** Of an object: a schema of zod, valibot, arktype, …, or JSON Schema. */
  readonly inputSchema: StandardSchema<Input> | JsonSchema;
  /** Where the library of `inputSchema` does not tell it. */
  readonly jsonSchema?: JsonSchema;
  /** What a call reaches. A tool that says it is called unasked, unless a rule holds it back; left out: it is asked about. */
  readonly touches?: Touches;
  /**
   * What becomes of a call whose outcome a crash hid. `repeat`: it is made once more; left out, `unknown`: the
   * model is told that nobody knows, and it is never made again by itself.
   */
  readonly afterCrash?: 'repeat' | 'unknown';
  /** Milliseconds that a call may take; left out: two minutes. */
  readonly timeoutMs?: number;
  /**
   * Carries a call out. A text is what the model is told; all else is told as JSON. What it throws is told
   * as the failure of the call.
   */
  execute(input: Input, call: PlainCall): unknown;
}

/** What `execute` of a tool is given beside its arguments: the workspace with a way into it, and a signal that ends it. */
export interface PlainCall {
  /** Absolute path of the workspace. */
  readonly workspace: string;
  /**
   * The absolute path of one in the workspace, as the model wrote it. Throws where the built-in tools refuse it,
   * such as a way out or a link that leads out; the model is told why, unless it is caught.
   * @param options `forWrite`: what lies there is to be made or changed
   */
  resolve(path: string, options?: { readonly forWrite?: boolean }): string;
  /** Aborted when the run is stopped or the time is over. */
  readonly signal: AbortSignal;
}

/** A source of tools: opened when a run begins to work, closed when it ends. */
export interface Toolset {
  readonly name: string;
  tools(signal: AbortSignal): readonly PlainTool[] | Promise<readonly PlainTool[]>;
  close?(): void | Promise<void>;
}

/** The same tool; the compiler takes what `execute` is given from the schema. */
export const tool = <Input>(
  plain: Omit<PlainTool<Input>, 'inputSchema'> & { readonly inputSchema: StandardSchema<Input> },
): PlainTool<Input> => plain;
