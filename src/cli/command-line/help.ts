/** Help texts that no row of the table holds: examples, and texts that name providers. */
import { PROVIDER_NAMES, PROVIDERS, rowOf } from '../../host/providers/providers.ts';
import { SHORT_NAMES } from '../../llm/embedded/hub-file.ts';
import type { CommandName } from '../../options/commands.ts';

const EXAMPLES: readonly (readonly [words: string, about: string])[] = [
  ['{agent} "Write add: add(2, 3) gives 5"', 'work on a goal; the same again resumes it'],
  ['{agent} resume', 'continue where the last run stopped'],
  ['{agent} doctor', 'check what a run needs'],
  ['{agent} -- status', 'a goal that is also the name of a command'],
  ['echo "Explain this folder" | {agent} -', 'the goal comes from stdin'],
  ['{agent} --exec "What is in README.md?"', 'one answer, without a conversation'],
];

/** Aligned in a column as wide as the longest example. */
function examples(agent: string): string {
  const typed = EXAMPLES.map(([words]) => words.replace('{agent}', agent));
  const width = Math.max(...typed.map(({ length }) => length));
  return typed.map((words, at) => `  ${words.padEnd(width)}  ${EXAMPLES[at]?.[1]}`).join('\n');
}

/** @param agent the name by which the program was started */
export const helpAfter = (agent: string): string => `
Examples:
${examples(agent)}

Options of a run: ${agent} run --help
Exit codes: 0 achieved, 1 internal error, 2 usage, 3 failed, 4 limit, 5 stalled, 6 waiting for you, 7 no model, 8 state locked or damaged, 9 not verified, 10 answered without a change, 130 interrupted
`;

const SETUP_HELP = (agent: string): string => `
${agent} setup ollama --model ${PROVIDERS.ollama.example}  lets Ollama download any of its models
${agent} setup embedded --model NAME             needs no Ollama; NAME is one of
${Object.entries(SHORT_NAMES)
  .map(([name, { megabytes }]) => `  ${name.padEnd(22)} ${(megabytes / 1000).toFixed(1)} GB`)
  .join('\n')}
  or hf:OWNER/REPO/FILE.gguf, a file on Hugging Face
${agent} setup fleet                            installs what a fleet's worker needs
`;

const MCP_HELP = (agent: string): string => `
${agent} mcp add NAME -- COMMAND ARGS   a program that speaks MCP; --env NAME=VALUE
${agent} mcp add NAME URL               one that is reached at an address; --header 'NAME: VALUE'
${agent} mcp remove NAME
${agent} mcp list [NAME]                whether they answer, and with which tools
${agent} mcp approve NAME               show a server of the project's .mcp.json and ask for your yes
${agent} mcp reset [NAME]               forget your answer about it, or about all
`;

const ASK_HELP = (agent: string): string => `
The answer goes to stdout, the sources of its figures to stderr. Exit code 0 means an answer.
All options of a run work here too: ${agent} run --help
`;

export const HELP_OF: { readonly [Name in CommandName]?: (agent: string) => string } = {
  setup: SETUP_HELP,
  mcp: MCP_HELP,
  ask: ASK_HELP,
};

/** `embedded:FILE.gguf or recorded:FILE`. */
const fileForms = (): string =>
  PROVIDER_NAMES.flatMap((name) => {
    const row = rowOf(name);
    return row.kind === 'hosted' || row.file === undefined ? [] : [`${name}:${row.file}`];
  }).join(' or ');

/** `Ollama (default: OLLAMA_HOST)`. */
const hosts = (): string =>
  PROVIDER_NAMES.map(rowOf)
    .flatMap((row) =>
      row.kind === 'local' && row.hostVariable !== undefined
        ? [`${row.label} (default: ${row.hostVariable})`]
        : [],
    )
    .join(', ');

/** Fills in what the table of providers says. */
export const withProviders = (about: string): string =>
  about.replace('{files}', fileForms).replace('{hosts}', hosts);
