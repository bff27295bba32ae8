/**
 * A recording that grows on disk during its run, by one line per turn.
 *
 * Owns the end of the file. Its first turn replaces the former content as a whole; the others are appended.
 * 1. At every instant the file is a valid recording of the turns so far, or its former content.
 * 2. Nothing is written before the first turn; a file that is not a recording is never touched.
 * 3. A run that continues appends to its own recording; the recording of another run is replaced.
 * 4. A failure to write never ends a run: the first one is reported, and the recording stays as it is then.
 * 5. No secret that is known, or looks like one, is written.
 */
import { basename, dirname } from 'node:path';
import { misuse, TardigradeError } from '../../lib/errors.ts';
import {
  discard,
  errorCode,
  fileKindAt,
  readFileIfPresent,
  temporaryOf,
  writeTemporary,
} from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { orNull } from '../../lib/or-null.ts';
import { takes } from '../../lib/takes.ts';
import type { ModelRequest } from '../../schema/model/turn.ts';
import { DEFAULT_PROFILE } from '../failover/candidate.ts';
import type { ModelInfo, Provider } from '../provider.ts';
import { redactor } from '../secrets/redactor.ts';
import { scrubber } from '../secrets/scrub.ts';
import {
  parseRecording,
  type RecordedModel,
  type RecordedTurn,
  type Recording,
} from './recording.ts';
import { recordingProvider, type TurnBefore } from './recording-provider.ts';
import { tapeAt } from './tape.ts';

/** A recording costs nothing to play, and its original provider is not there: it plays under this name. */
const PLAYED_AS = 'recorded';

/** A recording that is being written; `wrap` is put around the provider. */
export interface RecordingFile {
  /** The same provider, whose requests and answers go into the file. `profile` names its key. */
  wrap(provider: Provider, profile?: string): Provider;
  /**
   * The run that the turns belong to, and how many it has had before; only the first call counts. Called before the
   * first request.
   */
  belongsTo(run: string, turnsBefore: number): void;
}

export interface RecordingFileOptions {
  readonly fs: FileSystem;
  /** Strings that must not be written, such as keys. */
  readonly secrets: readonly string[];
  readonly warn: (text: string) => void;
}

/** Throws E_USAGE if a recording cannot be written at `path` (absolute). */
export function openRecordingFile(path: string, options: RecordingFileOptions): RecordingFile {
  takes('openRecordingFile', 'a text', path);
  takes('openRecordingFile', 'an object', options);
  const { fs, warn } = options;
  // A link stays a link: its target is replaced.
  const place = orNull(() => fs.realpath(path)) ?? path;
  const before = recordingAt(fs, place);
  refuseUnwritable(fs, place);
  const scrub = scrubber(options.secrets);
  const wrapped: Provider[] = [];
  const keys = redactor([], () => wrapped.flatMap((provider) => provider.keys?.() ?? []));
  const tape = tapeAt(fs, place, warn);
  const infos = new Map<string, ModelInfo>();
  const ways = new Set<string>();
  let run: string | null = null;
  const turnBefore: TurnBefore = { messages: [] };

  const begin = (way: RecordedModel): void => {
    const isSameRun = before?.run !== undefined && before.run === run;
    const fresh: Recording = { format: 1, provider: PLAYED_AS, ...way, turns: [] };
    const known = isSameRun ? before : fresh;
    tape.begin({ ...known, ...(run === null ? {} : { run }) });
    for (const one of [known, ...(known.others ?? [])]) ways.add(nameOf(one));
  };

  const add = (way: RecordedModel, turn: RecordedTurn): void => {
    if (!tape.hasBegun()) begin(way);
    if (!ways.has(nameOf(way))) tape.add({ way });
    ways.add(nameOf(way));
    tape.add(keys.value(scrub(turn)));
  };

  return {
    belongsTo: (id, turnsBefore) => {
      if (run !== null) return;
      run = id;
      if (turnsBefore > 0 && before?.run !== id)
        warn('The recording begins in the middle of the run: it cannot be played from the start.');
    },
    wrap: (inner, profile = DEFAULT_PROFILE) => {
      wrapped.push(inner);
      const by = profile === DEFAULT_PROFILE ? inner.name : `${inner.name} ${profile}`;
      const infoOf = (model: string): string => JSON.stringify([by, model]);
      const sink = (turn: RecordedTurn, request: ModelRequest): void =>
        add({ by, ...recordedRequest(infos.get(infoOf(request.model)), request) }, turn);
      return {
        ...recordingProvider(inner, sink, () => 'shape', turnBefore),
        describe: async (model, signal) => {
          const info = await inner.describe(model, signal);
          infos.set(infoOf(info.model), info);
          return info;
        },
        ...withLoadedWindow(inner, tape.setLoadedWindow),
      };
    },
  };
}

const nameOf = ({ by, model }: RecordedModel): string => JSON.stringify([by, model]);

/** For a model that is a file, the name is enough: its path stays private. */
function recordedRequest(info: ModelInfo | undefined, request: ModelRequest): RecordedModel {
  const { model } = request;
  const { digest = null, contextWindow = request.contextWindow } = info ?? {};
  const { tools = true, schema = true, thinking = false } = info?.capabilities ?? {};
  const known = { digest, contextWindow, capabilities: { tools, schema, thinking } };
  const name = /[\\/][^\\/]*\.gguf$/.test(model) ? basename(model.replaceAll('\\', '/')) : model;
  return { model: name, info: known, numCtx: request.contextWindow };
}

function withLoadedWindow(
  inner: Provider,
  report: (tokens: number | null) => void,
): Pick<Provider, 'loadedWindow'> {
  const ask = inner.loadedWindow?.bind(inner);
  if (!ask) return {};
  return {
    loadedWindow: async (model, signal) => {
      const tokens = await ask(model, signal);
      report(tokens);
      return tokens;
    },
  };
}

function recordingAt(fs: FileSystem, path: string): Recording | null {
  try {
    if (fileKindAt(fs, path) === 'directory') throw refusal(`${path} is a folder.`);
    const text = readFileIfPresent(fs, path)?.toString('utf8') ?? '';
    return text.trim() === '' ? null : parseRecording(text, path);
  } catch (error) {
    const code = errorCode(error);
    if (code !== '') throw refusal(`${path} cannot be read (${code}).`, error);
    if (!(error instanceof TardigradeError) || error.cause === undefined) throw error;
    throw refusal(`${path} is there and is not a recording; it was left as it is.`, error);
  }
}

/** Takes the same steps as writing, except for the rename. */
function refuseUnwritable(fs: FileSystem, path: string): void {
  const temporary = temporaryOf(path);
  try {
    if (fileKindAt(fs, path) !== null) fs.close(fs.open(path, 'r+'));
    writeTemporary(fs, temporary, Buffer.alloc(0), { mode: 0o600, isSynced: false });
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
  misuse(message, 'Give another file.', { cause, option: 'record' });
