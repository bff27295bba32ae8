/** The built `agent` with a hosted API behind it, reached as a user would: key and address. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type AgentEnd, stateFile } from './e2e-agent.ts';
import { ANTHROPIC } from './hosted-anthropic.ts';
import type { HostedApi, HostedServer } from './hosted-api.ts';
import { OPENAI } from './hosted-openai.ts';

export const APIS: readonly HostedApi[] = [ANTHROPIC, OPENAI];

/** In no form that would be taken for a key by its looks. */
export const KEY = 'first.Zebra.4711';
export const SECOND_KEY = 'second.Okapi.0815';

/** The address by an option or by the environment, as both are promised; the key as `key` says. */
export function reach(
  api: HostedApi,
  { url }: HostedServer,
  by: 'option' | 'environment',
  keys: { readonly [variable: string]: string } = { [api.keyVariable]: KEY },
) {
  const isOption = by === 'option';
  return {
    words: ['--model', `${api.name}/${api.model}`, ...(isOption ? ['--base-url', url] : [])],
    env: { ...keys, ...(isOption ? {} : { [api.urlVariable]: url }) },
  };
}

/** No word of a secret was said or kept. */
export function expectUntold(folder: string, end: AgentEnd, ...secrets: string[]): void {
  const root = stateFile(folder, '');
  const kept = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((name) => join(root, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'utf8'));
  expect(kept.length).toBeGreaterThan(2);
  const told = [end.stdout, end.stderr, ...kept].join('\n');
  for (const secret of secrets) expect(told).not.toContain(secret);
}
