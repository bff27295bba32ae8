/** Every setting with its value and origin, for people. A key is never part of it. */
import { NO_ACCOUNTS, type ProviderSettings } from '../host/config/accounts.ts';
import type { ConfigDocument } from '../host/config/document.ts';
import { PROVIDER_NAMES, rowOf } from '../host/providers.ts';
import { shownAddress } from '../lib/addresses.ts';
import {
  DEFAULT_MAX_ROUNDS,
  DEFAULT_TEMPERATURE,
  DEFAULT_TOOL_MODE,
  KEPT_OUTPUT,
} from '../schema/config.ts';
import type { CommandContext } from './command-context.ts';
import { placeOfOwn } from './server-words.ts';

export interface Shown {
  /** As in a file. */
  readonly key: string;
  readonly value: string | number | boolean | readonly string[] | null;
  /** `kept`: said to a question with "always here". */
  readonly origin: 'option' | 'environment' | 'project' | 'user' | 'kept' | 'default';
  /** The variable, or the file and its line. */
  readonly where: string | null;
}

type Context = Pick<CommandContext, 'configured' | 'terminal' | 'invocation' | 'engine'>;

const SECRET = '***';

/** Options by the name that a file has for them, with what holds where nothing is said. */
const OPTIONS: readonly (readonly [key: string, option: string, usual: Shown['value']])[] = [
  ['model', 'model', null],
  ['fallbacks', 'fallback', []],
  [
    'limits.maxRounds',
    'maxRounds',
    `${DEFAULT_MAX_ROUNDS.free} where the model leads, else ${DEFAULT_MAX_ROUNDS.guided}`,
  ],
  ['limits.maxTokens', 'maxTokens', null],
  ['limits.maxCost', 'maxCost', null],
  ['limits.maxTime', 'maxTime', null],
  ['toolMode', 'toolMode', DEFAULT_TOOL_MODE],
  ['effort', 'effort', null],
  ['temperature', 'temperature', DEFAULT_TEMPERATURE],
  ['contextWindow', 'context', null],
  ['maxToolResultChars', 'maxToolResultChars', null],
  ['instructions', 'instructions', true],
  ['sandbox', 'sandbox', 'off'],
];

export const allSettings = (context: Context): readonly Shown[] => [
  ...OPTIONS.map(([key, option, usual]) => shownOption(context, key, option, usual)),
  ...PROVIDER_NAMES.flatMap((name) => shownProvider(context, name)),
  ...shownKept(context),
  ...shownProfiles(context),
  ...shownPermissions(context),
  ...shownServers(context),
];

function shownOption(
  { configured: { typed, settings }, terminal }: Context,
  key: string,
  option: string,
  usual: Shown['value'],
): Shown {
  const given = typed[option];
  if (given !== undefined)
    return { key, value: given as Shown['value'], origin: 'option', where: null };
  const variable = option === 'model' ? modelVariable(terminal.env) : null;
  if (variable !== null)
    return { key, value: terminal.env[variable] ?? '', origin: 'environment', where: variable };
  const found = settings?.list.find((setting) => setting.option === option);
  if (found === undefined) return { key, value: usual, origin: 'default', where: null };
  const where = `${found.file}:${found.line}`;
  return { key, value: found.value as Shown['value'], origin: found.side, where };
}

function modelVariable(env: Context['terminal']['env']): string | null {
  const names = PROVIDER_NAMES.map(rowOf).flatMap((row) =>
    row.kind === 'local' && row.modelVariable !== undefined ? [row.modelVariable] : [],
  );
  return names.find((name) => (env[name] ?? '') !== '') ?? null;
}

function shownProvider({ configured, terminal }: Context, name: string): Shown[] {
  const row = PROVIDER_NAMES.filter((one) => one === name).map(rowOf)[0];
  if (row === undefined) return [];
  const { env } = terminal;
  const settings = accountsIn(configured).providers[name];
  const line = lineIn(configured.settings?.config.user?.document, ['providers', name]);
  const of = (part: string, variable: string | undefined, value: string | undefined): Shown[] => {
    const key = `providers.${name}.${part}`;
    const fromEnv = variable === undefined ? '' : (env[variable] ?? '');
    const plain = (text: string): string => (part === 'apiKey' ? SECRET : shownAddress(text));
    if (fromEnv !== '' && variable !== undefined)
      return [{ key, value: plain(fromEnv), origin: 'environment', where: variable }];
    if (value === undefined) return [];
    return [{ key, value: plain(value), origin: 'user', where: line(part) }];
  };
  if (row.kind === 'playback') return [];
  const { keyVariable, urlVariable } = row.kind === 'hosted' ? row : {};
  const hostVariable = row.kind === 'local' ? row.hostVariable : undefined;
  return [
    ...of('apiKey', keyVariable, settings?.apiKey),
    ...of('baseUrl', urlVariable ?? hostVariable, settings?.baseUrl),
    ...headersOf(name, settings, line('headers')),
  ];
}

const headersOf = (name: string, settings: ProviderSettings | undefined, where: string): Shown[] =>
  Object.keys(settings?.headers ?? {}).map((header) => ({
    key: `providers.${name}.headers.${header}`,
    value: SECRET,
    origin: 'user',
    where,
  }));

function shownKept({ configured: { settings } }: Context): Shown[] {
  const { form, document } = settings?.config.user ?? {};
  const line = lineIn(document, ['keptOutput']);
  const row = (part: 'commandMb' | 'runMb', usual: number): Shown => {
    const value = form?.keptOutput?.[part];
    const key = `keptOutput.${part}`;
    return value === undefined
      ? { key, value: usual / (1024 * 1024), origin: 'default', where: null }
      : { key, value, origin: 'user', where: line(part) };
  };
  return [row('commandMb', KEPT_OUTPUT.command), row('runMb', KEPT_OUTPUT.run)];
}

function shownProfiles({ configured }: Context): Shown[] {
  const line = lineIn(configured.settings?.config.user?.document, ['profiles']);
  return accountsIn(configured).profiles.map(({ id, provider }, index) => ({
    key: `profiles.${index}`,
    value: `${id} for ${provider}: ${SECRET}`,
    origin: 'user',
    where: line(index),
  }));
}

function shownPermissions({ configured, invocation, engine }: Context): Shown[] {
  const { rules, settings, typed } = configured;
  const kept = engine.keptRules(invocation.workspace);
  const { user, project } = settings?.config ?? {};
  const row = (
    kind: string,
    value: readonly string[] | undefined,
    from: Pick<Shown, 'origin' | 'where'>,
  ): Shown[] =>
    value === undefined || value.length === 0
      ? []
      : [{ key: `permissions.${kind}`, value, ...from }];
  const own = lineIn(user?.document, ['permissions']);
  const theirs = lineIn(project?.document, ['permissions']);
  return [
    ...(['allow', 'deny'] as const).flatMap((kind) => {
      const words = typed[kind];
      const value = Array.isArray(words) ? words.map(String) : [];
      return row(kind, value, { origin: 'option', where: null });
    }),
    ...(['allow', 'ask', 'deny'] as const).flatMap((kind) =>
      row(kind, rules.user?.[kind], { origin: 'user', where: own(kind) }),
    ),
    ...kept.rules.flatMap((rule) => row('allow', [rule], { origin: 'kept', where: kept.file })),
    ...(['ask', 'deny'] as const).flatMap((kind) =>
      row(kind, rules.project?.[kind], { origin: 'project', where: theirs(kind) }),
    ),
  ];
}

/** What its environment and its headers hold is not shown. */
function shownServers({ configured: { servers, settings } }: Context): Shown[] {
  const line = lineIn(settings?.config.user?.document, ['mcpServers']);
  return Object.entries(servers).flatMap(([name, entry]): Shown[] => {
    const from = { origin: 'user', where: line(name) } as const;
    const [part, secrets] =
      'command' in entry
        ? (['env', entry.env] as const)
        : (['headers', 'url' in entry ? entry.headers : {}] as const);
    return [
      { key: `mcpServers.${name}`, value: placeOfOwn(entry), ...from },
      ...Object.keys(secrets ?? {}).map(
        (secret): Shown => ({
          key: `mcpServers.${name}.${part}.${secret}`,
          value: SECRET,
          ...from,
        }),
      ),
    ];
  });
}

const accountsIn = ({ settings }: Context['configured']) =>
  settings?.config.accounts ?? NO_ACCOUNTS;

const lineIn =
  (document: ConfigDocument | undefined, path: readonly (string | number)[]) =>
  (part: string | number): string =>
    document === undefined ? '' : `${document.file}:${document.lineOf([...path, part])}`;
