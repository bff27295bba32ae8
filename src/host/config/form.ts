/** What a settings file may contain; the schema for editors is generated from it. */
import * as z from 'zod';
import type { Zod } from '../../options/kinds.ts';
import { type OptionValues, optionValue, withOptionValue } from '../../options/option-values.ts';
import { OPTIONS, type OptionTable, pathOf, rowsIn } from '../../options/table.ts';
import { FURTHER_NAME, isProviderName, PROVIDER_NAMES, rowOf } from '../providers/providers.ts';
import { describedText, faultIn, SERVER_NAME, ServerFields } from './server-form.ts';

const Headers = z
  .record(z.string().regex(/^[\w-]{1,100}$/), z.string().max(10_000))
  .describe(`Sent with every request. \${NAME} is taken from the environment.`);
const baseUrl = describedText(`Its address. \${NAME} is taken from the environment.`);

const Hosted = z.strictObject({
  apiKey: describedText(
    `The key. \${NAME} is taken from the environment, so the key does not have to be written here.`,
  ).optional(),
  apiKeyCommand: z
    .array(z.string().max(10_000))
    .min(1)
    .max(100)
    .describe(
      'A program that prints the key, and its arguments: run without a shell where a request needs the key.',
    )
    .optional(),
  baseUrl: baseUrl.optional(),
  headers: Headers.optional(),
});
/** Any other server with an OpenAI-compatible API. */
const Compatible = z.strictObject({
  ...Hosted.shape,
  baseUrl: z
    .string({ error: 'a provider that is not one of ours needs its address' })
    .min(1)
    .max(10_000)
    .describe(`Its address. \${NAME} is taken from the environment.`),
});
const LocalServer = z.strictObject({ baseUrl: baseUrl.optional() });

/** Only a provider that is reached at an address has an address to set. */
const Providers = z
  .object(
    Object.fromEntries(
      PROVIDER_NAMES.flatMap((name) => {
        const row = rowOf(name);
        if (row.kind === 'hosted') return [[name, Hosted.optional()]];
        const isServer = row.kind === 'local' && row.hostVariable !== undefined;
        return isServer ? [[name, LocalServer.optional()]] : [];
      }),
    ) as { readonly [name: string]: z.ZodOptional<typeof Hosted> },
  )
  .catchall(Compatible)
  .superRefine((providers, context) => {
    for (const name of Object.keys(providers))
      if (!isProviderName(name) && !FURTHER_NAME.test(name))
        context.addIssue({
          code: 'custom',
          path: [name],
          message: 'a provider is named in small letters, digits and -',
        });
    for (const [name, settings] of Object.entries(providers))
      if (settings?.apiKey !== undefined && settings.apiKeyCommand !== undefined)
        context.addIssue({
          code: 'custom',
          path: [name, 'apiKeyCommand'],
          message: 'the key stands in apiKey already; leave one of them',
        });
  });

const Profile = z.strictObject({
  id: z
    .string()
    .regex(/^[\w.-]{1,64}$/)
    .describe('Its name in the journal and in messages.'),
  provider: z
    .string()
    .refine((name) => FURTHER_NAME.test(name) && rowOf(name).kind === 'hosted', 'it has no keys')
    .describe('Whose key it is.'),
  apiKey: describedText(`The key. \${NAME} is taken from the environment.`),
});

const Rules = (about: string) =>
  z.array(describedText('One rule.').max(1000)).max(500).describe(about);

const Permissions = z.strictObject({
  allow: Rules('What may be done without a question.').optional(),
  ask: Rules('What is asked about.').optional(),
  deny: Rules('What is never done.').optional(),
});

const Server = z
  .strictObject({
    ...ServerFields,
    required: z.boolean().describe('No run begins without it.').optional(),
  })
  .superRefine((fields, context) => {
    const fault = faultIn(fields);
    if (fault === null) return;
    const path = fault.at === '' ? [] : [fault.at];
    context.addIssue({ code: 'custom', message: fault.why, path });
  });

/** Settings that are not a single option. */
const Parts = z.strictObject({
  $schema: z.string().max(2000).describe('For your editor.').optional(),
  providers: Providers.describe('How providers are reached.').optional(),
  profiles: z
    .array(Profile)
    .max(50)
    .describe('Further keys, in the order in which they are used.')
    .optional(),
  permissions: Permissions.describe('What is done, asked about, or never done.').optional(),
  mcpServers: z
    .record(z.string().regex(SERVER_NAME, 'A name of letters, digits, - and _'), Server)
    .describe('Servers of tools (MCP), by their names.')
    .optional(),
});

/** Options stand beside these; the table of options reads them. */
export type ConfigForm = z.infer<typeof Parts>;

/** Settings that are grouped in a section. */
const GROUPS: { readonly [name: string]: string } = {
  limits: 'What pauses a run.',
  keptOutput: 'How much of what programs print is kept.',
  chat: 'What bounds one message of a conversation.',
  models: 'Who plans a run and who works by the plan.',
};

const ZOD: Zod = {
  array: z.array,
  boolean: z.boolean,
  enum: z.enum,
  int: z.int,
  number: z.number,
  string: z.string,
  union: z.union,
};

/** The form of a whole file, built from the table of options. */
export function configForm(table: OptionTable = OPTIONS) {
  const shape: { [name: string]: z.ZodType } = {};
  const groups: { [name: string]: { [name: string]: z.ZodType } } = {};
  for (const [, { kind, setting, inFile = '' }] of rowsIn(table)) {
    if (setting === undefined || kind.form === undefined) continue;
    const [first = '', second] = pathOf(setting);
    const form = kind.form(ZOD, inFile).optional();
    if (second === undefined) shape[first] = form;
    else {
      groups[first] = { ...groups[first], [second]: form };
      shape[first] = z
        .strictObject(groups[first])
        .describe(GROUPS[first] ?? '')
        .optional();
    }
  }
  return z.strictObject({ ...shape, ...Parts.shape });
}

/** The options that a file sets. @param form the checked form */
export function optionsInFile(form: object, table: OptionTable = OPTIONS): OptionValues {
  let options: OptionValues = {};
  for (const [name, { kind, setting }] of rowsIn(table)) {
    const value = setting === undefined ? undefined : optionValue(form, setting);
    if (value !== undefined)
      options = withOptionValue(options, name, kind.fromFile?.(value) ?? value);
  }
  return options;
}

/** JSON Schema for editors; the output is deterministic. */
export const configSchema = (table: OptionTable = OPTIONS): object => ({
  ...z.toJSONSchema(configForm(table), { target: 'draft-7', io: 'input' }),
  title: 'Settings of Tardigrade',
});
