/** Shows what an undo would do before it does it. */
import { plural } from '../fold/words.ts';
import type { Store } from '../store.ts';
import { Dialog, ProblemAlert, useAsk, useFetched } from './parts.tsx';

/** The plan of the server: one line for each effect. */
interface UndoPlan {
  readonly files?: readonly string[];
  readonly left?: readonly string[];
  readonly commands?: readonly string[];
}

interface DialogProps {
  readonly store: Store;
  /** The API path of the run or the conversation. */
  readonly base: string;
  readonly title: string;
  /** The body of the request, which says what to undo. */
  readonly body: object;
  readonly close: () => void;
}

/** Enables the button only after the plan is shown. */
export function UndoDialog({ store, base, title, body, close }: DialogProps) {
  const { isAsking, problem, ask } = useAsk();
  const { answer: plan, problem: refused } = useFetched(
    () => store.api.post<UndoPlan>(`${base}/undo`, { ...body, dryRun: true }),
    [],
  );
  return (
    <Dialog title={title} close={close}>
      <ProblemAlert words={refused || problem} />
      {plan === null && refused === '' && <p class="dim">Checking what an undo would do …</p>}
      {plan && (
        <>
          <NamesSection title="What goes back" names={plan.files ?? []} />
          <NamesSection title="What is left alone" names={plan.left ?? []} />
          <NamesSection title="Commands that may have done more" names={plan.commands ?? []} />
          <p>
            A file that changed since is left as it is. What commands did elsewhere is not undone.
          </p>
        </>
      )}
      <div class="answers">
        <button
          type="button"
          class="danger"
          disabled={plan === null || isAsking}
          onClick={() => {
            void ask(() => store.send(`${base}/undo`, body)).then((isDone) => {
              if (!isDone) return;
              store.announcement.value = 'Undone.';
              close();
            });
          }}
        >
          {plan?.files?.length ? `Put ${plural(plan.files.length, 'file')} back` : 'Undo'}
        </button>
        <button type="button" class="refuse" onClick={close}>
          Keep it
        </button>
      </div>
    </Dialog>
  );
}

export const NamesSection = ({ title, names }: { title: string; names: readonly string[] }) =>
  names.length === 0 ? null : (
    <>
      <h3>{title}</h3>
      <ul class="names">
        {names.map((name) => (
          <li key={name}>
            <code>{name}</code>
          </li>
        ))}
      </ul>
    </>
  );
