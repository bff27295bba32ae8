/** Every setting with its value and origin, for people. Keys are never shown. */
import { NO_ACCOUNTS, type ProviderSettings } from '../host/config/accounts.ts';
import type { ConfigDocument } from '../host/config/document.ts';
import { PROVIDER_NAMES, rowOf } from '../host/providers/providers.ts';
import { addressWithoutCredentials } from '../lib/text/addresses.ts';
import { optionValue } from '../options/option-values.ts';
import type { OptionRow } from '../options/row.ts';
import { OPTIONS, rowsOf } from '../options/table.ts';
import type { CommandContext } from './command-context.ts';
import { placeOfOwn } from './questions/server-words.ts';

export interface SettingRow {
  /** As in a settings file. */
  readonly key: string;
  readonly value: string | number | boolean | readonly string[] | null;
  /** `kept`: the person answered a question with "always here". */
  readonly origin: 'option' | 'environment' | 'project' | 'user' | 'kept' | 'default';
  /** The variable, or the file and its line. */
  readonly where: string | null;
}

type Context = Pick<CommandContext, 'configured' | 'terminal' | 'invocation' | 'engine'>;

const SECRET = '***';

export const allSettings = (context: Context): readonly SettingRow[] => [
  ...rowsOf(OPTIONS).flatMap(([name, row]) =>
    row.setting === undefined ? [] : [optionRows(context, name, row, row.setting)],
  ),
  ...PROVIDER_NAMES.flatMap((name) => providerRows(context, name)),
  ...profileRows(context),
  ...permissionRows(context),
  ...serverRows(context),
];

function optionRows(
  { configured: { settings }, terminal, invocation }: Context,
  name: string,
  row: OptionRow,
  key: string,
): SettingRow {
  const typed = optionValue(invocation, row.behind ?? name);
  if (typed !== undefined) return { key, value: inFile(row, typed), origin: 'option', where: null };
  const variable = variableOf(name, row, terminal.env);
  if (variable !== null)
    return { key, value: terminal.env[variable] ?? '', origin: 'environment', where: variable };
  const found = settings?.list.find(({ option }) => option === name);
  if (found === undefined) return { key, value: usualOf(row), origin: 'default', where: null };
  const where = `${found.file}:${found.line}`;
  return { key, value: found.value as SettingRow['value'], origin: found.side, where };
}

/** As a settings file would write it. */
const inFile = ({ kind }: OptionRow, value: unknown): SettingRow['value'] =>
  (kind.toFile?.(value) ?? value) as SettingRow['value'];

function usualOf(row: OptionRow): SettingRow['value'] {
  if (row.usually !== undefined) return row.usually;
  if (row.usual !== undefined) return inFile(row, row.usual);
  return row.kind.typed === 'values' ? [] : null;
}

/** The variable that is in use. */
function variableOf(name: string, { variable }: OptionRow, env: Context['terminal']['env']) {
  if (name === 'model') return modelVariable(env);
  return typeof variable === 'string' && (env[variable] ?? '') !== '' ? variable : null;
}

function modelVariable(env: Context['terminal']['env']): string | null {
  const names = PROVIDER_NAMES.map(rowOf).flatMap((row) =>
    row.kind === 'local' && row.modelVariable !== undefined ? [row.modelVariable] : [],
  );
  return names.find((name) => (env[name] ?? '') !== '') ?? null;
}

function providerRows({ configured, terminal }: Context, name: string): SettingRow[] {
  const row = PROVIDER_NAMES.filter((one) => one === name).map(rowOf)[0];
  if (row === undefined) return [];
  const { env } = terminal;
  const settings = accountsIn(configured).providers[name];
  const line = lineIn(configured.settings?.config.user?.document, ['providers', name]);
  const of = (
    part: string,
    variable: string | undefined,
    value: string | undefined,
  ): SettingRow[] => {
    const key = `providers.${name}.${part}`;
    const fromEnv = variable === undefined ? '' : (env[variable] ?? '');
    const plain = (text: string): string =>
      part === 'apiKey' ? SECRET : addressWithoutCredentials(text);
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
    ...of('apiKeyCommand', undefined, settings?.apiKeyCommand?.join(' ')),
    ...of('baseUrl', urlVariable ?? hostVariable, settings?.baseUrl),
    ...headersOf(name, settings, line('headers')),
  ];
}

const headersOf = (
  name: string,
  settings: ProviderSettings | undefined,
  where: string,
): SettingRow[] =>
  Object.keys(settings?.headers ?? {}).map((header) => ({
    key: `providers.${name}.headers.${header}`,
    value: SECRET,
    origin: 'user',
    where,
  }));

function profileRows({ configured }: Context): SettingRow[] {
  const line = lineIn(configured.settings?.config.user?.document, ['profiles']);
  return accountsIn(configured).profiles.map(({ id, provider }, index) => ({
    key: `profiles.${index}`,
    value: `${id} for ${provider}: ${SECRET}`,
    origin: 'user',
    where: line(index),
  }));
}

function permissionRows({ configured, invocation, engine }: Context): SettingRow[] {
  const { rules, settings } = configured;
  const kept = engine.savedRules(invocation.workspace);
  const { user, project } = settings?.config ?? {};
  const row = (
    kind: string,
    value: readonly string[] | undefined,
    from: Pick<SettingRow, 'origin' | 'where'>,
  ): SettingRow[] =>
    value === undefined || value.length === 0
      ? []
      : [{ key: `permissions.${kind}`, value, ...from }];
  const own = lineIn(user?.document, ['permissions']);
  const theirs = lineIn(project?.document, ['permissions']);
  return [
    ...(['allow', 'deny'] as const).flatMap((kind) => {
      return row(kind, invocation[kind], { origin: 'option', where: null });
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

/** Values of its environment and headers are not shown. */
function serverRows({ configured: { servers, settings } }: Context): SettingRow[] {
  const line = lineIn(settings?.config.user?.document, ['mcpServers']);
  return Object.entries(servers).flatMap(([name, entry]): SettingRow[] => {
    const from = { origin: 'user', where: line(name) } as const;
    const [part, secrets] =
      'command' in entry
        ? (['env', entry.env] as const)
        : (['headers', 'url' in entry ? entry.headers : {}] as const);
    return [
      { key: `mcpServers.${name}`, value: placeOfOwn(entry), ...from },
      ...Object.keys(secrets ?? {}).map(
        (secret): SettingRow => ({
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
