/** A tool as an embedding program writes it. */
import type { Touches } from '../../schema/actions.ts';
import type { JsonSchema } from '../../schema/model/turn.ts';
import type { StandardSchema } from './standard-schema.ts';

/**
 * A tool of an embedding program: name, description, schema of its arguments, and the function that does the
 * work.
 */
export interface PlainTool<Input = unknown> {
  /** Letters, digits and `_`, at most 64; unique among the tools. */
  readonly name: string;
  /** One or two sentences for the model. */
  readonly description: string;
  /** A schema for an object, from zod, valibot, arktype, …, or JSON Schema. */
  readonly inputSchema: StandardSchema<Input> | JsonSchema;
  /** The JSON Schema, if the library of `inputSchema` cannot produce it. */
  readonly jsonSchema?: JsonSchema;
  /**
   * What a call reaches. A tool that declares it is called without asking, unless a rule restricts it; left
   * out: a person is asked.
   */
  readonly touches?: Touches;
  /**
   * What happens to a call whose outcome a crash hid. `repeat`: it is made again. Left out or `unknown`: the
   * model is told that the outcome is unknown, and the call is never repeated automatically.
   */
  readonly afterCrash?: 'repeat' | 'unknown';
  /** Milliseconds that a call may take; left out: two minutes. */
  readonly timeoutMs?: number;
  /**
   * Carries out a call. A text is passed to the model as it is, anything else as JSON. If it throws, the model
   * is told that the call failed.
   */
  execute(input: Input, call: PlainCall): unknown;
}

/**
 * What a tool's `execute` receives besides its arguments: the workspace with access to it, and a signal that
 * ends the call.
 */
export interface PlainCall {
  /** Absolute path of the workspace. */
  readonly workspace: string;
  /**
   * The absolute path for a workspace path as the model wrote it. Throws if the built-in tools would refuse it,
   * for instance because it leads out of the workspace; the model is told why unless the error is caught.
   * @param options `forWrite`: the path is to be created or changed
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

/** Returns the tool unchanged; the compiler infers the input type of `execute` from the schema. */
export const tool = <Input = unknown>(plain: PlainTool<Input>): PlainTool<Input> => plain;
