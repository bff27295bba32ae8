/** A durable engine in this process: what it keeps outlives its workers, and a worker may die at any boundary of a slice. */
import type {
  DurableEngine,
  FleetAnswer,
  FleetRequest,
  FleetStanding,
  Slices,
} from '../../src/fleet/contract.ts';
import { type Cause, work } from '../../src/fleet/workflow.ts';

/** Where a worker may die: before it was asked, once it has answered and nobody has heard it, once the answer is kept. */
export type Boundary = 'asked' | 'answered' | 'kept' | 'releasing' | 'released';

export interface InProcess extends DurableEngine {
  /** Works until there is nothing left to do; with another worker where one has died. */
  drain(): Promise<void>;
}

interface Job {
  readonly run: string;
  readonly cause: Cause;
  /** Slices whose outcome is kept, of a workflow that was cut off. */
  readonly done: NonNullable<FleetStanding['slice']>[];
  /** How the run stood when the workflow began. */
  before?: Pick<FleetStanding, 'slice' | 'isStopped'> | null;
}

class Died extends Error {}
class Cancelled extends Error {}

/**
 * @param worker makes a worker; called again once one has died
 * @param dies asked at each boundary, with how many were passed before
 */
export function inProcess(
  worker: () => Slices,
  dies: (at: Boundary, nth: number) => boolean = () => false,
): InProcess {
  const kept = new Map<string, FleetStanding>();
  const jobs: Job[] = [];
  const cancelled = new Set<string>();
  let slices = worker();
  let boundaries = 0;
  const pass = (at: Boundary): void => {
    boundaries += 1;
    if (dies(at, boundaries)) throw new Died(at);
  };
  const add = (run: string, cause: Cause): void => void jobs.push({ run, cause, done: [] });
  const known = (run: string): FleetStanding => {
    const standing = kept.get(run);
    if (standing === undefined) throw new Error(`nobody has submitted ${run}`);
    return standing;
  };
  const carryOut = async (job: Job): Promise<void> => {
    const { run, cause, done } = job;
    const { request, slice, isStopped } = known(run);
    job.before ??= slice === null ? null : { slice, isStopped };
    const replayed = [...done];
    const keep = (standing: Pick<FleetStanding, 'slice' | 'isStopped'>): void =>
      void kept.set(run, { request, ...standing });
    await work(
      {
        slice: async () => {
          const old = replayed.shift();
          if (old !== undefined) return old;
          if (cancelled.has(run)) throw new Cancelled(run);
          pass('asked');
          const slice = await slices.advance(request, new AbortController().signal);
          pass('answered');
          done.push(slice);
          pass('kept');
          return slice;
        },
        keep,
        again: () => add(run, 'again'),
      },
      cause,
      job.before,
    );
    pass('releasing');
    await slices.release(run);
    pass('released');
  };
  return {
    submit: async (request) => {
      if (!kept.has(request.run)) kept.set(request.run, { request, slice: null, isStopped: false });
      add(request.run, 'submit');
    },
    standing: async (run) => kept.get(run) ?? null,
    answer: async (run: string, answer: FleetAnswer) => {
      const why = await slices.answer(known(run).request, answer);
      if (why === null) add(run, 'answer');
      return why;
    },
    resume: async (run) => add(run, 'resume'),
    cancel: async (run) => {
      cancelled.add(run);
      add(run, 'stop');
      await slices.pause(run);
    },
    drain: async () => {
      for (let job = jobs[0]; job !== undefined; job = jobs[0]) {
        try {
          await carryOut(job);
          jobs.splice(jobs.indexOf(job), 1);
        } catch (error) {
          if (!(error instanceof Cancelled)) {
            // It dies, or could do nothing here: another one is asked.
            slices = worker();
            continue;
          }
          jobs.splice(jobs.indexOf(job), 1);
          cancelled.delete(job.run);
        }
      }
    },
  };
}

export const REQUEST: Omit<FleetRequest, 'run' | 'workspace' | 'goal'> = {
  ...{ words: [], tenant: 'one', at: 0, mac: '' },
};
