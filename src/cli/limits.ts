import { durationOf, durationWord } from '../lib/duration.ts';
import { type OptionAdvice, type OptionName, TardigradeError } from '../lib/errors.ts';

/** Pure: what `--max-tokens`, `--max-cost` and `--max-time` say; `null` where one is not given. */
export interface GivenLimits {
  readonly maxTokens: number | null;
  /** US dollars. */
  readonly maxCost: number | null;
  readonly maxTimeMs: number | null;
}

const FACTORS: { readonly [suffix: string]: number } = { k: 1000, m: 1_000_000 };

/** `text` gives the value of an option by its name. Throws E_USAGE. */
export const parseLimits = (text: (name: string) => string | null): GivenLimits => ({
  maxTokens: parseTokens(text('maxTokens')),
  maxCost: parseCost(text('maxCost')),
  maxTimeMs: parseDuration(text('maxTime'), '--max-time'),
});

function parseTokens(text: string | null): number | null {
  if (text === null) return null;
  const [, digits = '', unit = ''] = /^(\d+(?:\.\d+)?)([kKmM]?)$/.exec(text.trim()) ?? [];
  const factor = FACTORS[unit.toLowerCase()] ?? 1;
  const value = digits === '' ? Number.NaN : Number(digits) * factor;
  if (Number.isInteger(value) && value >= 1 && value <= 1e12) return value;
  throw usage(`--max-tokens must be a number of tokens, not "${text}".`, '200000, 200k or 2m');
}

function parseCost(text: string | null): number | null {
  if (text === null) return null;
  const value = /^\d*\.?\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (value > 0 && value <= 1e6) return value;
  throw usage(`--max-cost must be an amount in US dollars, not "${text}".`, '0.50 or 5');
}

/** Milliseconds. */
export function parseDuration(text: string | null, option: string): number | null {
  if (text === null) return null;
  const ms = durationOf(text);
  if (ms !== null) return ms;
  throw usage(`${option} must be a duration, not "${text}".`, '90s, 10m, 2h or 1h30m');
}

const usage = (message: string, examples: string): TardigradeError =>
  new TardigradeError('E_USAGE', message, `Give for example ${examples}.`);

/** For the library, which leaves out what is not limited. */
export const asOptions = ({ maxTokens, maxCost, maxTimeMs }: GivenLimits) => ({
  ...(maxTokens === null ? {} : { maxTokens }),
  ...(maxCost === null ? {} : { maxCost }),
  ...(maxTimeMs === null ? {} : { maxTimeMs }),
});

/** As they are typed. */
export const limitWords = ({ maxTokens, maxCost, maxTimeMs }: GivenLimits): readonly string[] => [
  ...(maxTokens === null ? [] : ['--max-tokens', String(maxTokens)]),
  ...(maxCost === null ? [] : ['--max-cost', String(maxCost)]),
  ...(maxTimeMs === null ? [] : ['--max-time', durationWord(maxTimeMs)]),
];

const LIMITS: readonly string[] = ['maxTokens', 'maxCost', 'maxTimeMs'] satisfies readonly (
  | keyof GivenLimits
  | OptionName
)[];

export const isLimit = (option: OptionName | undefined): option is keyof GivenLimits =>
  option !== undefined && LIMITS.includes(option);

/** The limits a resume needs to get anywhere: the one that was reached is as the pause advises. */
export const limitsToGoOn = (given: GivenLimits, { option, optionValue }: OptionAdvice) =>
  isLimit(option) && optionValue !== undefined
    ? { ...given, [option]: Number(optionValue) }
    : given;
