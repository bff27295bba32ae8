/** Pure: finds the hosted model that was probably meant by a name that the user's own server does not have. */
import { editDistance, nearestWord } from '../../lib/text/edit-distance.ts';
import { knownNames } from '../../llm/models/known-models.ts';
import { ProviderError } from '../../llm/provider.ts';
import type { HostedRow } from '../providers/provider-row.ts';

export interface Meant {
  readonly label: string;
  /** As typed. */
  readonly model: string;
}

const SHORTEST = 3;
/** A shorter part occurs in too many names. */
const SHORTEST_PART = 4;
const SHORT_WORD = 5;

/** `claude` means Anthropic's default model, `gpt5` means `gpt-5`, `sonnet` the newest model of that name. */
export function meantBy(text: string, hosted: readonly HostedRow[]): Meant | null {
  const [, word = '', rest = ''] = /^([a-z-]+)[/:](.+)$/s.exec(text) ?? [];
  const provider =
    word === ''
      ? null
      : nearestWord(
          word,
          hosted.map(({ name }) => name),
        );
  const named = hosted.find(({ name }) => name === provider);
  if (named !== undefined) return { label: named.label, model: `${named.name}/${rest}` };
  for (const row of hosted) {
    const model = modelIn(row, text);
    if (model !== null) return { label: row.label, model };
  }
  return null;
}

function modelIn({ name, families = [], defaultModel }: HostedRow, text: string): string | null {
  const wanted = plain(text);
  if (wanted.length < SHORTEST) return null;
  const known = knownNames(name);
  const same = known.find((one) => plain(one) === wanted);
  const isFamily =
    defaultModel !== undefined && [name, ...families].some((one) => isNear(one, wanted));
  if (same === undefined && isFamily) return name;
  const part =
    wanted.length < SHORTEST_PART ? undefined : known.find((one) => plain(one).includes(wanted));
  const found = same ?? part;
  return found === undefined ? null : `${name}/${found}`;
}

const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');

const isNear = (word: string, wanted: string): boolean =>
  editDistance(word, wanted) <= (word.length < SHORT_WORD ? 0 : 1);

/** The same error, with the model that was probably meant, if known. */
export function withMeant(error: unknown, model: string, hosted: readonly HostedRow[]): unknown {
  if (!(error instanceof ProviderError)) return error;
  const meant = meantBy(model, hosted);
  if (meant === null) return error;
  return new ProviderError(
    error.status,
    `${error.message.replace(/\.$/, '')}, so "${model}" cannot be used.`,
    `Did you mean the one of ${meant.label}?`,
    { cause: error, option: 'model', optionValue: meant.model },
  );
}
