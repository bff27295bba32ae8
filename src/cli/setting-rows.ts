/** Every setting with its value and origin, for people. Keys are never shown. */
import { NO_ACCOUNTS } from '../host/config/accounts.ts';
import type { ConfigDocument } from '../host/config/document.ts';
import { furtherNames, PROVIDER_NAMES, rowOf } from '../host/providers/providers.ts';
import { addressWithoutCredentials } from '../lib/text/addresses.ts';
import { optionValue } from '../options/option-values.ts';
import type { OptionRow } from '../options/row.ts';
import { longFlag, OPTIONS, rowsIn } from '../options/table.ts';
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
  /** Other ways to set the option: a flag, a variable. */
  readonly ways: readonly string[];
}

type Context = Pick<CommandContext, 'configured' | 'terminal' | 'invocation' | 'engine'>;

const SECRET = '***';

export const allSettings = (context: Context): readonly SettingRow[] => [
  ...rowsIn(OPTIONS).flatMap(([name, row]) =>
    row.setting === undefined ? [] : [optionRows(context, name, row, row.setting)],
  ),
  ...[...PROVIDER_NAMES, ...furtherNames(accountsIn(context.configured).providers)].flatMap(
    (name) => providerRows(context, name),
  ),
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
  const ways = waysOf(name, row);
  if (typed !== undefined)
    return { key, value: inFile(row, typed), origin: 'option', where: null, ways };
  const variable = variableOf(name, row, terminal.env);
  if (variable !== null) {
    const value = terminal.env[variable] ?? '';
    return { key, value, origin: 'environment', where: variable, ways };
  }
  const found = settings?.list.find(({ option }) => option === name);
  if (found === undefined) return unset(key, usualOf(row), ways);
  const where = `${found.file}:${found.line}`;
  return { key, value: found.value as SettingRow['value'], origin: found.side, where, ways };
}

const isSet = ({ origin }: SettingRow): boolean => origin !== 'default';

const unset = (
  key: string,
  value: SettingRow['value'],
  ways: readonly string[] = [],
): SettingRow => ({ key, value, origin: 'default', where: null, ways });

const ofUser = (
  key: string,
  value: SettingRow['value'],
  where: string,
  ways: readonly string[] = [],
): SettingRow => ({ key, value, origin: 'user', where, ways });

function waysOf(name: string, row: OptionRow): readonly string[] {
  const { behind = name, variable } = row;
  const flag = rowsIn(OPTIONS).flatMap(([one, its]) => (one === behind ? longFlag(its) : []));
  const variables = name === 'model' ? modelVariables() : [variable ?? []].flat();
  return [...flag, ...variables.filter((one) => typeof one === 'string')].filter(Boolean);
}

/** As a settings file would write it. */
const inFile = ({ kind }: OptionRow, value: unknown): SettingRow['value'] =>
  (kind.toFile?.(value) ?? value) as SettingRow['value'];

function usualOf(row: OptionRow): SettingRow['value'] {
  if (row.usually !== undefined) return row.usually;
  if (row.usual !== undefined) return inFile(row, row.usual);
  return row.kind.typed === 'values' ? [] : null;
}

function variableOf(name: string, { variable }: OptionRow, env: Context['terminal']['env']) {
  if (name === 'model') return modelVariable(env);
  return typeof variable === 'string' && (env[variable] ?? '') !== '' ? variable : null;
}

const modelVariables = (): readonly string[] =>
  PROVIDER_NAMES.map(rowOf).flatMap((row) =>
    row.kind === 'local' && row.modelVariable !== undefined ? [row.modelVariable] : [],
  );

const modelVariable = (env: Context['terminal']['env']): string | null =>
  modelVariables().find((name) => (env[name] ?? '') !== '') ?? null;

function providerRows({ configured, terminal }: Context, name: string): SettingRow[] {
  const row = rowOf(name);
  const { env } = terminal;
  const settings = accountsIn(configured).providers[name];
  const line = lineIn(configured.settings?.config.user?.document, ['providers', name]);
  const of = (
    part: string,
    variable: string | undefined,
    value: string | undefined,
  ): SettingRow[] => {
    const key = `providers.${name}.${part}`;
    const ways = [variable ?? ''].filter(Boolean);
    const fromEnv = variable === undefined ? '' : (env[variable] ?? '');
    const plain = (text: string): string =>
      part === 'apiKey' ? SECRET : addressWithoutCredentials(text);
    if (fromEnv !== '' && variable !== undefined)
      return [{ key, value: plain(fromEnv), origin: 'environment', where: variable, ways }];
    if (value === undefined) return [unset(key, null, ways)];
    return [ofUser(key, plain(value), line(part), ways)];
  };
  if (row.kind === 'playback') return [];
  const { keyVariable, urlVariable } = row.kind === 'hosted' ? row : {};
  const hostVariable = row.kind === 'local' ? row.hostVariable : undefined;
  const keys =
    row.kind === 'hosted'
      ? [
          ...of('apiKey', keyVariable, settings?.apiKey),
          ...of('apiKeyCommand', undefined, settings?.apiKeyCommand?.join(' ')).filter(isSet),
        ]
      : [];
  if (row.kind === 'local' && hostVariable === undefined) return [];
  return [
    ...keys,
    ...of('baseUrl', urlVariable ?? hostVariable, settings?.baseUrl),
    ...secretsOf(`providers.${name}.headers`, settings?.headers, line('headers')),
  ];
}

const secretsOf = (key: string, secrets: object | undefined, where: string): SettingRow[] =>
  Object.keys(secrets ?? {}).map((name) => ofUser(`${key}.${name}`, SECRET, where));

function profileRows({ configured }: Context): SettingRow[] {
  const line = lineIn(configured.settings?.config.user?.document, ['profiles']);
  const { profiles } = accountsIn(configured);
  if (profiles.length === 0) return [unset('profiles', [])];
  return profiles.map(({ id, provider }, index) =>
    ofUser(`profiles.${index}`, `${id} for ${provider}: ${SECRET}`, line(index)),
  );
}

function permissionRows({ configured, invocation, engine }: Context): SettingRow[] {
  const { rules, settings } = configured;
  const kept = engine.keptRules(invocation.workspace);
  const { user, project } = settings?.config ?? {};
  const waysFor = (kind: string) => (kind === 'ask' ? [] : [`--${kind}`]);
  const row = (
    kind: string,
    value: readonly string[] | undefined,
    from: Pick<SettingRow, 'origin' | 'where'>,
  ): SettingRow[] =>
    value === undefined || value.length === 0
      ? []
      : [{ key: `permissions.${kind}`, value, ...from, ways: waysFor(kind) }];
  const own = lineIn(user?.document, ['permissions']);
  const theirs = lineIn(project?.document, ['permissions']);
  const rows = [
    ...(['allow', 'deny'] as const).flatMap((kind) => {
      return row(kind, invocation[kind], { origin: 'option', where: null });
    }),
    ...(['allow', 'ask', 'deny'] as const).flatMap((kind) =>
      row(kind, rules.user?.[kind], { origin: 'user', where: own(kind) }),
    ),
    ...kept.flatMap(({ rule, file }) => row('allow', [rule], { origin: 'kept', where: file })),
    ...(['ask', 'deny'] as const).flatMap((kind) =>
      row(kind, rules.project?.[kind], { origin: 'project', where: theirs(kind) }),
    ),
  ];
  const absent = ['allow', 'ask', 'deny'].filter((kind) =>
    rows.every(({ key }) => key !== `permissions.${kind}`),
  );
  return [...rows, ...absent.map((kind) => unset(`permissions.${kind}`, [], waysFor(kind)))];
}

/** Values of its environment and headers are not shown. */
function serverRows({ configured: { servers, settings } }: Context): SettingRow[] {
  const line = lineIn(settings?.config.user?.document, ['mcpServers']);
  if (Object.keys(servers).length === 0) return [unset('mcpServers', [])];
  return Object.entries(servers).flatMap(([name, entry]) => {
    const key = `mcpServers.${name}`;
    const secrets =
      'command' in entry
        ? secretsOf(`${key}.env`, entry.env, line(name))
        : secretsOf(`${key}.headers`, 'url' in entry ? entry.headers : {}, line(name));
    return [ofUser(key, placeOfOwn(entry), line(name)), ...secrets];
  });
}

const accountsIn = ({ settings }: Context['configured']) =>
  settings?.config.accounts ?? NO_ACCOUNTS;

const lineIn =
  (document: ConfigDocument | undefined, path: readonly (string | number)[]) =>
  (part: string | number): string =>
    document === undefined ? '' : `${document.file}:${document.lineOf([...path, part])}`;
