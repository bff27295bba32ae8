/** A person's side of a fleet on Temporal. What the workflow stores is read without any worker. */
import { misuse, TardigradeError } from '../../lib/errors.ts';
import type { DurableEngine, FleetStanding } from '../contract.ts';
import { notThere } from '../not-there.ts';
import type { TemporalPlace } from './address.ts';
import {
  ANSWER,
  type Begun,
  type Memo,
  RESUME,
  TASK_QUEUE,
  WORKFLOW,
  workflowIdOf,
} from './names.ts';
import type { ClientSdk } from './sdk.ts';

const ANSWER_MS = 30_000;
/** Statuses of an execution whose workflow is in control. */
const ITS_OWN: ReadonlySet<string> = new Set(['RUNNING', 'COMPLETED', 'CONTINUED_AS_NEW']);

export interface TemporalEngine extends DurableEngine {
  close(): Promise<void>;
}

export async function temporalEngine(
  sdk: ClientSdk,
  { address, namespace }: TemporalPlace,
): Promise<TemporalEngine> {
  const { connectionOptions } = sdk.loadClientConnectConfig();
  const connection = await sdk.Connection.connect({ ...connectionOptions, address }).catch(
    (error: unknown) => {
      throw notThere(address, error);
    },
  );
  const client = new sdk.Client({ connection, namespace });
  const ask = <Result>(run: string, act: () => Promise<Result>): Promise<Result> =>
    client.withAbortSignal(AbortSignal.timeout(ANSWER_MS), act).catch((error: unknown) => {
      throw refused(address, run, error);
    });
  const of = (run: string) => client.workflow.getHandle(workflowIdOf(run));
  return {
    submit: async (request) => {
      const memo: Memo = { wish: request, kept: null };
      const begun: Begun = { ...memo, causes: ['submit'] };
      const options = {
        workflowId: workflowIdOf(request.run),
        taskQueue: TASK_QUEUE,
        args: [begun],
        memo,
        workflowIdConflictPolicy: 'USE_EXISTING',
        workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
      };
      const start = () =>
        client.workflow.start(WORKFLOW, options).catch((error: unknown) => {
          // The execution has completed already.
          if (!isNamed(error, 'WorkflowExecutionAlreadyStartedError')) throw error;
        });
      await ask(request.run, start);
    },
    standing: (run) =>
      ask(run, () =>
        of(run)
          .describe()
          .then(standingOf, (error: unknown) => {
            if (isNamed(error, NOT_FOUND)) return null;
            throw error;
          }),
      ),
    answer: (run, answer) =>
      ask(run, async () => {
        const why = await of(run).executeUpdate(ANSWER, { args: [answer] });
        return typeof why === 'string' ? why : null;
      }),
    resume: (run) => ask(run, () => of(run).signal(RESUME)),
    cancel: (run) => ask(run, async () => void (await of(run).cancel())),
    close: () => connection.close(),
  };
}

const NOT_FOUND = 'WorkflowNotFoundError';

const isNamed = (error: unknown, name: string): boolean =>
  error instanceof Error && error.name === name;

interface Described {
  readonly status: { readonly name: string };
  readonly memo?: { readonly [key: string]: unknown };
}

/** If somebody ends an execution on the engine's page, only the run's submitter can continue it. */
function standingOf({ status, memo }: Described): FleetStanding | null {
  const { wish: request, kept } = (memo ?? {}) as Partial<Memo>;
  if (request === undefined) return null;
  const standing = { request, slice: kept?.slice ?? null, isStopped: kept?.isStopped ?? false };
  if (ITS_OWN.has(status.name)) return standing;
  const detail = `its execution is ${status.name} in the engine; submit the goal again`;
  const seq = standing.slice?.seq ?? 0;
  return { ...standing, slice: { is: 'pausing', seq, why: 'E_PROVIDER', detail } };
}

const MAX_SHOWN = 300;

function refused(address: string, run: string, cause: unknown): TardigradeError {
  if (isNamed(cause, NOT_FOUND))
    return misuse(`That fleet has no run ${run} under way.`, 'Submit its goal.', { cause });
  const { message, cause: why } = cause as Error;
  const text = [message, why instanceof Error ? why.message : ''].filter(Boolean).join(': ');
  return new TardigradeError(
    'E_PROVIDER',
    `The engine at ${address} did not answer: ${text.slice(0, MAX_SHOWN)}`,
    'See whether it and a worker are running.',
    { cause },
  );
}
