/** The next steps for a run that is not at work: a button if a request can do it, and the command for each. */
import { useContext, useState } from 'preact/hooks';
import type { ApplyAnswer, NextStep, RunBegun } from '../../server/api/run-schemas.ts';
import { errorWords, type Store } from '../store.ts';
import { Away, ProblemAlert, Typed, useAsk } from './parts.tsx';
import { NEW_GOAL } from './places.ts';
import { UndoDialog } from './undo-dialog.tsx';

interface Props {
  readonly store: Store;
  readonly base: string;
  readonly steps: readonly NextStep[];
  readonly done: () => void;
}

const LABELS = {
  resume: 'Resume',
  apply: 'Bring its changes in',
  undo: 'Undo…',
  again: 'Start over',
} as const;

export function NextSteps({ store, base, steps, done }: Props) {
  const { isAsking, problem, ask } = useAsk();
  const [isUndoing, setUndoing] = useState(false);
  const isAway = useContext(Away);
  const pressed = (step: NextStep): void => {
    if (step.does === 'undo') {
      setUndoing(true);
      return;
    }
    void ask(() => carryOut(store, base, step)).then((isDone) => {
      if (isDone || step.does === 'apply') done();
    });
  };
  const canPress = ({ body }: NextStep): boolean => body !== null && store.may('work');
  if (steps.length === 0) return null;
  return (
    <div class="next-steps">
      <ProblemAlert words={problem} />
      <ul class="list">
        {steps.map((step, at) => (
          <li key={step.does} class="next-step">
            {canPress(step) ? (
              <Buttons
                {...{ store, step, isFirst: at === 0, isAsking: isAsking || isAway }}
                press={() => pressed(step)}
              />
            ) : (
              <strong>{LABELS[step.does].replace('…', '')}:</strong>
            )}
            <span class="dim">{step.words}</span>
            {!canPress(step) && <Typed command={step.command} />}
          </li>
        ))}
      </ul>
      {steps.some(canPress) && (
        <details>
          <summary class="dim">As a command</summary>
          {steps.filter(canPress).map(({ does, command }) => (
            <Typed key={does} command={command} />
          ))}
        </details>
      )}
      {isUndoing && (
        <UndoDialog
          {...{ store, base }}
          title="Put its file changes back"
          body={{}}
          close={() => {
            setUndoing(false);
            done();
          }}
        />
      )}
    </div>
  );
}

interface ButtonsProps {
  readonly store: Store;
  readonly step: NextStep;
  readonly isFirst: boolean;
  readonly isAsking: boolean;
  readonly press: () => void;
}

const Buttons = ({ store, step, isFirst, isAsking, press }: ButtonsProps) => (
  <>
    <button
      type="button"
      class={isFirst && step.does !== 'undo' ? 'primary' : ''}
      disabled={isAsking}
      onClick={press}
    >
      {LABELS[step.does]}
    </button>
    {step.does === 'again' && <EditGoal store={store} step={step} />}
  </>
);

/** Resolves with the text about the outcome; '' if everything was done. */
async function carryOut(store: Store, base: string, { does, body }: NextStep): Promise<string> {
  if (does !== 'again' && does !== 'apply') return store.send(`${base}/${does}`, body ?? {});
  try {
    if (does === 'apply') {
      const { leftAlone } = await store.api.post<ApplyAnswer>(`${base}/apply`, body ?? {});
      return leftAlone.map(({ path, why }) => `${path} was left alone: ${why}.`).join(' ');
    }
    const { id } = await store.api.begin<RunBegun>('/api/runs', body ?? {});
    location.hash = `#/run/${id}`;
    return '';
  } catch (error) {
    return errorWords(error);
  }
}

/** Starts over with an edited goal, since the goal itself may have lacked something. */
function EditGoal({ store, step: { body } }: { store: Store; step: NextStep }) {
  const goal = body?.goal;
  if (typeof goal !== 'string') return null;
  const edit = () => {
    store.drafts.set(NEW_GOAL, goal);
    location.hash = '#/new';
  };
  return (
    <button type="button" onClick={edit}>
      Edit the goal first…
    </button>
  );
}
