import type { FileSystem } from '../lib/files/file-system.ts';
import type { InterruptibleRunner } from '../lib/interruptible.ts';
import type { Processes } from '../processes/contract.ts';
import type { Capability, Claim, FileChange, ToolResult, Touches } from '../schema/actions.ts';
import type { Args, ArgsSchema } from './calls/args-schema.ts';
import type { BackgroundPrograms } from './commands/background.ts';
import type { SplitCommand } from './commands/split-command.ts';
import type { WebWay } from './web/ports.ts';

/** What a tool may know and use. Everything impure comes in here. */
export interface ToolContext {
  /** Absolute real path of the workspace. */
  readonly workspace: string;
  readonly fs: FileSystem;
  readonly processes: Processes;
  /** What programs find in their environment beside what they always do. */
  readonly variables?: { readonly [name: string]: string };
  /** sha256 the run last saw at a path (relative, `/`); `undefined`: never looked at. */
  lastKnownHash(path: string): string | null | undefined;
  /**
   * Where the run read the very content that a file has now, while its whole text is still in the
   * conversation; `null`: it is not, or it is told again all the same.
   */
  readBefore?(path: string, hash: string): string | null;
  /** What is known of a file that was there before the run; `null`: the run made it, or never saw it. */
  originalOf(path: string): OriginalFile | null;
  /** Why a file may not get this content, since it holds a hidden or a foreign key; `null`: it may. */
  keyRefusal?(before: Uint8Array | null, after: Uint8Array): string | null;
  /** Whether the user's own words name it; left out: they do not. */
  isNamed?(word: string): boolean;
  /** Whether the text of a file may be shown without a yes; relative, `/`. Left out: it may. */
  mayShow?(path: string): boolean;
  /** What a program printed, without the keys in use; left out: there are none. */
  withoutKeys?(text: string): string;
  /** Programs beside the run; left out where the model may have none. */
  readonly background?: BackgroundPrograms | undefined;
  /** The way to pages of the web; left out: there is none. */
  readonly web?: WebWay | undefined;
  /** Stores bytes durably under their sha256 and returns it. */
  storeBlob(bytes: Uint8Array): string;
  /** For work on large files; left out: it is done in one go. Aborted, it throws E_INTERRUPTED. */
  readonly runInterruptibly?: InterruptibleRunner;
  /** Of what one program prints, this many bytes are kept, the beginning and the end; left out: 16 MB. */
  readonly maxOutputBytes?: number;
  /** Longest text a result may show the model, in characters. */
  readonly maxResultChars: number;
  /**
   * How lines of a result that was cut are read from a number on, in words for the model; left out where
   * it has no tool for that. @param id of the action
   */
  readOn?(id: string, from: number): string;
  /** The whole text of a result that was cut, the last one without an id; `null`: none is kept. */
  storedOutput?(id: string | undefined): { readonly id: string; readonly text: string } | null;
}

/** A file of which a whole new content must not lose much. */
export interface OriginalFile {
  /** What it is measured by; `null`: no older text is kept than the one that is there. */
  readonly bytes: Uint8Array | null;
  /** sha256 of the content that was held back last; `null`: none was since the file was written. */
  readonly withheld: string | null;
  /** True where its whole present text is in the conversation now: not cut, not compacted away. */
  readonly isInView: boolean;
  /** True where the same content is written when it comes a second time. */
  readonly mayInsist: boolean;
}

export interface PerformHooks {
  /** Of the action: what is kept of its result goes by it. Left out where nothing is kept. */
  readonly id?: string;
  readonly signal: AbortSignal;
  /** True lets a program out of the sandbox around commands, where there is one. */
  readonly isUnsandboxed?: boolean;
  /** Throws where the start cannot be recorded: the process is ended then, and the error comes out. */
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

/**
 * What becomes of a call whose outcome a crash hid (docs/internals/recovery.md). `repeat`: it changes nothing,
 * so it has no intent and is made once more. `compare_files`: what is on disk says whether it was done.
 * `unknown`: nobody can tell, and it is never made again by itself.
 */
export type AfterCrash = 'repeat' | 'compare_files' | 'unknown';

/** What a call is about, in the words of its arguments. */
export interface Target {
  readonly kind: 'file' | 'folder' | 'command' | 'shell' | 'address' | 'other';
  readonly text: string;
  /** Of a command: where it works, from the workspace on, with `/`; left out: the workspace itself. */
  readonly folder?: string;
  /** Of a command: it goes on beside the run, so what it comes to is not known. */
  readonly isLeftRunning?: true;
}

/** A path that a call reads, changes or removes, as its arguments have it. What it removes it changes, too. */
export interface Reach {
  readonly does: 'read' | 'edit' | 'remove';
  readonly path: string;
}

/** One command line without a shell, and how it is to be run. */
export type CommandRequest = {
  readonly cmd: string;
  readonly stdin?: string | undefined;
  readonly timeout_sec?: number | undefined;
  /** From the workspace on. */
  readonly cwd?: string | undefined;
  readonly background?: boolean | undefined;
};

/** What models write for a tool's name and arguments. */
export interface Aliases {
  /** Names under which other agents have the very same tool: a call of one is a call of this. */
  readonly called?: readonly string[];
  /** What tools of its kind are called elsewhere, in small letters and digits alone. */
  readonly names?: readonly string[];
  readonly args?: { readonly [argument: string]: readonly string[] };
}

/** A tool, and all that the engine knows about it. */
export interface Tool<Parsed = Args> {
  readonly name: string;
  /** Its arguments are others than those that a tool of this name has as a rule. */
  readonly isVariant?: true;
  /** One or two sentences for the model. */
  readonly description: string;
  readonly args: ArgsSchema<Parsed>;
  readonly touches: Touches;
  readonly afterCrash: AfterCrash;
  /**
   * Each tool that a model is told of costs prompt: what it needs to be told of this one. `calls`: it
   * calls tools by itself. `room`: where it does, its window is no small one. `background`: programs may
   * run in the background.
   */
  readonly needs?: { readonly calls?: true; readonly room?: true; readonly background?: true };
  /** Arguments that only a model is told of that calls tools by itself. */
  readonly argsForCalls?: readonly string[];
  /** What a model is not told of, or told otherwise, where nothing can run in the background. */
  readonly alone?: { readonly leftOut: readonly string[]; readonly description?: string };
  /**
   * What a model is told of it whose every answer is held to a schema: few arguments, the name there before
   * the tool's own. Their names stand in the order of letters, in which some servers have them written.
   */
  readonly constrained?: {
    readonly args: { readonly [asked: string]: string };
    /** Those of them that it may leave out. */
    readonly optional?: readonly string[];
    readonly description?: string;
  };
  /** What it is asked for by those who do not know its name; absent: by its name alone. */
  readonly does?: Capability;
  readonly aliases?: Aliases;
  /**
   * A plan may name it: with this argument as its target, and these beside. What is most often planned stands
   * first: `place` counts from 0, and what has none comes last.
   */
  readonly inPlan?: {
    readonly target: string;
    readonly args?: readonly string[];
    readonly place?: number;
  };
  /** Programs that models start for what it does, with the sentence that says so. */
  readonly replacesPrograms?: { readonly [program: string]: string };
  /** What a call is about; `null`: nothing that could be named. Never throws. */
  target?(args: Args): Target | null;
  /** Every path that a call reads or changes; left out: its target, where that is one. Never throws. */
  reaches?(args: Args): readonly Reach[];
  /** A person is asked about every call, whatever the rules allow. */
  readonly alwaysAsks?: true;
  /** Only a run that has this option on has it. */
  readonly onlyWith?: 'shell' | 'web';
  /** It changes nothing anywhere, whatever it reaches. */
  readonly isReadOnly?: true;
  /** It may change files that its intent does not name. */
  readonly mayWrite?: boolean;
  /** Of a tool of the embedding program. `isAsked`: it does not say what it reaches. */
  readonly own?: { readonly isAsked: boolean };
  /** Of a tool that a server offers: what rules call it. */
  readonly server?: { readonly name: string; readonly tool: string };
  /** Puts right what models write for its arguments, once these have their own names. */
  correctArgs?(args: Args): Args;
  /** Of a tool that shows more of a cut result: how it is called for that, in words. */
  readsOn?(id: string, from: number): string;
  /** Command lines that a call says a person would have to allow. */
  foresees?(args: Parsed): readonly string[];
  /** Of a tool that ends the active subtask: what a call says. The engine acts on it. */
  claim?(args: Parsed): Claim;
  /** @param line of a command, as it was judged; left out: it is read here */
  prepare(args: Parsed, context: ToolContext, line?: SplitCommand): Promise<Prepared>;
  /**
   * Of a tool whose files are compared after a crash: what it says when its change is there, in the same words
   * whether it was just made or found done after a crash.
   */
  done?(args: Parsed, files: readonly FileChange[]): ToolResult;
}
