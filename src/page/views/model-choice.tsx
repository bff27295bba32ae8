/** Lists the usable models, and what the others lack. */
import type { Models } from '../../server/api/schemas.ts';
import type { Store } from '../store.ts';
import { useFetched } from './parts.tsx';

/** `null` until they are known. */
export function useModels(store: Store) {
  const { answer, problem } = useFetched(() => store.api.get<Models>('/api/models'), []);
  return { models: answer === null ? null : answer.providers, problem };
}

/** Warns that no model is usable. */
export function NoModel({ store }: { store: Store }) {
  const { models } = useModels(store);
  if (models === null || models.length === 0 || models.some(({ problem }) => problem === ''))
    return null;
  return (
    <p class="no-model">
      <span>
        <strong>No model can be used yet.</strong> Start Ollama with <code>ollama serve</code>, or
        see <a href="#/health">what each model needs</a>.
      </span>
    </p>
  );
}

interface ChoiceProps {
  readonly store: Store;
  readonly id: string;
  readonly value: string;
  /** For a screen reader, if no visible label is beside it. */
  readonly label?: string;
  /** The text of the option that chooses no model. */
  readonly usual: string;
  readonly choose: (model: string) => void;
}

export function ModelSelect({ store, id, label, value, usual, choose }: ChoiceProps) {
  const { models } = useModels(store);
  return (
    <select
      id={id}
      aria-label={label}
      value={value}
      onChange={(event) => choose(event.currentTarget.value)}
    >
      <option value="">{usual}</option>
      {models?.map(({ provider, problem, models: names }) => (
        <optgroup key={provider} label={problem === '' ? provider : `${provider}: ${problem}`}>
          {names.map((name) => (
            <option key={name} value={`${provider}/${name}`} disabled={problem !== ''}>
              {name}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  );
}

export function readModelChoice(choice: string): { provider?: string; model?: string } {
  const slash = choice.indexOf('/');
  if (slash < 0) return {};
  return { provider: choice.slice(0, slash), model: choice.slice(slash + 1) };
}
