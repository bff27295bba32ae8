/**
 * The processes that hold conversations for this server.
 *
 * 1. The settings of a conversation are on disk before its process starts, and stay there for the next process.
 * 2. No process is started while another one holds the conversation; one that is releasing it is waited for.
 */
import * as z from 'zod';
import type { LiveNote } from '../../host/live/live-port.ts';
import { isClaimed, readStoredTalk, type StoredTalk } from '../../host/work-files.ts';
import { type ErrorCode, TardigradeError } from '../../lib/errors.ts';
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import {
  discard,
  ensureDirectory,
  readFileIfPresent,
  replaceFile,
} from '../../lib/files/durable-files.ts';
import { busyRefusal, ServerRefusal } from '../http/problem.ts';
import type { ProcessEnd, ServerPlace } from '../place.ts';
import { earlyEndWords } from '../process-end.ts';
import { mustWorkIn } from '../roots.ts';

const MAX_OPEN = 64;
/** The time for a process to open a conversation with its model and servers, and the time to release one. */
const OPEN_MS = 120_000;
const LEAVE_MS = 15_000;
const POLL_MS = 20;
const MAX_SHOWN = 2000;

/** The endings of the files with its output. */
const PRINTED = ['out', 'err'];

const Failure = z.object({ code: z.string(), message: z.string(), hint: z.string() });

export interface TalkId {
  readonly id: string;
  /** Absolute real path. */
  readonly workspace: string;
}

export class TalkProcesses {
  readonly #place: ServerPlace;
  readonly #changed: (id: string) => void;
  readonly #folder: string;
  readonly #opening = new Map<string, Promise<void>>();

  /** @param changed called when a process has gone */
  constructor(place: ServerPlace, changed: (id: string) => void = () => {}) {
    this.#place = place;
    this.#changed = changed;
    this.#folder = pathsOf(place.fs.platform).join(place.dataFolder, 'serve', 'talks');
  }

  /** The process that holds it and listens. */
  noteOf({ id, workspace }: TalkId): LiveNote | undefined {
    return this.#place.live
      .all()
      .find((note) => note.run === id && note.workspace === workspace && note.address !== null);
  }

  /** Throws if the conversation is outside the roots, whoever holds it. */
  mustWork({ workspace }: TalkId): void {
    mustWorkIn(this.#place, workspace);
  }

  /**
   * Makes a process hold the conversation. Rejects with the error of opening it.
   * @param changed settings to use from now on; left out: unchanged
   * @returns false if a process held the conversation, or had begun to open it, without these settings
   */
  async held(of: TalkId, changed: Partial<StoredTalk> = {}): Promise<boolean> {
    this.mustWork(of);
    if (this.noteOf(of) !== undefined) return false;
    const before = this.#opening.get(of.id);
    const opening = before ?? this.#open(of, changed);
    this.#opening.set(of.id, opening);
    try {
      await opening;
      return before === undefined;
    } finally {
      if (this.#opening.get(of.id) === opening) this.#opening.delete(of.id);
    }
  }

  async #open({ id, workspace }: TalkId, changed: Partial<StoredTalk>): Promise<void> {
    const { live } = this.#place;
    const of = { id, workspace };
    const ours = live.all().filter(({ run }) => this.#stored(run) !== null);
    if (ours.length + this.#opening.size >= MAX_OPEN)
      throw new ServerRefusal(
        'E_TOO_MANY',
        `${MAX_OPEN} conversations are open.`,
        'Close one of them.',
      );
    const { messages, ...kept } = { ...this.#stored(id), ...changed, session: id, workspace };
    this.#keep(messages === undefined ? kept : { ...kept, messages });
    try {
      await this.#started(of);
    } finally {
      // By now the messages are in the conversation's journal, or the conversation did not begin.
      if (messages !== undefined) this.#keep(kept);
    }
  }

  async #started(of: TalkId): Promise<void> {
    const { fs, identity, clock } = this.#place;
    const seen: { end: ProcessEnd | null } = { end: null };
    const file = (ending: string): string => this.#file(of.id, ending);
    for (const ending of PRINTED) discard(fs, file(ending));
    this.#place.launch({
      file: file('json'),
      workspace: of.workspace,
      out: file('out'),
      err: file('err'),
      ended: (end) => {
        seen.end = end;
        this.#changed(of.id);
      },
    });
    const until = clock.monotonic() + OPEN_MS;
    for (;;) {
      if (this.noteOf(of) !== undefined) return;
      // The process also ends if another one has the conversation, which may still be opening it.
      if (seen.end !== null && !isClaimed(fs, file('json'), identity))
        throw this.#failureOf(of.id, seen.end);
      if (clock.monotonic() > until)
        throw busyRefusal('The conversation does not open.', 'Try again in a moment.');
      await clock.sleep(POLL_MS);
    }
  }

  #failureOf(id: string, end: ProcessEnd): Error {
    const lines = this.#text(id, 'out').trim().split('\n');
    try {
      const { code, message, hint } = Failure.parse(JSON.parse(lines.at(-1) ?? ''));
      return new TardigradeError(code as ErrorCode, message, hint);
    } catch {
      const said = this.#place.withoutSecrets(this.#text(id, 'err').slice(-MAX_SHOWN));
      return new TardigradeError('E_IO', earlyEndWords(end, said, 'was open'), '');
    }
  }

  #text(id: string, ending: string): string {
    return readFileIfPresent(this.#place.fs, this.#file(id, ending))?.toString('utf8') ?? '';
  }

  /** Resolves once nobody holds it. Rejects if a process keeps holding it. */
  async left(of: TalkId): Promise<void> {
    const { clock } = this.#place;
    const until = clock.monotonic() + LEAVE_MS;
    while (this.noteOf(of) !== undefined) {
      if (clock.monotonic() > until)
        throw busyRefusal(
          'Whoever holds that conversation goes on with it.',
          'Try again in a moment.',
        );
      await clock.sleep(POLL_MS);
    }
  }

  forget(id: string): void {
    for (const ending of ['json', ...PRINTED]) discard(this.#place.fs, this.#file(id, ending));
  }

  #stored(id: string): StoredTalk | null {
    return readStoredTalk(this.#place.fs, this.#file(id, 'json'));
  }

  #keep(changed: StoredTalk): void {
    ensureDirectory(this.#place.fs, this.#folder);
    replaceFile(
      this.#place.fs,
      this.#file(changed.session, 'json'),
      Buffer.from(JSON.stringify(changed)),
    );
  }

  #file(id: string, ending: string): string {
    return pathsOf(this.#place.fs.platform).join(this.#folder, `${id}.${ending}`);
  }
}
