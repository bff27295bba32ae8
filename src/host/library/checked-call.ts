/** Checks the options of a program that was not compiled against the types, before anything is created. */

import { misuse, type TardigradeError } from '../../lib/errors.ts';
import { nearestWord } from '../../lib/text/edit-distance.ts';
import { isLanguageModel } from '../../llm/language-model/language-model.ts';
import { groupsOf } from '../../options/option-values.ts';
import { checkedKey, checkGoal } from '../../run/start/checked-options.ts';
import type { KnownNames } from '../../run/start/common-options.ts';
import type { RuleLayers, RuleTexts } from '../../schema/rule-layers.ts';
import type { KeyProfile, OwnProviderSettings } from '../config/accounts.ts';
import { registeredFor } from './registered-providers.ts';

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
const isPlain = (value: unknown): boolean => isObject(value) && !Array.isArray(value);
const isText = (value: unknown): boolean => typeof value === 'string';
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
export const isSignal = (value: unknown): value is AbortSignal => value instanceof AbortSignal;

interface Form {
  is(value: unknown): boolean;
  readonly of: readonly string[];
}

/** What an option must be, if it is given; left out: values that the table of options checks. */
const FORMS: { readonly [words: string]: Form } = {
  'a text': {
    is: isText,
    of: [
      ...['run', 'profile', 'baseUrl', 'worker', 'backupFolder', 'file', 'session'],
      ...['name', 'key', 'system', 'systemPrompt'],
    ],
  },
  'a list of texts': { is: isTexts, of: ['keys'] },
  // Any value that is not empty would count as a yes, even the word "false".
  'true or false': {
    is: (value) => typeof value === 'boolean',
    of: ['resume', 'isUnanswered', 'forceUnlock'],
  },
  'a function': {
    is: (value) => typeof value === 'function',
    of: [...['emit', 'onEvent', 'beforeEffect', 'canUseTool', 'policy', 'saveRules', 'onRecord']],
  },
  'a list': { is: Array.isArray, of: ['tools', 'fallbacks', 'messages', 'profiles', 'images'] },
  'an object': { is: isPlain, of: ['servers', 'providers', 'template', 'parent', 'env'] },
  'an AbortSignal': { is: isSignal, of: ['signal', 'skipTrials'] },
  'a name, or a model of the Vercel AI SDK': {
    is: (value) => isText(value) || isLanguageModel(value),
    of: ['model'],
  },
  '32 bytes or null': {
    is: (value) => value === null || value instanceof Uint8Array,
    of: ['originKey'],
  },
};

/** What an object must be able to do. */
const PORTS: { readonly [name: string]: readonly string[] } = {
  provider: ['stream', 'describe'],
  journal: ['over'],
  inbox: ['listen'],
  lessons: ['of', 'learn'],
  cooldowns: ['leftFor', 'report'],
  leases: ['now', 'isOver'],
  programConsents: ['isSaved', 'save'],
};

const PROJECT: KnownNames<NonNullable<RuleLayers['project']>> = { ask: true, deny: true };
const USER: KnownNames<RuleTexts> = { allow: true, ask: true, deny: true };
const LAYERS: KnownNames<RuleLayers> = { project: true, user: true };

const PROVIDER: KnownNames<OwnProviderSettings> = {
  apiKey: true,
  baseUrl: true,
  headers: true,
  apiKeyCommand: true,
};
const PROFILE: KnownNames<KeyProfile> = { id: true, provider: true, apiKey: true };

const MACHINE = ['fs', 'clock', 'identity'];
const REACHED_BY = ['command', 'url', 'host'];

type Fields = { readonly [name: string]: unknown };

function checkFields(fields: Fields): void {
  for (const [words, { is, of }] of Object.entries(FORMS))
    for (const name of of)
      if (fields[name] !== undefined && !is(fields[name])) throw wrong(name, words);
  checkedKey(fields.originKey as Uint8Array | null | undefined);
  for (const [name, functions] of Object.entries(PORTS)) {
    const value = fields[name] as Fields | null | undefined;
    if (value !== undefined && !functions.every((one) => typeof value?.[one] === 'function'))
      throw wrong(name, `an object with ${functions.join(' and ')}`);
  }
  for (const name of ['ask', 'askPlan']) {
    const asker = fields[name] as Fields | null | undefined;
    if (asker === undefined || typeof asker === 'function') continue;
    if (![asker?.ask, asker?.isThere].every((one) => typeof one === 'function'))
      throw wrong(name, 'a function, or an object with ask and isThere');
  }
  const machine = fields.machine as Fields | null | undefined;
  if (machine !== undefined && !MACHINE.every((one) => isObject(machine?.[one])))
    throw wrong('machine', `an object with ${MACHINE.join(', ')}`);
}

/**
 * Refuses unknown parts of options. A misspelled part would silently have no effect: a rule that denies would
 * deny nothing.
 */
function checkParts(fields: Fields): void {
  const { rules, fallbacks = [], servers = {} } = fields;
  for (const [name, parts] of Object.entries(groupsOf())) refusePart(name, fields[name], parts);
  if (rules !== undefined) refusePart('rules', rules, LAYERS);
  const { project, user } = (rules ?? {}) as RuleLayers;
  for (const [name, layer, known] of [
    ['project', project, PROJECT],
    ['user', user, USER],
  ] as const) {
    refusePart(`rules.${name}`, layer, known);
    for (const [effect, list] of Object.entries(layer ?? {}))
      if (list !== undefined && !isTexts(list))
        throw wrong(`rules.${name}.${effect}`, 'a list of rules');
  }
  for (const one of fallbacks as readonly unknown[])
    if (typeof one !== 'string' && !isObject((one as Fields | null)?.provider))
      throw wrong('fallbacks', 'a list of names and of objects with provider and model');
  for (const [name, server] of Object.entries(servers as Fields))
    if (!REACHED_BY.some((one) => typeof (server as Fields | null)?.[one] === 'string'))
      throw wrong(`servers.${name}`, 'an object with command, with url, or with host and port');
}

/**
 * Refuses unknown fields of accounts: with a misspelt key or address, everything would go to somebody else.
 */
function checkAccounts({ providers = {}, profiles = [] }: Fields): void {
  for (const [name, settings] of Object.entries(providers as Fields)) {
    if (settings === undefined) continue;
    const label = `providers.${name}`;
    if (!isPlain(settings)) throw wrong(label, 'an object');
    // Whoever registered a provider says what its settings are.
    if (registeredFor(`${name}/any`) !== null) continue;
    refuseUnknown(label, settings, PROVIDER);
    const { apiKey = '', baseUrl = '', headers = {} } = settings as Fields;
    if (typeof apiKey !== 'string') throw wrong(`${label}.apiKey`, 'a text');
    if (typeof baseUrl !== 'string') throw wrong(`${label}.baseUrl`, 'a text');
    if (!isObject(headers) || !isTexts(Object.values(headers as Fields)))
      throw wrong(`${label}.headers`, 'an object of texts');
  }
  for (const profile of profiles as readonly unknown[]) {
    const parts = Object.keys(PROFILE).map((part) => (profile as Fields | null)?.[part]);
    if (!isTexts(parts)) throw wrong('profiles', 'a list of objects with id, provider and apiKey');
    refuseUnknown('a profile', profile, PROFILE);
  }
}

function refusePart(name: string, value: unknown, known: { readonly [part: string]: true }): void {
  if (value === undefined) return;
  if (!isPlain(value)) throw wrong(name, 'an object');
  refuseUnknown(name, value, known);
}

/** Throws E_USAGE. */
export function checkCall(options: unknown): void {
  const fields = fieldsOf(options);
  requireWorkspace(fields);
  if (typeof fields.goal !== 'string' && fields.goal !== null) throw wrong('goal', 'a text');
  checkFields(fields);
  checkParts(fields);
  checkAccounts(fields);
  // Checked here, because otherwise a missing model would be reported first.
  checkGoal(fields.goal);
}

/** The same for any other call. @param known the names of all its options */
export function checkQuery(
  called: string,
  options: unknown,
  known: { readonly [name: string]: true },
): void {
  const fields = fieldsOf(options);
  refuseUnknown(called, options, known);
  if (fields.workspace !== undefined) requireWorkspace(fields);
  checkFields(fields);
  checkAccounts(fields);
}

function fieldsOf(options: unknown): Fields {
  if (typeof options !== 'object' || options === null) throw wrong('options', 'an object');
  return options as Fields;
}

/** Throws E_USAGE if no folder is named. */
export function requireWorkspace({ workspace }: { readonly workspace?: unknown }): void {
  if (typeof workspace !== 'string' || workspace === '')
    throw wrong('workspace', 'the path of a folder');
}

/**
 * Throws E_USAGE for an option that the function does not have: it would silently have no effect. An option whose value
 * is undefined is ignored.
 * @param known the names of all its options
 */
export function refuseUnknown(
  called: string,
  options: unknown,
  known: { readonly [name: string]: true },
): void {
  if (typeof options !== 'object' || options === null) return;
  const names = Object.keys(known);
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || Object.hasOwn(known, name)) continue;
    const shown = JSON.stringify(name.slice(0, 60));
    const near = nearestWord(name, names);
    throw misuse(
      `${called} has no option ${shown}.`,
      near === null ? 'See docs/library.md for each option.' : `Did you mean "${near}"?`,
    );
  }
}

/**
 * Throws E_USAGE if the value is no set of options for one message, or has an option that messages do not
 * have.
 */
export function checkMessageOptions(
  called: string,
  how: unknown,
  known: { readonly [name: string]: true },
): void {
  if (!isObject(how)) throw wrong(`what ${called} takes`, 'an object');
  refuseUnknown(called, how, known);
  checkFields(how as Fields);
}

export const wrong = (name: string, what: string): TardigradeError =>
  misuse(`${name} must be ${what}.`, 'See docs/library.md for each option.');
