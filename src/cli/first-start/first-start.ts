/**
 * The first start at a terminal. If exactly one model is available, it is used. Otherwise the person chooses once, the
 * choice is saved in their settings, and the start begins again with it.
 */
import { saveKey } from '../../host/config/key-file.ts';
import { saveModel } from '../../host/config/save-model.ts';
import type { HostEnvironment } from '../../host/host-environment.ts';
import { firstChoices, keyRefusal } from '../../host/models/first-choices.ts';
import { defined } from '../../lib/defined.ts';
import { misuse, TardigradeError } from '../../lib/errors.ts';
import { nodeFileSystem } from '../../lib/files/file-system.ts';
import { EXIT } from '../../run/exit-codes.ts';
import type { CommandContext } from '../command-context.ts';
import { install } from '../commands/setup.ts';
import { listenForInterrupt } from '../process/interrupt.ts';
import { printFolded } from '../render/text/fold.ts';
import { inLine } from '../render/text/text.ts';
import { askSecret, askWhich, type Choosing, type ListedChoice } from './ask.ts';
import { type FirstWay, firstWaysOf, mustAsk } from './ways.ts';

const MAX_TRIES = 3;

/** `null`: there is nothing to ask. */
export async function firstStart(context: CommandContext): Promise<number | null> {
  const { terminal, configured } = context;
  const interrupt = listenForInterrupt(terminal, EXIT.interrupted);
  const { signal } = interrupt;
  const place: HostEnvironment = {
    ...terminal,
    ...defined({ accounts: configured.settings?.config.accounts }),
  };
  let model: string | null = null;
  try {
    const choices = await firstChoices(place, signal);
    if (!mustAsk(choices)) return null;
    const ways = firstWaysOf(choices, configured.begin.ignoreSettings !== true);
    const asking = { terminal, signal };
    const way = await askWhich(asking, 'No model is chosen yet. What should do the work?', ways, [
      ...choices.away,
    ]);
    if (way !== null) model = await modelOf(way, context, place, asking);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    interrupt.dispose();
  }
  if (signal.aborted) {
    terminal.stderr.write('\n');
    return EXIT.interrupted;
  }
  if (model === null) throw misuse('No model was chosen.', 'Name one.', { option: 'model' });
  return await context.restart(keepChoice(context, model) ? [] : ['--model', model]);
}

/** The model as an option would name it; `null` if the person changed their mind. */
async function modelOf(
  way: FirstWay,
  context: CommandContext,
  place: HostEnvironment,
  asking: Choosing,
): Promise<string | null> {
  switch (way.kind) {
    case 'ready':
      return way.model;
    case 'obtain': {
      const { part, model, spec } = way;
      await install(context, part, model, asking.signal);
      return spec;
    }
    case 'key':
      return await pastedKey(way, place, asking);
    default:
      return way satisfies never;
  }
}

/** The key is shown nowhere, sent only to its API, and kept where only this user can read it. */
async function pastedKey(
  { providers }: Extract<FirstWay, { kind: 'key' }>,
  place: HostEnvironment,
  asking: Choosing,
): Promise<string | null> {
  const { stderr } = asking.terminal;
  const ways = providers.map((one): ListedChoice & typeof one => ({ ...one, text: one.label }));
  const [only] = ways;
  const one = ways.length === 1 ? only : await askWhich(asking, 'Whose key is it?', ways);
  if (one === undefined || one === null) return null;
  for (let tried = 0; tried < MAX_TRIES; tried += 1) {
    const key = await askSecret(
      asking,
      `Paste the key of ${one.label} and press Enter (it is not shown): `,
    );
    if (key === null) return null;
    const refusal = isKey(key)
      ? await keyRefusal(one.name, key, place, asking.signal)
      : 'That is not a key: a key is one word of letters, digits and signs.';
    if (refusal !== null) {
      printFolded(stderr, `${inLine(refusal)}\n`);
      continue;
    }
    const file = saveKey(nodeFileSystem, place, one.name, key);
    printFolded(stderr, `The key is kept in ${inLine(file)}, which only you can read.\n`);
    return one.model;
  }
  return null;
}

const isKey = (text: string): boolean => /^[!-~]{8,4096}$/.test(text);

function keepChoice({ terminal, configured, engine }: CommandContext, model: string): boolean {
  const { ignoreSettings, config } = configured.begin;
  if (ignoreSettings === true) return false;
  try {
    const file = saveModel(engine.editSettings, terminal, model, config ?? null);
    printFolded(
      terminal.stderr,
      `${model} is kept as your model in ${inLine(file)}. For another: ${terminal.program} --model NAME\n`,
    );
    return true;
  } catch (error) {
    if (!(error instanceof TardigradeError)) throw error;
    printFolded(terminal.stderr, `The choice counts only this time: ${inLine(error.message)}\n`);
    return false;
  }
}
