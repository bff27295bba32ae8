import type { FileSystem } from '../lib/files/file-system.ts';
import type { InterruptibleRunner } from '../lib/interruptible.ts';
import type { Processes } from '../processes/contract.ts';
import type { Capability, Claim, FileChange, ToolResult, Touches } from '../schema/actions.ts';
import type { ArgsSchema, CallArgs } from './calls/args-schema.ts';
import type { BackgroundPrograms } from './commands/background.ts';
import type { SplitCommand } from './commands/split-command.ts';
import type { WebWay } from './web/ports.ts';

/** What a tool may know and use. Everything impure comes in here. */
export interface ToolContext {
  /** Absolute real path of the workspace. */
  readonly workspace: string;
  readonly fs: FileSystem;
  readonly processes: Processes;
  /** Variables that programs get in addition to their usual environment. */
  readonly variables?: { readonly [name: string]: string };
  /** The sha256 that the run last saw at a path (relative, `/`); `undefined`: never seen. */
  lastKnownHash(path: string): string | null | undefined;
  /**
   * Where the run read exactly the file's current content, if its full text is still in the conversation;
   * `null`: it is not, or it is shown again anyway.
   */
  readBefore?(path: string, hash: string): string | null;
  /** What is known of a file that existed before the run; `null`: the run made it, or never saw it. */
  originalOf(path: string): OriginalFile | null;
  /** Why a file may not get this content, because it contains a hidden or foreign secret; `null`: it may. */
  keyRefusal?(before: Uint8Array | null, after: Uint8Array): string | null;
  /** Whether the user's own words name it; left out: they do not. */
  isNamed?(word: string): boolean;
  /** Whether the text of a file may be shown without consent; path relative, with `/`. Left out: it may. */
  mayShow?(path: string): boolean;
  /** Which tool to use instead of a program, in words; empty or left out: none. */
  insteadOf?(program: string): string;
  /** Removes secrets in use from a program's output; left out: there are none. */
  withoutKeys?(text: string): string;
  /** Background programs; left out if the model may have none. */
  readonly background?: BackgroundPrograms | undefined;
  /** Access to web pages; left out: none. */
  readonly web?: WebWay | undefined;
  /** Stores bytes durably and returns their sha256. */
  storeBlob(bytes: Uint8Array): string;
  /** Runs work on large files interruptibly; left out: it runs in one go. When aborted, it throws E_INTERRUPTED. */
  readonly runInterruptibly?: InterruptibleRunner;
  /** Ends questions to programs while a call is prepared; left out: nothing does. */
  readonly signal?: AbortSignal;
  /** How many bytes of one program's output are kept, from its beginning and end; left out: 16 MB. */
  readonly maxOutputBytes?: number;
  /** The longest text that a result may show the model, in characters. */
  readonly maxResultChars: number;
  /**
   * Tells the model how to read on in a cut result from a line number; left out if it has no tool for that.
   * @param id of the action
   */
  readOn?(id: string, from: number): string;
  /** The full text of a cut result, the latest one without an id; `null`: none is kept. */
  storedOutput?(id: string | undefined): { readonly id: string; readonly text: string } | null;
}

/** An existing file, of which a complete rewrite must keep most. */
export interface OriginalFile {
  /** The earlier text for comparison; `null`: only the current text is known. */
  readonly bytes: Uint8Array | null;
  /** The sha256 of the content that was refused last; `null`: none since the file was written. */
  readonly withheld: string | null;
  /** True if the conversation contains the full current text, neither cut nor compacted. */
  readonly isInView: boolean;
  /** True if the same content is written when it is given a second time. */
  readonly mayInsist: boolean;
}

export interface PerformHooks {
  /** The action's id, under which its full result is kept. Left out if nothing is kept. */
  readonly id?: string;
  readonly signal: AbortSignal;
  /** True lets a program run outside the sandbox, if there is one. */
  readonly isUnsandboxed?: boolean;
  /** Throws if the start cannot be recorded: the process is then ended, and the error is passed on. */
  onSpawn(pid: number, startTime: string): void;
  onOutput(text: string): void;
}

/** `null`: there is no file. */
export interface FileContents {
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  readonly before: Uint8Array | null;
  readonly after: Uint8Array | null;
}

/** A tool first examines and changes nothing; what it would do is returned as something to perform. */
export type Prepared =
  | { readonly kind: 'refused'; readonly result: ToolResult }
  | {
      readonly kind: 'ready';
      /** Files that it will change, with their hashes before and after, for the intent. */
      readonly files: readonly FileChange[];
      /** The contents of these files, so that a person who is asked can see the change. Never journalled. */
      readonly contents?: readonly FileContents[];
      perform(hooks: PerformHooks): Promise<ToolResult>;
    };

/**
 * What happens to a call whose outcome a crash hid (docs/internals/recovery.md). `repeat`: it changes nothing,
 * so it has no intent and is made again. `compare_files`: the disk shows whether it was done. `unknown`: that
 * cannot be known, and the call is never repeated automatically.
 */
export type AfterCrash = 'repeat' | 'compare_files' | 'unknown';

/** The object of a call, in the words of its arguments. */
export interface CallTarget {
  readonly kind: 'file' | 'folder' | 'command' | 'shell' | 'address' | 'other';
  readonly text: string;
  /** For a command: its working folder relative to the workspace, with `/`; left out: the workspace itself. */
  readonly folder?: string;
  /** For a command: it keeps running beside the run, so its result is unknown. */
  readonly isLeftRunning?: true;
}

/** A path that a call reads, changes or removes, as in its arguments. Removing includes changing. */
export interface Reach {
  readonly does: 'read' | 'edit' | 'remove';
  readonly path: string;
}

/** One command line without a shell, and how to run it. */
export type CommandRequest = {
  readonly cmd: string;
  readonly stdin?: string | undefined;
  readonly timeout_sec?: number | undefined;
  /** Relative to the workspace. */
  readonly cwd?: string | undefined;
  readonly env?: { readonly [name: string]: string } | undefined;
  readonly background?: boolean | undefined;
};

/** What models write in place of a tool's name and arguments. */
export interface Aliases {
  /** Names of the very same tool in other agents: calling one of them calls this tool. */
  readonly called?: readonly string[];
  /** Names of similar tools elsewhere, reduced to lower-case letters and digits. */
  readonly names?: readonly string[];
  readonly args?: { readonly [argument: string]: readonly string[] };
}

/** A tool, and everything that the engine knows about it. */
export interface Tool<Parsed = CallArgs> {
  readonly name: string;
  /** Set if its arguments differ from those that a tool of this name usually has. */
  readonly isVariant?: true;
  /** One or two sentences for the model. */
  readonly description: string;
  readonly args: ArgsSchema<Parsed>;
  readonly touches: Touches;
  readonly afterCrash: AfterCrash;
  /**
   * Conditions for describing the tool to a model, because every description costs prompt. `calls`: the model
   * calls tools itself. `room`: if it does, its window is large. `background`: programs may run in the
   * background.
   */
  readonly needs?: { readonly calls?: true; readonly room?: true; readonly background?: true };
  /** Arguments that are described only to models that call tools themselves. */
  readonly argsForCalls?: readonly string[];
  /** Arguments left out, and a different description, if nothing can run in the background. */
  readonly alone?: { readonly leftOut: readonly string[]; readonly description?: string };
  /**
   * The description for a model held to a schema: few arguments, with the schema's name before the tool's own.
   * Their names are in alphabetical order, because some servers emit them so.
   */
  readonly constrained?: {
    readonly args: { readonly [asked: string]: string };
    /** The arguments that may be left out. */
    readonly optional?: readonly string[];
    readonly description?: string;
  };
  /** The capability by which callers find it without knowing its name; absent: it is found only by name. */
  readonly does?: Capability;
  readonly aliases?: Aliases;
  /**
   * Set if a plan may name the tool: the argument that is its target, and further arguments. Tools are listed
   * by `place`, from 0, most often planned first; tools without one come last.
   */
  readonly inPlan?: {
    readonly target: string;
    readonly args?: readonly string[];
    readonly place?: number;
  };
  /** Programs that models use for what this tool does, with the sentence that suggests the tool instead. */
  readonly replacesPrograms?: { readonly [program: string]: string };
  /** The object of a call; `null`: it has none. Never throws. */
  target?(args: CallArgs): CallTarget | null;
  /** Every path that a call reads or changes; left out: its target, if that is a path. Never throws. */
  reaches?(args: CallArgs): readonly Reach[];
  /** A person is asked about every call, whatever the rules allow. */
  readonly alwaysAsks?: true;
  /** Only runs with this option have the tool. */
  readonly onlyWith?: 'shell' | 'web';
  /** The tool changes nothing anywhere, whatever it reaches. */
  readonly isReadOnly?: true;
  /** The tool may change files that its intent does not name. */
  readonly mayWrite?: boolean;
  /** For a tool of the embedding program. `isAsked`: it does not declare what it reaches. */
  readonly own?: { readonly isAsked: boolean };
  /** For a server's tool: how rules name it. */
  readonly server?: { readonly name: string; readonly tool: string };
  /** Corrects what models write for its arguments, once these have their proper names. */
  correctArgs?(args: CallArgs): CallArgs;
  /** For the tool that shows more of a cut result: how to call it for that, in words. */
  readsOn?(id: string, from: number): string;
  /** Command lines that, according to the call, a person would have to allow. */
  foresees?(args: Parsed): readonly string[];
  /** For the tool that ends the active subtask: what a call claims. The engine acts on it. */
  claim?(args: Parsed): Claim;
  /** @param line of a command as it was judged; left out: it is parsed here */
  prepare(args: Parsed, context: ToolContext, line?: SplitCommand): Promise<Prepared>;
  /**
   * For tools whose files are compared after a crash: the result once the change is on disk, with the same
   * words whether it was just made or found done after a crash.
   */
  done?(args: Parsed, files: readonly FileChange[]): ToolResult;
}
