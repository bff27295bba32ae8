/**
 * What another agent may do here over MCP: begin runs, see their results, and undo their changes.
 *
 * 1. It reaches only the runs that this server began.
 * 2. It answers a run's questions only if the person who started the server has allowed that.
 * 3. A run continues without the server; a run that still waits for its turn then is not begun.
 */
import * as z from 'zod';
import { defined } from '../../lib/defined.ts';
import type { RunSummary } from '../api/run-schemas.ts';
import type { Holdings } from '../holdings.ts';
import { ServerRefusal, unknownRefusal } from '../http/problem.ts';
import * as act from '../runs/act.ts';
import { SILENT } from '../streams/feed.ts';
import { Wakes } from '../streams/wakes.ts';
import { undoBelowRoot } from '../undo.ts';
import { shownRun } from './shown-run.ts';

export interface RunTool {
  readonly name: string;
  readonly description: string;
  /** A JSON Schema. */
  readonly schema: { readonly [key: string]: unknown };
  /** The tool changes nothing. */
  readonly isReading: boolean;
  /** Rejects with an error for the caller. */
  call(args: unknown, signal: AbortSignal): Promise<object>;
}

const POLL_MS = 300;
/** How often a caller that waits for a run looks at it, if nothing wakes the caller. */
const LOOK_MS = 1000;
const WAIT_S = { usual: 45, most: 600 };
const Run = z.string().describe('The id that start_goal gave');
const File = z.string().optional().describe('One file alone, as it lies in the folder');

export class RunTools {
  readonly #holdings: Holdings;
  readonly #mayAnswer: boolean;
  /** The folders of the runs begun here. */
  readonly #begun = new Map<string, string>();
  /** Questions that the caller has been shown: they alone do not wake it again. */
  readonly #shownQuestions = new Map<string, ReadonlySet<string>>();
  readonly #stop: (() => void) | undefined;

  constructor(holdings: Holdings, { mayAnswer }: { readonly mayAnswer: boolean }) {
    this.#holdings = holdings;
    this.#mayAnswer = mayAnswer;
    this.#stop = holdings.place.clock.every?.(POLL_MS, () => holdings.queue.poll());
  }

  get all(): readonly RunTool[] {
    return [...this.#beginning(), ...this.#changes(), ...(this.#mayAnswer ? this.#answers() : [])];
  }

  close(): void {
    this.#stop?.();
    for (const run of this.#begun.keys()) this.#holdings.queue.drop(run);
    this.#holdings.closeFeeds();
  }

  #beginning(): readonly RunTool[] {
    const { roots } = this.#holdings.place;
    const [only] = roots.length === 1 ? roots : [];
    const folder = z.string().describe(`Absolute; at or below ${roots.join(' or ')}`);
    return [
      toolOf({
        name: 'start_goal',
        description:
          'Begins a run that works on a goal in a folder by itself, and gives its id at once. A run takes minutes: follow it with wait_run. It may ask a person; its questions are shown.',
        args: z.strictObject({
          folder: only === undefined ? folder : folder.default(only),
          goal: z.string().describe('What is to be done, and how it can be seen to be done'),
          model: z.string().optional().describe('PROVIDER/NAME; left out: the usual one'),
          plan_model: z.string().optional().describe('PROVIDER/NAME of the model that plans'),
        }),
        call: async ({ folder, goal, model, plan_model: planModel }) => {
          const body = { workspace: folder, goal, ...defined({ model, planModel }) };
          const { id, state, place: before } = act.queueRun(this.#holdings, body, null);
          this.#begun.set(id, folder);
          return { run: id, standing: state, waitsFor: before };
        },
      }),
      toolOf({
        name: 'get_run',
        description:
          'Says where a run stands: its plan, its questions, how it ended, what it says.',
        isReading: true,
        args: z.strictObject({ run: Run }),
        call: async ({ run }) => this.#shown(run),
      }),
      toolOf({
        name: 'wait_run',
        description:
          'Waits until a run has ended, pauses or asks something new, at most so many seconds, and says where it stands then.',
        isReading: true,
        args: z.strictObject({
          run: Run,
          seconds: z.number().int().min(1).max(WAIT_S.most).default(WAIT_S.usual),
        }),
        call: ({ run, seconds }, signal) => this.#waited(run, seconds, signal),
      }),
    ];
  }

  #changes(): readonly RunTool[] {
    const { place } = this.#holdings;
    return [
      toolOf({
        name: 'diff_run',
        description:
          'Lists the files that a run changed with counts of lines; of one file its lines.',
        isReading: true,
        args: z.strictObject({ run: Run, file: File }),
        call: ({ run, file }) => act.readDiff(this.#holdings, this.#summary(run), file ?? null),
      }),
      toolOf({
        name: 'undo_run',
        description:
          'Puts back the files that a run changed, all or one, unless somebody has changed them since. dry_run says what it would do.',
        args: z.strictObject({ run: Run, file: File, dry_run: z.boolean().default(false) }),
        call: ({ run, file, dry_run: dryRun }) =>
          undoBelowRoot(place, this.#summary(run), {
            dryRun,
            ...(file === undefined ? {} : { path: file }),
          }),
      }),
    ];
  }

  #answers(): readonly RunTool[] {
    return [
      toolOf({
        name: 'answer_question',
        description: 'Answers a question of a run: yes to this one call, or no.',
        args: z.strictObject({
          run: Run,
          question: z.string().describe('The id of the question'),
          answer: z.enum(['yes', 'no']),
          why: z.string().max(4000).default(''),
        }),
        call: async ({ run, question, answer, why }) => {
          const following = await this.#holdings.feedOf(this.#summary(run)).connected();
          if (following === null)
            throw unknownRefusal('process that waits for an answer', 'See get_run.');
          const kind = answer === 'yes' ? 'once' : 'no';
          const done = await following.send({ do: 'answer', id: question, kind, why, door: 'mcp' });
          return act.approvalAnswer(done, kind !== 'no');
        },
      }),
    ];
  }

  /** Throws if the run was not begun here, or has no journal. */
  #summary(run: string): RunSummary {
    if (!this.#begun.has(run)) throw unknownRefusal('run of that id that this server began', START);
    return this.#holdings.catalogue.run(run);
  }

  #shown(run: string) {
    return shownRun(this.#holdings.detail(this.#summary(run)), this.#mayAnswer);
  }

  async #waited(run: string, seconds: number, signal: AbortSignal): Promise<object> {
    const { clock } = this.#holdings.place;
    const until = clock.monotonic() + seconds * 1000;
    const known = this.#shownQuestions.get(run) ?? new Set();
    const wakes = new Wakes();
    const woken = (): void => wakes.wake();
    const feed = this.#holdings.feedOf(this.#summary(run));
    const leave = feed.join({ ...SILENT, question: woken, works: woken, woken });
    try {
      for (;;) {
        const shown = this.#shown(run);
        const asks = idsIn(shown).some((id) => !known.has(id));
        this.#shownQuestions.set(run, new Set(idsIn(shown)));
        const left = until - clock.monotonic();
        if (shown.isOver || asks || left <= 0) return shown;
        await wakes.pause(clock, Math.min(left, LOOK_MS), signal);
        signal.throwIfAborted();
      }
    } finally {
      leave();
    }
  }
}

const idsIn = (shown: object): readonly string[] =>
  'questions' in shown
    ? (shown as ReturnType<typeof shownRun>).questions.map((one) => one.question)
    : [];

const START = 'start_goal begins one and gives its id. Others are seen with the command line.';

interface ToolRow<Args extends z.ZodType> {
  readonly name: string;
  readonly description: string;
  readonly isReading?: true;
  readonly args: Args;
  call(args: z.output<Args>, signal: AbortSignal): Promise<object>;
}

function toolOf<Args extends z.ZodType>(row: ToolRow<Args>): RunTool {
  const { name, description, isReading = false, args, call } = row;
  return {
    name,
    description,
    isReading,
    schema: z.toJSONSchema(args, { io: 'input' }),
    call: async (input, signal) => {
      const read = args.safeParse(input ?? {});
      if (read.success) return call(read.data, signal);
      const [issue] = read.error.issues;
      const where = issue?.path.join('.') || 'The arguments';
      throw new ServerRefusal('E_BODY', `${where}: ${issue?.message}.`, `See what ${name} takes.`);
    },
  };
}
