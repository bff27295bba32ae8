/**
 * A recording that grows on disk while its run goes on.
 *
 * Owns what it will write next; the file is replaced whole and durably after every turn.
 * 1. At every instant the file is a valid recording of the turns so far, or what it was before.
 * 2. Nothing is written before the first turn; a file that is no recording is never touched.
 * 3. A run that goes on appends to its own recording; another run's is replaced.
 * 4. Writing never ends a run: the first failure is told, and the recording stays as it is then.
 * 5. No secret that is known, or looks like one, is written.
 */
import { basename, dirname } from 'node:path';
import {
  discard,
  errorCode,
  kindOf,
  readFileIfPresent,
  replaceFile,
  TEMPORARY_SUFFIX,
} from '../../lib/durable-files.ts';
import type { FileSystem } from '../../lib/file-system.ts';
import { TardigradeError } from '../../schema/errors.ts';
import type { ModelRequest } from '../../schema/turn.ts';
import type { ModelInfo, Provider } from '../provider.ts';
import { parseRecording, type RecordedTurn, type Recording } from './recording.ts';
import { recordingOf, recordingProvider, type TurnBefore } from './recording-provider.ts';
import { scrubber } from './scrub.ts';

/** A recording costs nothing to play, and its provider is not there: it plays under this name. */
const PLAYED_AS = 'recorded';

export interface RecordingFile {
  /** The same provider; what it is asked and answers goes into the file. */
  wrap(provider: Provider): Provider;
  /**
   * The run the turns belong to, and how many it has had before; only the first call counts. It
   * comes before the first request.
   */
  belongsTo(run: string, turnsBefore: number): void;
}

export interface RecordingFileOptions {
  readonly fs: FileSystem;
  /** Strings that must not be written, such as keys. */
  readonly secrets: readonly string[];
  readonly warn: (text: string) => void;
}

type Head = Omit<Recording, 'turns'>;

/** Throws E_USAGE when a recording cannot be kept at `path` (absolute). */
export function openRecordingFile(path: string, options: RecordingFileOptions): RecordingFile {
  const { fs, warn } = options;
  const place = placeOf(fs, path);
  const before = recordingAt(fs, place);
  refuseUnwritable(fs, place);
  const scrub = scrubber(options.secrets);
  const tape = tapeAt(fs, place, warn);
  const infos = new Map<string, ModelInfo>();
  let run: string | null = null;
  const turnBefore: TurnBefore = { messages: [] };

  const begin = (request: ModelRequest): void => {
    const isSameRun = before?.run !== undefined && before.run === run;
    const fresh = () => recordingOf(PLAYED_AS, shown(infos.get(request.model), request), []);
    const { turns, ...head } = isSameRun ? before : fresh();
    tape.begin(run === null ? head : { ...head, run }, turns);
  };

  const add = (turn: RecordedTurn, request: ModelRequest): void => {
    if (!tape.hasBegun()) begin(request);
    tape.add(scrub(turn));
  };

  return {
    belongsTo: (id, turnsBefore) => {
      if (run !== null) return;
      run = id;
      if (turnsBefore > 0 && before?.run !== id)
        warn('The recording begins in the middle of the run: it cannot be played from the start.');
    },
    wrap: (inner) => ({
      ...recordingProvider(inner, add, () => 'shape', turnBefore),
      describe: async (model, signal) => {
        const info = await inner.describe(model, signal);
        infos.set(info.model, info);
        return info;
      },
      ...withLoadedWindow(inner, tape.setLoadedWindow),
    }),
  };
}

/** What stands in the file; it is written whole at every change, until that fails once. */
function tapeAt(fs: FileSystem, place: string, warn: RecordingFileOptions['warn']) {
  let head: Head | null = null;
  let lines: string[] = [];
  let isBroken = false;
  const write = (): void => {
    if (isBroken || head === null) return;
    try {
      replaceFile(fs, place, Buffer.from(textOf(head, lines)));
    } catch (error) {
      isBroken = true;
      const why = error instanceof Error ? error.message : String(error);
      warn(`The recording ends here, the run goes on: ${why}`);
    }
  };
  return {
    hasBegun: () => head !== null,
    begin: (known: Head, turns: readonly RecordedTurn[]): void => {
      head = known;
      lines = turns.map((turn) => JSON.stringify(turn));
    },
    add: (turn: RecordedTurn): void => {
      lines.push(JSON.stringify(turn));
      write();
    },
    setLoadedWindow: (tokens: number | null): void => {
      if (head === null || tokens === null) return;
      head = { ...head, loadedWindow: tokens };
      write();
    },
  };
}

/** One turn a line: a person can read it, and what was written before need not be made again. */
const textOf = (head: Head, lines: readonly string[]): string =>
  `${JSON.stringify(head).slice(0, -1)},"turns":[\n${lines.join(',\n')}\n]}\n`;

/** Of a model that is a file, its name is enough: where it lies is nobody's business. */
function shown(info: ModelInfo | undefined, request: ModelRequest): ModelInfo {
  const { model, contextWindow } = request;
  const capabilities = { tools: true, schema: true, thinking: false };
  const name = /[\\/][^\\/]*\.gguf$/.test(model) ? basename(model.replaceAll('\\', '/')) : model;
  return { digest: null, contextWindow, capabilities, ...info, model: name };
}

function withLoadedWindow(
  inner: Provider,
  told: (tokens: number | null) => void,
): Pick<Provider, 'loadedWindow'> {
  const ask = inner.loadedWindow?.bind(inner);
  if (!ask) return {};
  return {
    loadedWindow: async (model, signal) => {
      const tokens = await ask(model, signal);
      told(tokens);
      return tokens;
    },
  };
}

/** A link stays a link: what it leads to is replaced. */
function placeOf(fs: FileSystem, path: string): string {
  try {
    return fs.realpath(path);
  } catch {
    return path;
  }
}

function recordingAt(fs: FileSystem, path: string): Recording | null {
  try {
    if (kindOf(fs, path) === 'directory') throw refusal(`${path} is a folder.`);
    const text = readFileIfPresent(fs, path)?.toString('utf8') ?? '';
    return text.trim() === '' ? null : parseRecording(text, path);
  } catch (error) {
    const code = errorCode(error);
    if (code !== '') throw refusal(`${path} cannot be read (${code}).`, error);
    if (!(error instanceof TardigradeError) || error.cause === undefined) throw error;
    throw refusal(`${path} is there and is no recording; it was left as it is.`, error);
  }
}

/** By the same steps that writing takes, short of taking the name. */
function refuseUnwritable(fs: FileSystem, path: string): void {
  const temporary = `${path}${TEMPORARY_SUFFIX}`;
  try {
    if (kindOf(fs, path) !== null) fs.close(fs.open(path, 'r+'));
    fs.close(fs.open(temporary, 'w', 0o600));
    discard(fs, temporary);
  } catch (error) {
    const code = errorCode(error);
    const why =
      code === 'ENOENT'
        ? `the folder ${dirname(path)} does not exist`
        : `${path} cannot be written (${code})`;
    throw refusal(`The recording has no place: ${why}.`, error);
  }
}

const refusal = (message: string, cause?: unknown): TardigradeError =>
  new TardigradeError('E_USAGE', message, 'Give another file with --record.', { cause });
