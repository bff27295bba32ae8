import type { ProviderListing } from '../../host/engine-port.ts';
import type { ListedModel } from '../../host/providers/provider-row.ts';
import { EXIT } from '../../run/exit-codes.ts';
import type { CommandContext } from '../command-context.ts';
import { nextStepText } from '../command-line/option-flags.ts';
import { listenForInterrupt } from '../process/interrupt.ts';
import { columnsOf, fill } from '../render/text/fold.ts';
import { createStyle, type Style } from '../render/text/style.ts';
import { count, oneLine, widthOf } from '../render/text/text.ts';
import { printJson, wantsJson } from './print.ts';

/** If a provider has more models than this, they are counted instead of listed; `--verbose` lists them. */
const MAX_LISTED = 15;
const LOG_WIDTH = 120;
/** `1,050,000  tools schema think  $10 / $50`, with the blanks before it. */
const FACTS_WIDTH = 47;
const SHORTEST_NAME = 20;

/** `agent models`: lists the models that can be used from here. Exit code 7 if there is none. */
export async function modelsCommand(context: CommandContext): Promise<number> {
  const { invocation, terminal, engine } = context;
  const { stdout } = terminal;
  const interrupt = listenForInterrupt(terminal, EXIT.interrupted);
  try {
    const { host = null, baseUrl = null } = invocation;
    const providers = await engine.listModels({ host, baseUrl, signal: interrupt.signal });
    const isAny = providers.some(({ models, problem }) => models.length > 0 && problem === '');
    const exitCode = isAny ? EXIT.achieved : EXIT.provider;
    if (wantsJson(context)) {
      printJson(context, { providers });
      return exitCode;
    }
    const columns = columnsOf(stdout, Number.POSITIVE_INFINITY);
    const width = Math.min(columns, LOG_WIDTH);
    const style = createStyle(terminal, stdout);
    const most = invocation.verbose === true ? Number.POSITIVE_INFINITY : MAX_LISTED;
    const agent = terminal.program;
    stdout.write(modelsText(providers, { style, width, columns, most, agent }));
    return exitCode;
  } catch (error) {
    if (interrupt.signal.aborted) return EXIT.interrupted;
    throw error;
  } finally {
    interrupt.dispose();
  }
}

interface Look {
  readonly style: Style;
  /** The width of a line of the list. */
  readonly width: number;
  /** The width of a line of prose; left out: the same. */
  readonly columns?: number;
  readonly most: number;
  /** The name by which the program was started. */
  readonly agent: string;
}

/** Lists every model on a line below its provider; an unreachable provider says why in one line. */
export function modelsText(providers: readonly ProviderListing[], look: Look): string {
  const { style } = look;
  const names = providers.flatMap(({ models }) =>
    models.slice(0, look.most).map(({ name }) => name),
  );
  const room = Math.max(SHORTEST_NAME, look.width - FACTS_WIDTH);
  const column = Math.min(room, Math.max(SHORTEST_NAME, ...names.map(widthOf)));
  const lines = providers.flatMap((provider) => sectionOf(provider, look, column));
  const hasPrice = providers.some(({ models }) =>
    models.some(({ price }) => price !== null && price !== 'free'),
  );
  const notes = names.length === 0 ? [] : [`Use one: ${look.agent} --model NAME "goal"`];
  if (hasPrice) notes.push('Prices: US dollars per million tokens, in / out, as last known.');
  return `${[...lines, ...notes.map((note) => style.paint('dim', note))].join('\n')}\n`;
}

function sectionOf(
  { provider, where, models, problem, next: hint, ...advice }: ProviderListing,
  { style, width, columns = width, most, agent }: Look,
  column: number,
): readonly string[] {
  const next = nextStepText({ hint, ...advice }, agent);
  const isThere = problem === '';
  const [head = '', ...more] = fill(oneLine(isThere ? where : problem), columns - 12);
  const below = next === '' ? [] : fill(oneLine(next), columns - 12);
  const indented = (lines: readonly string[]) => lines.map((line) => `${' '.repeat(12)}${line}`);
  const tone = isThere ? 'good' : 'dim';
  const shown = models.slice(0, most).flatMap((model) => modelLines(model, width, column));
  const hidden = models.length - Math.min(models.length, most);
  return [
    `${style.paint(tone, oneLine(provider).padEnd(11))} ${head}`,
    ...indented(more),
    ...shown,
    ...(hidden > 0 ? [`  and ${count(hidden)} more: ${agent} models --verbose`] : []),
    ...indented(below),
  ];
}

/** A name that is too long for its column gets a line of its own, uncut, so that it can be copied. */
function modelLines(model: ListedModel, width: number, column: number): readonly string[] {
  const name = oneLine(model.name);
  const facts = factsOf(model);
  const gap = column - widthOf(name);
  const row = `  ${gap < 0 ? '' : name}${' '.repeat(gap < 0 ? column : gap)} ${facts}`.trimEnd();
  if (widthOf(row) <= width) return gap < 0 ? [`  ${name}`, row] : [row];
  // If columns leave no room, the facts follow in one line.
  const words = facts.trim().replaceAll(/ {2,}/g, ', ').replace(' / ', '/');
  return [`  ${name}`, ...fill(words, width - 4).map((line) => `    ${line}`)];
}

function factsOf({ contextWindow, capabilities, price }: ListedModel): string {
  const window = contextWindow === null ? '?' : count(contextWindow);
  const can = capabilities ?? { tools: false, schema: false, thinking: false };
  const words = [can.tools && 'tools', can.schema && 'schema', can.thinking && 'think'];
  const able = capabilities === null ? '?' : words.filter(Boolean).join(' ');
  return `${window.padStart(10)}  ${able.padEnd(18)}  ${priceText(price)}`;
}

function priceText(price: ListedModel['price']): string {
  if (price === null) return '';
  return price === 'free' ? 'free' : `$${price.input} / $${price.output}`;
}
