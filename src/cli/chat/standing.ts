/** `/status`, `/cost` and `/compact`: where a conversation stands, and how to shorten it. */
import { typedRule } from '../../policy/words-of.ts';
import type { ConversationState } from '../../schema/state.ts';
import { costText, tokensText } from '../../shown/costs.ts';
import { duration, oneLine, plural } from '../render/text/text.ts';
import type { SlashPlace } from './slash.ts';

export async function compactConversation(
  _: string,
  { session, say, signal }: SlashPlace,
): Promise<void> {
  const before = session().contextTokens;
  if (!(await session().compact({ signal }))) return say('There is nothing to sum up yet.');
  say(
    `Summed up: about ${session().contextTokens} tokens of the window are in use, ${before} before.`,
  );
}

export function showCost(_: string, { session, context, say }: SlashPlace): void {
  const { usage } = session().state;
  const { modelMs } = usage.total;
  const hasRuns = context.engine.listRuns(context.invocation.workspace).length > 0;
  const words = [tokensText(usage.total), costText(usage), `${duration(modelMs)} of the model`];
  say(`${words.filter(Boolean).join(', ')}${hasRuns ? '; runs of /goal count apart' : ''}`);
}

/** The rules that the person has allowed, as typed; ''. */
export const allowedIn = ({ permissions }: ConversationState): string =>
  (permissions?.rules ?? [])
    .flatMap(({ rule, allowed }) => (allowed && rule !== undefined ? typedRule(rule) : []))
    .join(', ');

export function showStatus(_: string, { session, context, show }: SlashPlace): void {
  const { state, contextTokens, tools } = session();
  const { settings, permissions, chat } = state;
  const window = settings?.numCtx ?? 0;
  const open = permissions?.open ?? [];
  const changed = chat.changing.filter(({ isUndone }) => !isUndone).length;
  const share = window === 0 ? '' : `, ${Math.round((100 * contextTokens) / window)} %`;
  const rows: readonly (readonly [string, string])[] = [
    ['folder', oneLine(context.invocation.workspace)],
    ['session', String(chat.name ?? chat.number ?? state.run)],
    ['model', settings === null ? 'none yet' : `${settings.provider} ${oneLine(settings.model)}`],
    ['context', `about ${contextTokens} of ${window} tokens${share}`],
    ['tools', `${tools.length}, listed by /tools`],
    ['allowed', allowedIn(state) || 'nothing beyond the rules'],
    ...(open.length === 0
      ? []
      : [['asks for', open.map(({ target }) => oneLine(target ?? '')).join(', ')] as const]),
    [
      'changed',
      changed === 0 ? 'no file' : `files, by ${plural(changed, 'message')}: /diff, /undo`,
    ],
  ];
  show(rows.map(([name, words]) => `${name.padEnd(9)}${words}`).join('\n'));
}
