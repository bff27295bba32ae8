// Pure: windows and prices of hosted models whose providers do not report them.
import { own } from '../../lib/own.ts';
import type { Price } from '../../schema/model/price.ts';
import type { Usage } from '../../schema/model/turn.ts';

export interface KnownModel {
  /** Tokens. */
  readonly window: number;
  /** `null` if the sources contradict each other: no price is better than a wrong one. */
  readonly price: Price | null;
}

const MILLION = 1_000_000;

/** Writing to Anthropic's 5-minute cache costs 1.25 of the input price. */
const claude = (window: number, input: number, output: number, cacheRead: number): KnownModel => ({
  window,
  price: { input, output, cacheRead, cacheWrite: input * 1.25 },
});

const gpt = (window: number, input: number, output: number, cacheRead = input): KnownModel => ({
  window,
  price: { input, output, cacheRead, cacheWrite: input },
});

/** Above 272,000 tokens of prompt: twice the input, one and a half times the output. */
const longGpt = (input: number, output: number, cacheRead: number, writes = 1): KnownModel => ({
  window: 1_050_000,
  price: {
    input,
    output,
    cacheRead,
    cacheWrite: input * writes,
    long: {
      above: 272_000,
      rates: {
        input: input * 2,
        output: output * 1.5,
        cacheRead: cacheRead * 2,
        cacheWrite: input * writes * 2,
      },
    },
  },
});

// Source: platform.claude.com/docs/en/about-claude/pricing, as quoted by models.dev (github.com/anomalyco/ models.dev,
// providers/anthropic) and by users' own tables of October 2026. Read 2026-11-22.
const ANTHROPIC: { readonly [model: string]: KnownModel } = {
  'claude-fable-5-1': claude(MILLION, 10, 50, 0.25),
  'claude-fable-5': claude(MILLION, 10, 50, 1),
  'claude-opus-5-5': claude(MILLION, 4, 20, 0.2),
  'claude-opus-5': claude(MILLION, 5, 25, 0.5),
  'claude-opus-4-8': claude(MILLION, 5, 25, 0.5),
  'claude-opus-4-7': claude(MILLION, 5, 25, 0.5),
  'claude-opus-4-6': claude(MILLION, 5, 25, 0.5),
  'claude-opus-4-5': claude(200_000, 5, 25, 0.5),
  'claude-opus-4-1': claude(200_000, 15, 75, 1.5),
  'claude-sonnet-5-5': claude(MILLION, 2, 10, 0.1),
  'claude-sonnet-5': claude(MILLION, 2, 10, 0.2),
  'claude-sonnet-4-6': claude(MILLION, 3, 15, 0.3),
  'claude-sonnet-4-5': claude(200_000, 3, 15, 0.3),
  'claude-haiku-5-5': {
    window: MILLION,
    price: {
      input: 0.1,
      output: 0.5,
      cacheRead: 0.01,
      cacheWrite: 0.125,
      long: {
        above: 100_000,
        rates: { input: 0.5, output: 2.5, cacheRead: 0.05, cacheWrite: 0.625 },
      },
    },
  },
  'claude-haiku-4-5': claude(200_000, 1, 5, 0.1),
};

// Source: developers.openai.com/api/docs/pricing, as quoted by models.dev (providers/openai, 2026-07-02, and
// gpt-6-astra later). Read 2026-11-22. Sources differ about gpt-5.6 and the smaller gpt-6.
const OPENAI: { readonly [model: string]: KnownModel } = {
  'gpt-6-astra': longGpt(10, 50, 1, 1.25),
  'gpt-5.6-sol': { window: 1_050_000, price: null },
  'gpt-5.6-terra': { window: 1_050_000, price: null },
  'gpt-5.6-luna': { window: 1_050_000, price: null },
  'gpt-5.5': longGpt(5, 30, 0.5),
  'gpt-5.4': longGpt(2.5, 15, 0.25),
  'gpt-5.4-mini': gpt(400_000, 0.75, 4.5, 0.075),
  'gpt-5.4-nano': gpt(400_000, 0.2, 1.25, 0.02),
  'gpt-5.3-codex': gpt(400_000, 1.75, 14, 0.175),
  'gpt-5.2': gpt(400_000, 1.75, 14, 0.175),
  'gpt-5.1': gpt(400_000, 1.25, 10, 0.125),
  'gpt-5': gpt(400_000, 1.25, 10, 0.125),
  'gpt-5-mini': gpt(400_000, 0.25, 2, 0.025),
  'gpt-5-nano': gpt(400_000, 0.05, 0.4, 0.005),
  'gpt-4.1': gpt(1_047_576, 2, 8, 0.5),
  'gpt-4.1-mini': gpt(1_047_576, 0.4, 1.6, 0.1),
  'gpt-4.1-nano': gpt(1_047_576, 0.1, 0.4, 0.025),
  'gpt-4o': gpt(128_000, 2.5, 10, 1.25),
  'gpt-4o-mini': gpt(128_000, 0.15, 0.6, 0.075),
  'gpt-4-turbo': gpt(128_000, 10, 30),
  'gpt-4': gpt(8192, 30, 60),
  o1: gpt(200_000, 15, 60, 7.5),
  o3: gpt(200_000, 2, 8, 0.5),
  'o3-mini': gpt(200_000, 1.1, 4.4, 0.55),
  'o3-pro': gpt(200_000, 20, 80),
  'o4-mini': gpt(200_000, 1.1, 4.4, 0.275),
};

/** The known models of a provider, newest first. */
export const knownNames = (provider: string): readonly string[] =>
  Object.keys({ anthropic: ANTHROPIC, openai: OPENAI }[provider] ?? {});

/** For a model newer than the table: the window that its family has had for years. */
const FAMILIES: readonly (readonly [RegExp, number])[] = [
  [/^claude-/, 200_000],
  [/^(gpt-\d|chatgpt-|o\d)/, 128_000],
];

const DATED = /-(\d{8}|\d{4}-\d{2}-\d{2}|latest)$/;

/**
 * What is known about a hosted model; a date at the end of its name does not matter. `null` for models that cost
 * nothing (`ollama`, `embedded`), for other servers, and for unknown models.
 */
export function knownModel(provider: string, model: string): KnownModel | null {
  const name = provider === 'openrouter' ? model.replace(/^[^/]+\//, '') : model;
  const tables: { readonly [provider: string]: typeof OPENAI } = {
    anthropic: ANTHROPIC,
    openai: OPENAI,
    openrouter: atGateways(),
  };
  const table = tables[provider];
  if (table === undefined) return null;
  const row = own(table, name) ?? own(table, name.replace(DATED, ''));
  if (row !== undefined) return row;
  const family = FAMILIES.find(([pattern]) => pattern.test(name));
  return family === undefined ? null : { window: family[1], price: null };
}

/**
 * What the name alone says about a model that a gateway serves under it, with or without a prefix (`openai/gpt-5`).
 * Exact names only: the name of an unknown model says nothing.
 */
export function knownByName(model: string): Pick<KnownModel, 'window'> | null {
  const name = model.slice(model.lastIndexOf('/') + 1);
  const table = atGateways();
  return own(table, name) ?? own(table, name.replace(DATED, '')) ?? null;
}

/** US dollars for the usage of one turn (not of a whole run: a long prompt may cost more). */
export function costOf(usage: Usage, price: Price): number {
  const { input, output, thinking, cacheRead, cacheWrite } = usage;
  const prompt = input + cacheRead + cacheWrite;
  const isLong = price.long !== undefined && prompt > price.long.above;
  const rates = isLong ? (price.long?.rates ?? price) : price;
  const sum =
    input * rates.input +
    (output + thinking) * rates.output +
    cacheRead * rates.cacheRead +
    cacheWrite * rates.cacheWrite;
  return sum / MILLION;
}

/** OpenRouter writes `claude-opus-4.8` for `claude-opus-4-8`. */
function atGateways(): typeof ANTHROPIC {
  const rows = Object.entries(ANTHROPIC);
  const dotted = rows.map(([name, row]) => [name.replace(/-(\d+)-(\d+)$/, '-$1.$2'), row]);
  return { ...ANTHROPIC, ...OPENAI, ...Object.fromEntries(dotted) };
}
