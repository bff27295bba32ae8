/** Pure: the settings of a conversation that an editor can change. */
import type { SessionConfigOption } from '@agentclientprotocol/sdk';
import { misuse } from '../../lib/errors.ts';
import { EFFORTS, type Effort } from '../../schema/config.ts';

export const MODEL_OPTION = 'model';
export const EFFORT = 'effort';
/** The model's own setting. */
const USUAL = 'usual';

export function configOptions(
  current: string,
  models: readonly string[],
  effort: Effort | undefined,
): SessionConfigOption[] {
  const all = [...new Set([current, ...models])];
  return [
    {
      id: MODEL_OPTION,
      name: 'Model',
      category: 'model',
      type: 'select',
      currentValue: current,
      options: all.map((name) => ({ value: name, name })),
    },
    {
      id: EFFORT,
      name: 'Effort',
      category: 'thought_level',
      type: 'select',
      description: 'How much a model that thinks may think.',
      currentValue: effort ?? USUAL,
      options: [USUAL, ...EFFORTS].map((value) => ({ value, name: value })),
    },
  ];
}

export interface Settable {
  readonly model?: string | undefined;
  readonly effort?: Effort | undefined;
}

/** The change to make. Throws E_USAGE for a setting that cannot be changed. */
export function settingIn(id: string, value: unknown): Settable {
  if (id === MODEL_OPTION && typeof value === 'string' && value.trim() !== '')
    return { model: value };
  if (id === EFFORT && value === USUAL) return { effort: undefined };
  const effort = EFFORTS.find((one) => one === value);
  if (id === EFFORT && effort !== undefined) return { effort };
  throw misuse(
    `${id} cannot be set to ${JSON.stringify(value)}.`,
    `Set ${MODEL_OPTION} or ${EFFORT} to a value that is offered.`,
  );
}
