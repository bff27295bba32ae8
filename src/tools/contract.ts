import type { z } from 'zod';
import type { FileSystem } from '../lib/file-system.ts';
import type { Processes } from '../processes/contract.ts';
import type { ActionClass, FileChange, ToolResult } from '../schema/actions.ts';

/** What a tool may know and use. Everything impure comes in here. */
export interface ToolContext {
  /** Absolute real path of the workspace. */
  readonly workspace: string;
  readonly fs: FileSystem;
  readonly processes: Processes;
  /** sha256 the run last saw at a path (relative, `/`); `undefined`: never looked at. */
  lastKnownHash(path: string): string | null | undefined;
  /** Stores bytes durably under their sha256 and returns it. */
  keepBlob(bytes: Uint8Array): string;
  /** Longest text a result may show the model, in characters. */
  readonly maxResultChars: number;
  /** Programs allowed beyond the built-in list. */
  readonly allow: readonly string[];
}

export interface PerformHooks {
  readonly signal: AbortSignal;
  onSpawn(pid: number, startTime: string): void;
  onOutput(text: string): void;
}

/** A tool looks first and changes nothing; what it would do comes back as something to perform. */
export type Prepared =
  | { readonly kind: 'refused'; readonly result: ToolResult }
  | {
      readonly kind: 'ready';
      /** Files it will change, with their hashes before and after, for the intent. */
      readonly files: readonly FileChange[];
      perform(hooks: PerformHooks): Promise<ToolResult>;
    };

export interface Tool<Args extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  /** One or two sentences for the model. */
  readonly description: string;
  readonly class: ActionClass;
  readonly args: Args;
  prepare(args: z.infer<Args>, context: ToolContext): Promise<Prepared>;
  /**
   * Of the write class: what it says when its change is there, in the same words whether it was
   * just made or found done after a crash.
   */
  done?(args: z.infer<Args>, files: readonly FileChange[]): ToolResult;
}
