/**
 * Open questions, shown at the owner's own terminal and to every watcher.
 *
 * 1. Exactly one answer counts, the first. It is reported as accepted once it is in the journal.
 * 2. Whoever answers later learns which answer counted.
 * 3. If nobody is left who could answer, a question ends unanswered.
 */
import { defined } from '../lib/defined.ts';
import {
  ANSWERED,
  type AskPerson,
  type PermissionQuestion,
  type PersonsAnswer,
} from '../round/permission/person.ts';
import {
  changedPlan,
  planAnswer,
  planQuestionId,
  questionAboutPlan,
} from '../round/plan/plan-question.ts';
import type { AskPlan, PlanQuestion } from '../round/plan/plan-review.ts';
import { readPlanAnswer } from '../round/plan/safe-ask-plan.ts';
import { BY_ATTACH, BY_MCP } from '../schema/journal/permissions.ts';
import type { JournalRecord } from '../schema/records.ts';
import type { RunState } from '../schema/state.ts';
import type { ClientMessageOf, Counted, Done, OpenQuestion } from './protocol.ts';

export interface Audience {
  opened(question: OpenQuestion): void;
  settled(id: string): void;
}

interface Open {
  readonly question: PermissionQuestion;
  /** A person at the owner's own terminal is asked, whoever else joins or leaves. */
  readonly isAskedHere: boolean;
  end(answer: PersonsAnswer): void;
  /** For a plan: what is wrong with a changed text; '' for nothing. */
  readonly faultOf?: PlanQuestion['faultOf'];
}

interface Waiting {
  readonly isFirst: boolean;
  tell(done: Done): void;
}

const notPlan = (fault: string): Done => ({
  how: 'failed',
  code: 'E_USAGE',
  message: `That is not a plan yet. ${fault}`,
  hint: 'Change it and send it again.',
});

const NOT_OPEN: Done = { how: 'refused', why: 'Nobody waits for an answer to that any more.' };

export class Questions {
  readonly #audience: Audience;
  readonly #here: AskPerson | null;
  readonly #open = new Map<string, Open>();
  /** Answers that were given and are not journalled yet. */
  readonly #waiting = new Map<string, Waiting[]>();
  #answerers = 0;
  #state: Pick<RunState, 'permissions'> | null = null;

  /** @param here asks the person at the owner's own terminal; `null`: there is none */
  constructor(here: AskPerson | null, audience: Audience) {
    this.#here = here;
    this.#audience = audience;
  }

  get open(): readonly OpenQuestion[] {
    return [...this.#open.values()].map(({ question }) => shown(question));
  }

  get hasPerson(): boolean {
    return this.#here !== null;
  }

  /** Whether anybody can be asked at this moment. */
  readonly isThere = (): boolean => this.#here !== null || this.#answerers > 0;

  /** A watcher that can answer joins. @returns a function for when it leaves */
  join(): () => void {
    this.#answerers += 1;
    return () => {
      this.#answerers -= 1;
      if (this.isThere()) return;
      // Invariant 3.
      for (const { end, isAskedHere } of [...this.#open.values()])
        if (!isAskedHere) end({ kind: 'none' });
    };
  }

  readonly ask: AskPerson = (question, signal) => {
    const here = this.#here;
    return this.#put(question, signal, here === null ? null : (stop) => here(question, stop));
  };

  /** The question about a run's plan. A watcher answers yes, also with a changed text, or no. */
  askPlan(run: string, here: AskPlan | null): AskPlan {
    return async (asked, signal) => {
      const { goal, plan, text, faultOf } = asked;
      const question = questionAboutPlan(run, goal, plan, text);
      const own =
        here === null ? null : async (stop: AbortSignal) => readPlanAnswer(await here(asked, stop));
      return planAnswer(await this.#put(question, signal, own, { faultOf }));
    };
  }

  #put<Own extends { readonly kind: string }>(
    question: PermissionQuestion,
    signal: AbortSignal,
    here: ((stop: AbortSignal) => Promise<Own>) | null,
    more: Pick<Open, 'faultOf'> = {},
  ): Promise<Own | PersonsAnswer> {
    return new Promise((resolve, reject) => {
      const { id } = question;
      const stop = new AbortController();
      const end = (answer: Own | PersonsAnswer, why: unknown): void => {
        if (this.#open.get(id)?.end !== elsewhere) return;
        this.#open.delete(id);
        signal.removeEventListener('abort', onAbort);
        stop.abort(why);
        if (answer.kind === 'none') this.#release(id, NOT_OPEN);
        this.#audience.settled(id);
        resolve(answer);
      };
      const elsewhere = (answer: PersonsAnswer): void =>
        end(answer, answer.kind === 'none' ? signal.reason : ANSWERED[answer.kind]);
      const onAbort = (): void => elsewhere({ kind: 'none' });
      this.#open.set(id, { question, end: elsewhere, isAskedHere: here !== null, ...more });
      if (signal.aborted) return onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
      this.#audience.opened(shown(question));
      here?.(AbortSignal.any([signal, stop.signal])).then(
        (answer) => end(answer, undefined),
        (error: unknown) => {
          reject(error);
          onAbort();
        },
      );
    });
  }

  /** A watcher's answer. A changed plan that cannot be used answers nothing: the question stays open. */
  answer(message: ClientMessageOf<'answer'>, tell: (done: Done) => void): void {
    const { faultOf } = this.#open.get(message.id) ?? {};
    const text = message.kind === 'no' ? null : changedPlan(message.input);
    if (faultOf === undefined || text === null) {
      this.#answer(message, tell);
      return;
    }
    faultOf(text).then(
      (fault) => (fault === '' ? this.#answer(message, tell) : tell(notPlan(fault))),
      () => tell(NOT_OPEN),
    );
  }

  #answer(
    { id, kind, why, input, door }: ClientMessageOf<'answer'>,
    tell: (done: Done) => void,
  ): void {
    const open = this.#open.get(id);
    const before = this.#waiting.get(id) ?? [];
    if (open === undefined && before.length === 0) {
      tell(this.#answered(id));
      return;
    }
    this.#waiting.set(id, [...before, { isFirst: open !== undefined, tell }]);
    const yes =
      kind !== 'no' && kind !== 'once' && open?.question.offered.length === 0 ? 'once' : kind;
    const giver = door === 'mcp' ? BY_MCP : { ...BY_ATTACH, ...(door && { door }) };
    open?.end(
      yes === 'no' ? { kind: 'no', why, ...giver } : { kind: yes, ...defined({ input }), ...giver },
    );
  }

  observe(record: JournalRecord, state: Pick<RunState, 'run' | 'permissions'>): void {
    this.#state = state;
    const settled = settledBy(record, state);
    if (settled === null) return;
    const { id, allowed, by, door } = settled;
    this.#release(id, { how: 'late', counted: { allowed, ...defined({ by, door }) } });
  }

  #release(id: string, done: Done): void {
    const waiting = this.#waiting.get(id) ?? [];
    this.#waiting.delete(id);
    for (const { isFirst, tell } of waiting)
      tell(isFirst && done.how === 'late' ? { how: 'taken' } : done);
  }

  /** For a question that is not open: it was answered before, or never asked. */
  #answered(id: string): Done {
    const answer = this.#state?.permissions?.answers.find((one) => one.id === id);
    if (answer === undefined) return NOT_OPEN;
    const { allowed, by, door } = answer;
    const counted: Counted = { allowed, ...defined({ by, door }) };
    return { how: 'late', counted };
  }
}

/** Characters of an input that a watcher could change. */
const MAX_INPUT = 32_768;

function shown({ input, ...question }: PermissionQuestion): OpenQuestion {
  const isChangeable = JSON.stringify(input).length <= MAX_INPUT;
  return isChangeable ? { ...question, input } : question;
}

/** However a plan is refused, the run pauses. */
function settledBy(record: JournalRecord, { run }: Pick<RunState, 'run'>) {
  switch (record.type) {
    case 'approval_given':
      return record;
    case 'plan_set':
    case 'run_paused':
      return {
        id: planQuestionId(run),
        allowed: record.type === 'plan_set',
        by: 'person',
        door: undefined,
      };
    default:
      return null;
  }
}
