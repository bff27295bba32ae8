/** What a settings file may say; the schema that editors read is made from it. */
import * as z from 'zod';
import { durationOf } from '../../lib/duration.ts';
import {
  DEFAULT_TOOL_MODE,
  EFFORTS,
  LEAST_TOOL_RESULT,
  SANDBOX_WISHES,
} from '../../schema/config.ts';
import { ToolMode } from '../../schema/records.ts';
import { FURTHER_NAME, isProviderName, PROVIDER_NAMES, rowOf } from '../providers.ts';
import { faultIn, SERVER_NAME, ServerFields } from './server-form.ts';

const text = (about: string) => z.string().min(1).max(10_000).describe(about);
const whole = (least: number, most: number, about: string) =>
  z.int().min(least).max(most).describe(about);

const Headers = z
  .record(z.string().regex(/^[\w-]{1,100}$/), z.string().max(10_000))
  .describe(`Sent with every request. \${NAME} is taken from the environment.`);
const baseUrl = text(`Its address. \${NAME} is taken from the environment.`);

const Hosted = z.strictObject({
  apiKey: text(
    `The key. \${NAME} is taken from the environment, so that it need not stand here.`,
  ).optional(),
  baseUrl: baseUrl.optional(),
  headers: Headers.optional(),
});
/** Any other server that speaks the language of OpenAI. */
const Compatible = z.strictObject({
  ...Hosted.shape,
  baseUrl: z
    .string({ error: 'a provider that is not one of ours needs its address' })
    .min(1)
    .max(10_000)
    .describe(`Its address. \${NAME} is taken from the environment.`),
});
const LocalServer = z.strictObject({ baseUrl: baseUrl.optional() });

/** Only who is reached at an address can be told one. */
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
          ...{ code: 'custom', path: [name] },
          message: 'a provider is named in small letters, digits and -',
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
  apiKey: text(`The key. \${NAME} is taken from the environment.`),
});

const Limits = z.strictObject({
  maxRounds: whole(1, 10_000, 'Pause after so many rounds of one start.').optional(),
  maxTokens: whole(1, 1e12, 'Pause after so many tokens over the whole run.').optional(),
  maxCost: z
    .number()
    .positive()
    .max(1e6)
    .describe('Pause when the whole run has cost so many US dollars.')
    .optional(),
  maxTime: z
    .string()
    .refine((time) => durationOf(time) !== null, 'Not a duration: 90s, 10m, 2h or 1h30m')
    .describe('Pause after this time from each start: 90s, 10m, 2h.')
    .optional(),
});

const KeptOutput = z.strictObject({
  commandMb: whole(1, 256, 'Of one command; beyond it the middle is left out.').optional(),
  runMb: whole(1, 100_000, 'Of all commands of a run.').optional(),
});

const Rules = (about: string) => z.array(text('One rule.').max(1000)).max(500).describe(about);

const Permissions = z.strictObject({
  allow: Rules('What may be done without a question.').optional(),
  ask: Rules('What is asked about.').optional(),
  deny: Rules('What is never done.').optional(),
});

/** Only documents: what it names is read into every prompt. */
const Instructions = z.union(
  [
    z.boolean(),
    z
      .array(
        z
          .string()
          .regex(/^(?!\.)[\w.-]{1,100}\.md$/i, 'Not the name of a document such as AGENTS.md'),
      )
      .min(1)
      .max(20),
  ],
  { error: 'true, false, or a list of names such as "AGENTS.md"' },
);

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

export const ConfigForm = z.strictObject({
  $schema: z.string().max(2000).describe('For your editor.').optional(),
  model: text('NAME or PROVIDER/NAME, as behind the option of that name.').optional(),
  fallbacks: z
    .array(text('A model.'))
    .max(20)
    .describe('Asked in order when the model fails.')
    .optional(),
  providers: Providers.describe('How providers are reached.').optional(),
  profiles: z
    .array(Profile)
    .max(50)
    .describe('Further keys, in the order in which they are used.')
    .optional(),
  limits: Limits.describe('What pauses a run.').optional(),
  toolMode: z
    .enum([DEFAULT_TOOL_MODE, ...ToolMode.options])
    .describe('native: the model leads with tools; json: it is led; auto: by its size.')
    .optional(),
  effort: z.enum(EFFORTS).describe('How much the model may think.').optional(),
  temperature: z.number().min(0).max(2).describe('0 to 2.').optional(),
  contextWindow: whole(1024, 10_000_000, "The model's context window in tokens.").optional(),
  maxToolResultChars: whole(
    LEAST_TOOL_RESULT,
    10_000_000,
    'Characters of one result that the model sees at most.',
  ).optional(),
  keptOutput: KeptOutput.describe('How much of what programs print is kept.').optional(),
  permissions: Permissions.describe('What is done, asked about, or never done.').optional(),
  mcpServers: z
    .record(z.string().regex(SERVER_NAME, 'A name of letters, digits, - and _'), Server)
    .describe('Servers of tools (MCP), by their names.')
    .optional(),
  instructions: Instructions.describe(
    'Whether instruction files of the project are told, or the names of those that are.',
  ).optional(),
  sandbox: z
    .enum(SANDBOX_WISHES)
    .describe('Whether commands are confined by the system.')
    .optional(),
});
export type ConfigForm = z.infer<typeof ConfigForm>;

/** For editors: as JSON Schema, the same every time. */
export const configSchema = (): object => ({
  ...z.toJSONSchema(ConfigForm, { target: 'draft-7', io: 'input' }),
  title: 'Settings of Tardigrade',
});
