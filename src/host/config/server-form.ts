/** The fields of one MCP server in a settings file, in the common form. */
import * as z from 'zod';

/** The name in rules and tools. */
export const SERVER_NAME = /^[\w-]{1,32}$/;

/** Settings of many other agents use this transport. */
const NO_SSE =
  'The older transport over HTTP (sse) is not spoken here; where the server has the newer one, "http" and its address reach it';

export const describedText = (about: string) => z.string().min(1).max(10_000).describe(about);

/** One form for all kinds, so that a wrong field is reported by its name; `serverKindOf` tells the kind. */
export const ServerFields = {
  type: z
    .enum(['stdio', 'http', 'streamable-http', 'tcp'], {
      error: ({ input }) => (input === 'sse' ? NO_SSE : 'Not stdio, http, streamable-http or tcp'),
    })
    .describe('How it is reached; left out: as the other settings say.')
    .optional(),
  command: describedText(
    `The program. \${NAME} is taken from the environment, also in args and env.`,
  ).optional(),
  args: z.array(z.string().max(10_000)).max(200).optional(),
  env: z.record(z.string().regex(/^\w{1,100}$/), z.string().max(10_000)).optional(),
  cwd: describedText(
    'The folder it starts in; "." is the one that is worked in. Left out: your home folder.',
  ).optional(),
  sandbox: z
    .boolean()
    .describe('True: the program runs behind the sandbox of commands, or not at all.')
    .optional(),
  url: describedText('Its address, of http or https, where it is reached over HTTP.').optional(),
  headers: z
    .record(z.string().regex(/^[\w-]{1,100}$/), z.string().max(10_000))
    .describe(`Sent with every request. \${NAME} is taken from the environment.`)
    .optional(),
  host: z
    .string()
    .regex(/^[\w.:-]{1,253}$/, 'Not the name or the number of a machine')
    .describe('Where it listens, where it is reached over TCP.')
    .optional(),
  port: z.int().min(1).max(65_535).optional(),
};

const Fields = z.object(ServerFields);
export type ServerFields = z.infer<typeof Fields>;

const BY_KIND = {
  program: {
    needs: ['command'],
    takes: ['command', 'args', 'env', 'cwd', 'sandbox'],
    types: ['stdio'],
  },
  web: { needs: ['url'], takes: ['url', 'headers'], types: ['http', 'streamable-http'] },
  socket: { needs: ['host', 'port'], takes: ['host', 'port'], types: ['tcp'] },
} as const;
export type ServerKind = keyof typeof BY_KIND;
const KINDS = ['program', 'web', 'socket'] as const;

/** Decided by the `type`, else by the fields; `null` if neither decides. */
export function serverKindOf(fields: ServerFields): ServerKind | null {
  const { type } = fields;
  return (
    KINDS.find((kind) => {
      const { needs, types } = BY_KIND[kind];
      return type === undefined
        ? fields[needs[0]] !== undefined
        : (types as readonly string[]).includes(type);
    }) ?? null
  );
}

export interface ServerFault {
  readonly at: string;
  readonly why: string;
}

/** Why its fields do not fit together; `null` if they do. */
export function faultIn(fields: ServerFields): ServerFault | null {
  const kind = serverKindOf(fields);
  if (kind === null) return { at: '', why: 'it needs a command, a url, or a host and a port' };
  const { needs, takes } = BY_KIND[kind];
  const missing = needs.find((name) => fields[name] === undefined);
  if (missing !== undefined) return { at: '', why: `it needs "${missing}"` };
  const all = KINDS.flatMap((one): readonly (keyof ServerFields)[] => BY_KIND[one].takes);
  const foreign = all.find(
    (name) => fields[name] !== undefined && !(takes as readonly string[]).includes(name),
  );
  if (foreign !== undefined) return { at: foreign, why: `it does not go with "${needs[0]}"` };
  return null;
}

/** Checks an address with its variables filled in; `null`: it can be used. */
export function faultInAddress(url: string): string | null {
  if (!URL.canParse(url)) return 'it is not an address';
  const { protocol, username, password } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') return 'it is not an address of http or https';
  if (username !== '' || password !== '')
    return 'a name and a password go into the headers, as Authorization';
  return null;
}
