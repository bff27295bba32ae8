/**
 * Slash commands that a user has written or that a project brings: one Markdown file each, whose text is sent as the
 * message.
 * 1. The program's own commands come first, then the user's, then the project's.
 * 2. A project's command is used once the person has seen its text and agreed to it; a changed text needs a
 *    new yes.
 * 3. A file that cannot be used is named, and nothing is guessed.
 */
import { configFolderOf } from '../../host/user/user-folders.ts';
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import { nodeFileSystem } from '../../lib/files/file-system.ts';
import { resolveInWorkspace } from '../../workspace/jail.ts';
import type { CommandContext } from '../command-context.ts';
import { ownFilesIn, readFrontMatter } from '../own-files.ts';
import { shownLine } from '../questions/ask-person.ts';
import { isYes } from '../questions/is-yes.ts';
import { foldToWidth } from '../render/text/fold.ts';
import { oneLine, plural } from '../render/text/text.ts';
import type { CompletionChoice } from '../screen/complete.ts';

/** The project's folder; the user's commands are in `commands` beside the settings. */
export const PROJECT_COMMANDS = '.agents/commands';
const USER_COMMANDS = 'commands';

export interface OwnCommand {
  readonly name: string;
  readonly side: 'user' | 'project';
  /** For people. */
  readonly file: string;
  readonly about: string;
  /** The text for its arguments; '' if it takes none. */
  readonly takes: string;
  readonly text: string;
  /** The whole file: a consent is bound to it. */
  readonly definition: string;
}

/**
 * The commands as they are now, and a sentence for each file that is left out.
 * @param taken names of the program's own commands
 */
export function ownCommandsIn(
  { invocation: { workspace }, terminal }: Pick<CommandContext, 'invocation' | 'terminal'>,
  taken: ReadonlySet<string>,
) {
  const fs = nodeFileSystem;
  const { join } = pathsOf(fs.platform);
  const user = join(configFolderOf(terminal), USER_COMMANDS);
  const project = resolveInWorkspace(fs, fs.realpath(workspace), PROJECT_COMMANDS, {
    platform: fs.platform,
    forWrite: false,
  });
  const commands = new Map<string, OwnCommand>();
  const faults: string[] = [];
  const take = (folder: string, shown: string, side: OwnCommand['side']): void => {
    for (const { name, file, definition } of ownFilesIn(folder)) {
      const at = `${shown}/${file}`;
      const read =
        typeof definition === 'string'
          ? commandOf({ name, side, file: at, definition })
          : definition;
      const why = 'why' in read ? read.why : taken.has(read.name) ? whyTaken(read.name) : null;
      if (why !== null) faults.push(`${oneLine(at)} is left out: ${why}`);
      else if (!('why' in read) && !commands.has(read.name)) commands.set(read.name, read);
    }
  };
  take(user, user, 'user');
  if (project.kind === 'inside') take(project.absolute, PROJECT_COMMANDS, 'project');
  return { commands: [...commands.values()], faults };
}

/** The commands as menu and help show them. */
export const ownChoices = (commands: readonly OwnCommand[]): readonly CompletionChoice[] =>
  commands.map(({ name, about, takes, side }) => ({
    text: `/${name}`,
    about: side === 'project' ? `${about} (of this folder)` : about,
    ...(takes === '' ? {} : { takes }),
  }));

const whyTaken = (name: string): string =>
  `/${name} is a command of the program. Give the file another name.`;

function commandOf(
  given: Pick<OwnCommand, 'name' | 'side' | 'file' | 'definition'>,
): OwnCommand | { readonly why: string } {
  const head = readFrontMatter(given.definition);
  if ('why' in head) return head;
  if (head.text.trim() === '') return { why: 'it has no text to send.' };
  const { description = '', 'argument-hint': takes = '' } = head.fields;
  const about = description || (head.text.trim().split('\n')[0] ?? '');
  return {
    ...given,
    text: head.text.trim(),
    about: oneLine(about).replace(/^#+ /, ''),
    takes: oneLine(takes),
  };
}

/**
 * `$ARGUMENTS` stands for everything after the name, `$1` to `$9` for its words; without any of them, the
 * arguments are appended.
 */
export function expanded({ text }: Pick<OwnCommand, 'text'>, argumentText: string): string {
  const words = argumentText.split(/\s+/).filter(Boolean);
  let isUsed = false;
  const filled = text.replace(/\$(ARGUMENTS|[1-9])(?!\w)/g, (_, which: string) => {
    isUsed = true;
    return which === 'ARGUMENTS' ? argumentText : (words[Number(which) - 1] ?? '');
  });
  return isUsed || argumentText === '' ? filled : `${filled}\n\n${argumentText}`;
}

/** Whether a command may be used; the person is asked once about a project's command. */
export async function isAgreed(
  command: OwnCommand,
  { engine, invocation: { workspace }, terminal }: CommandContext,
  { show, hold }: { show(text: string): void; hold(): () => void },
): Promise<boolean> {
  if (command.side === 'user') return true;
  const which = { workspace, name: command.name, definition: command.definition };
  const consents = engine.commandConsents;
  const said = consents.of(which);
  if (said === 'yes') return true;
  show(askedText(command, said === 'changed', terminal.stdout.size()));
  const release = hold();
  try {
    const answer = await terminal.ask(
      `Send it as your message? You are asked again if it changes. [y/N] `,
    );
    if (!isYes(answer)) return false;
    consents.save(which, true);
    return true;
  } finally {
    release();
  }
}

/** The whole text: the yes covers all of it. */
function askedText(
  { file, definition }: OwnCommand,
  isChanged: boolean,
  { columns, rows }: ReturnType<CommandContext['terminal']['stdout']['size']>,
): string {
  const lines = definition.trimEnd().split('\n').map(shownLine).join('\n');
  const shown = foldToWidth(lines, columns - 1).split('\n');
  const change = isChanged ? ', and is not what you agreed to before' : '';
  return [
    `${file} comes with this folder${change}. It says:`,
    ...shown,
    // The line before the text, this one, the question and the cursor need a row each.
    ...(shown.length > rows - 4
      ? [`It has ${plural(shown.length, 'line')}: scroll up to read all of it.`]
      : []),
  ].join('\n');
}
