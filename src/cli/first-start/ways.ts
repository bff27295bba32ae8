/** Pure: the choices of the first start, one line each. */
import type { FirstChoices, Keyless, Obtainable } from '../../host/models/first-choices.ts';
import type { ListedChoice } from './ask.ts';

export type FirstWay = ListedChoice &
  (
    | { readonly kind: 'ready'; readonly model: string }
    | ({ readonly kind: 'obtain' } & Pick<Obtainable, 'part' | 'model' | 'spec'>)
    | { readonly kind: 'key'; readonly providers: readonly Keyless[] }
  );

/** The user's only model is used without a question if no key was found beside it. */
export const mustAsk = ({ ready }: Pick<FirstChoices, 'ready'>): boolean =>
  ready.length === 0 || ready.some(({ isHosted }) => isHosted);

/** @param mayKeep whether a pasted key may be saved in a file; if not, none is asked for */
export function firstWaysOf(
  { ready, obtainable, keyless }: FirstChoices,
  mayKeep: boolean,
): readonly FirstWay[] {
  return [
    ...ready.map(({ label, model, by, isHosted }): FirstWay => {
      const text = isHosted
        ? `${label}: ${nameIn(model)}, with the key in ${by}`
        : `${label}: ${nameIn(model)}, on ${by}`;
      return { kind: 'ready', model, text };
    }),
    ...obtainable.map(({ part, model, spec, size }): FirstWay => {
      const text = `Download ${model}, ${size}: it runs on this machine`;
      return { kind: 'obtain', part, model, spec, text };
    }),
    ...(mayKeep && keyless.length > 0
      ? [
          {
            kind: 'key',
            providers: keyless,
            text: `Paste a key of ${listed(keyless.map(({ label }) => label))}`,
          } as const,
        ]
      : []),
  ];
}

/** The name of a model without its provider. */
const nameIn = (model: string): string => model.replace(/^[a-z-]+[/:]/, '');

const listed = (words: readonly string[]): string =>
  words.length < 2
    ? words.join('')
    : `${words.slice(0, -1).join(', ')} or ${words[words.length - 1] ?? ''}`;
