/** What can be chosen at the first start, a line each; pure. */
import type { FirstChoices, Keyless, Obtainable } from '../../host/models/first-choices.ts';
import type { Way } from './ask.ts';

export type FirstWay = Way &
  (
    | { readonly kind: 'ready'; readonly model: string }
    | ({ readonly kind: 'obtain' } & Pick<Obtainable, 'part' | 'model' | 'spec'>)
    | { readonly kind: 'key'; readonly providers: readonly Keyless[] }
  );

/** One model of the user's own that is there is used, where no key was found beside it. */
export const mustAsk = ({ ready }: Pick<FirstChoices, 'ready'>): boolean =>
  ready.length === 0 || ready.some(({ isHosted }) => isHosted);

/** @param mayKeep a key that is pasted is kept in a file, or not asked for */
export function waysOf(
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

/** Without the provider, which stands before it. */
const nameIn = (model: string): string => model.replace(/^[a-z-]+[/:]/, '');

const listed = (words: readonly string[]): string =>
  words.length < 2
    ? words.join('')
    : `${words.slice(0, -1).join(', ')} or ${words[words.length - 1] ?? ''}`;
