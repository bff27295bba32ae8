/** A run of tools and commands with a journal in memory: what is kept, recorded and undone is real. */
import { z } from 'zod';
import { reduce } from '../../src/context-manager/fold/fold.ts';
import { createBlobStore } from '../../src/journal/blobs/blobs.ts';
import { layoutOf, prepareLayout } from '../../src/journal/layout.ts';
import { pathsOf } from '../../src/lib/files/absolute-paths.ts';
import type { FileSystem } from '../../src/lib/files/file-system.ts';
import { createMemoryFileSystem } from '../../src/lib/files/memory-file-system.ts';
import { runSync } from '../../src/lib/interruptible.ts';
import type { JournalRecord, Located, RecordOf, RecordType } from '../../src/schema/records.ts';
import type { RunState } from '../../src/schema/state.ts';
import { writeFile } from '../../src/tools/builtin/write-file.ts';
import { zodSchema } from '../../src/tools/calls/args-schema.ts';
import type { Tool, ToolContext } from '../../src/tools/contract.ts';
import { executeCall, executeCheck } from '../../src/tools/execute.ts';
import { ok } from '../../src/tools/result.ts';
import { beforeImagesOf } from '../../src/undo/before-image-ports.ts';
import { planUndo } from '../../src/undo/plan.ts';
import { previewOf, type UndoPreview } from '../../src/undo/preview.ts';
import type { UndoReport } from '../../src/undo/report.ts';
import { bringingIn, finishing, type SwapDeps, withholding } from '../../src/undo/swap.ts';
import type { BeforeImagesPorts } from '../../src/workspace/before-images/before-images.ts';
import { hashFile, readBytes } from '../../src/workspace/files.ts';
import { placeIn } from '../../src/workspace/scan.ts';
import { allowAll } from '../tools/support.ts';
import { undoRun } from './undo-run.ts';

export const FOLDER = '/w';

/** The folder of a run, written as its system writes it. */
const folderOn = ({ platform }: FileSystem): string => (platform === 'win32' ? 'C:\\w' : FOLDER);

const at = (fs: FileSystem, path: string): string => placeIn(fs, folderOn(fs), path);

/** A disk in memory with an empty folder. */
export function memoryFolder(platform: NodeJS.Platform = 'linux'): FileSystem {
  const fs = createMemoryFileSystem({ platform });
  for (const folder of [...parents(fs, folderOn(fs)).reverse(), folderOn(fs)])
    makeFolder(fs, folder);
  return fs;
}

export function put(fs: FileSystem, path: string, content: string | Uint8Array): void {
  for (const folder of parents(fs, at(fs, path)).reverse()) makeFolder(fs, folder);
  const fd = fs.open(at(fs, path), 'w', 0o644);
  fs.write(fd, Buffer.from(content), 0);
  fs.close(fd);
}

function makeFolder(fs: FileSystem, folder: string): void {
  try {
    fs.mkdir(folder);
  } catch {
    // It is there.
  }
}

function parents(fs: FileSystem, path: string): string[] {
  const folder = pathsOf(fs.platform).dirname(path);
  return folder === path ? [] : [folder, ...parents(fs, folder)];
}

export const remove = (fs: FileSystem, path: string): void => fs.unlink(at(fs, path));

/** Every file of the folder but the state's own, with its mode and content. */
export function contents(
  fs: FileSystem,
  folder = folderOn(fs),
  prefix = '',
): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of fs.readdir(folder)) {
    if (name === '.agent_context') continue;
    const place = pathsOf(fs.platform).join(folder, name);
    const info = fs.lstat(place);
    const bytes = () => readBytes(fs, place).toString('hex');
    if (info.kind === 'directory') Object.assign(found, contents(fs, place, `${prefix}${name}/`));
    else found[`${prefix}${name}`] = `${info.mode.toString(8)} ${bytes()}`;
  }
  return found;
}

export const STANDS_STILL = 1_700_000_000_000;

export interface KeptRunOptions {
  readonly workspace?: string;
  readonly now?: () => number;
  readonly limits?: BeforeImagesPorts['limits'];
}

/** A disk and a journal that may fail. */
interface Dying {
  readonly fs?: FileSystem;
  readonly onAppend?: () => void;
  /** The record of the swap that goes on cannot be read. */
  readonly isDamaged?: boolean;
}

export class KeptRun {
  readonly records: Located[] = [];
  readonly notices: string[] = [];
  readonly fs: FileSystem;
  readonly workspace: string;
  state: RunState;
  readonly #clock: { now(): number; monotonic(): number };
  readonly #limits: BeforeImagesPorts['limits'];
  #work: () => void = () => {};
  #calls = 0;
  #beforeImages: ReturnType<typeof beforeImagesOf>;

  constructor(
    fs: FileSystem = memoryFolder(),
    { workspace = folderOn(fs), now = () => STANDS_STILL, limits }: KeptRunOptions = {},
  ) {
    this.fs = fs;
    this.#clock = { now, monotonic: () => 0 };
    this.#limits = limits;
    this.workspace = workspace;
    prepareLayout(fs, layoutOf(workspace));
    const opened = { type: 'run_opened', format: 2, run: 'r', goal: 'g', goalHash: 'h' } as const;
    this.state = reduce(null, this.#located({ ...opened, startedAt: 0, version: '0' }));
    this.#beforeImages = this.#newBeforeImages();
  }

  /** What a process that died knew is gone; the next one has the journal and the disk. */
  restart(): void {
    this.#beforeImages = this.#newBeforeImages();
  }

  async write(path: string, content: string): Promise<string> {
    return this.#call('write_file', { path, content });
  }

  /** @param work what the program does on the disk */
  async command(work: () => void, cmd = 'tidy'): Promise<string> {
    this.#work = work;
    return this.#call('run_cmd', { cmd });
  }

  /** A command of the engine itself; `isScratch`: in a copy, where nothing is anybody's. */
  async check(work: () => void, { isScratch = false } = {}): Promise<void> {
    this.#work = work;
    const deps = this.#deps();
    const watch = isScratch ? null : deps.watch;
    const call = { name: 'run_cmd', args: { cmd: 'test' } };
    await executeCheck(call, `1.1#1#c${this.#calls++}`, { ...deps, watch });
  }

  /** The process dies while a command works. */
  async dieInCommand(work: () => void): Promise<void> {
    const death = new Error('killed');
    const dying = () => {
      work();
      throw death;
    };
    this.#work = dying;
    const deps = this.#deps();
    const watch = {
      begin: () => this.#beforeImages.begin(),
      end: () => ({ facts: {}, message: '' }),
    };
    await executeCall({ id: 'c', name: 'run_cmd', args: { cmd: 'tidy' } }, this.#nextId(), {
      ...{ ...deps, watch },
      log: { ...deps.log, finished: () => {} },
    });
    this.restart();
  }

  /** What a start does before it settles a command that was cut off. */
  settle(): void {
    for (const id of Object.keys(this.state.intents)) this.#beforeImages.recordUnseen(id);
  }

  undo(deps: Dying = {}, only?: string): UndoReport {
    const fs = deps.fs ?? this.fs;
    const blobs = createBlobStore(fs, layoutOf(this.workspace).blobs);
    const place = {
      ...{ fs, workspace: this.workspace },
      records: () => [...this.records],
      append: (record: JournalRecord) => {
        deps.onAppend?.();
        this.record(record);
      },
      readBlob: (hash: string) => blobs.read(hash),
      storeBlob: (bytes: Uint8Array) => blobs.keep(bytes),
    };
    return undoRun(place, only);
  }

  /** Takes the changes out of the folder as one set. */
  withhold(deps: Dying = {}): void {
    runSync(withholding(() => [...this.records], this.#swapDeps(deps)));
  }

  /** Brings them back in: as a person does, or as a resume does. */
  apply(deps: Dying & { readonly isResume?: boolean } = {}): void {
    runSync(bringingIn(this.#swapDeps(deps), deps.isResume !== true));
  }

  /** What every start does first. */
  finishSwap(): void {
    runSync(finishing(this.#swapDeps({})));
  }

  #swapDeps({ fs = this.fs, onAppend, isDamaged = false }: Dying): SwapDeps {
    const blobs = createBlobStore(fs, layoutOf(this.workspace).blobs);
    return {
      ...{ fs, workspace: this.workspace, state: () => this.state },
      append: (record) => {
        onAppend?.();
        this.record(record);
      },
      readStarted: (offset) =>
        isDamaged ? null : (this.records[offset - 1] as Located & RecordOf<'swap_started'>),
      readBlob: (hash) => blobs.read(hash),
      storeBlob: (bytes) => blobs.keep(bytes),
    };
  }

  /** What an undo would do. */
  preview(only?: string): UndoPreview {
    const { fs, workspace } = this;
    const blobs = createBlobStore(fs, layoutOf(workspace).blobs);
    const readBlob = (hash: string) => blobs.read(hash);
    const request = { goal: '', only };
    return previewOf(planUndo(this.records, readBlob), request, { fs, workspace, readBlob });
  }

  record(record: JournalRecord): void {
    this.state = reduce(this.state, this.#located(record));
  }

  of<Type extends RecordType>(type: Type): RecordOf<Type>[] {
    return this.records.filter(
      (record): record is Located & RecordOf<Type> => record.type === type,
    );
  }

  #located(record: JournalRecord): Located {
    const seq = this.records.length + 1;
    const located = { ...record, seq, ts: 0, durable: seq - 1, offset: seq } as Located;
    this.records.push(located);
    return located;
  }

  #newBeforeImages(): ReturnType<typeof beforeImagesOf> {
    const { fs, workspace } = this;
    const { blobs: directory } = layoutOf(workspace);
    const current = () => this.state;
    const context = {
      get state() {
        return current();
      },
      journal: { blobs: createBlobStore(fs, directory) },
      record: (record: JournalRecord) => this.record(record),
    };
    const emit = (event: { readonly type: string }) => {
      if ('text' in event) this.notices.push(String(event.text));
    };
    const limits = this.#limits;
    return beforeImagesOf({ context, workspace, fs, clock: this.#clock, emit, limits });
  }

  #nextId(): string {
    return `1.1#1#${this.#calls++}`;
  }

  async #call(name: string, args: Record<string, unknown>): Promise<string> {
    return (await executeCall({ id: 'c', name, args }, this.#nextId(), this.#deps())).status;
  }

  #deps() {
    const { fs, workspace } = this;
    const blobs = createBlobStore(fs, layoutOf(workspace).blobs);
    const context: ToolContext = {
      ...{ workspace, fs, maxResultChars: 1000, processes: {} as never },
      lastKnownHash: (path) => hashFile(fs, placeIn(fs, workspace, path)),
      originalOf: () => null,
      storeBlob: (bytes) => blobs.keep(bytes),
    };
    const program: Tool = {
      ...{ name: 'run_cmd', description: '', touches: 'process', afterCrash: 'unknown' },
      args: zodSchema(z.object({ cmd: z.string() })),
      prepare: async () => ({
        ...{ kind: 'ready', files: [] },
        perform: async () => {
          this.#work();
          return ok('done');
        },
      }),
    };
    return {
      tools: [writeFile, program],
      context,
      watch: {
        begin: () => this.#beforeImages.begin(),
        end: (id: string, isAllowed: boolean) => ({
          facts: this.#beforeImages.end(id, { isAllowed }),
          message: '',
        }),
      },
      log: {
        intended: (record: Omit<RecordOf<'action_intended'>, 'type'>) =>
          this.record({ type: 'action_intended', ...record }),
        started: () => {},
        finished: (record: Omit<RecordOf<'action_finished'>, 'type'>) =>
          this.record({ type: 'action_finished', ...record }),
        barrier: () => {},
      },
      clock: this.#clock,
      signal: new AbortController().signal,
      onOutput: () => {},
      blocked: null,
      decide: allowAll,
      resultHash: () => '',
    };
  }
}
