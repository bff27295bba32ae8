/** Checks a settings file against its form; an error names the line and the nearest valid name. */
import { nearestWord } from '../../lib/text/edit-distance.ts';
import { oneLine } from '../../lib/text/plain-text.ts';
import { type ConfigDocument, configFault, type SettingPath } from './document.ts';
import { type ConfigForm, configForm, configSchema } from './form.ts';

/** Throws E_USAGE with file and line. No value is repeated: it may be a key. */
export function checkForm(document: ConfigDocument): ConfigForm {
  const parsed = configForm().safeParse(document.value);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  // A misspelt name also makes the right one missing, so it is reported first.
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
  const path = (issue?.path ?? []).map((part) => (typeof part === 'number' ? part : String(part)));
  if (issue?.code === 'unrecognized_keys') throw unknownKey(document, path, issue.keys[0] ?? '');
  const name = path.length === 0 ? 'The file' : formatPath(path);
  throw configFault(
    document.file,
    document.lineOf(path),
    `${name}: ${issue?.message ?? 'it cannot be read'}.`,
    hintFor(path),
  );
}

/** A misspelt provider name counts as a custom provider without an address. */
function hintFor([section, name, part]: SettingPath): string {
  const isOther = section === 'providers' && part === 'baseUrl';
  const near = isOther ? nearestWord(String(name), keysAt(['providers'])) : null;
  if (near !== null && near !== name) return `Did you mean "${near}"?`;
  return 'What each setting takes: docs/settings.md, or the $schema of this file.';
}

export const formatPath = (path: SettingPath): string => path.join('.');

const MAX_SHOWN = 60;

function unknownKey(document: ConfigDocument, path: SettingPath, key: string) {
  const known = keysAt(path);
  const near = nearestWord(key, known);
  const name = oneLine(key).slice(0, MAX_SHOWN);
  return configFault(
    document.file,
    document.lineOf([...path, key]),
    `There is no setting "${formatPath([...path, name])}".`,
    near ? `Did you mean "${near}"?` : `There is: ${known.join(', ')}.`,
  );
}

interface SchemaPart {
  readonly properties?: { readonly [name: string]: SchemaPart };
  readonly items?: SchemaPart;
  readonly additionalProperties?: SchemaPart | boolean;
}

function keysAt(path: SettingPath): readonly string[] {
  let part: SchemaPart | undefined = configSchema();
  for (const step of path) {
    if (part === undefined) return [];
    const at: SchemaPart | undefined = part.properties?.[step];
    const any: SchemaPart | boolean = part.additionalProperties ?? false;
    part =
      typeof step === 'number' ? part.items : (at ?? (typeof any === 'object' ? any : undefined));
  }
  return Object.keys(part?.properties ?? {});
}
