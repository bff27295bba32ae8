/**
 * Templates: the built-in ones, and the user's own in `templates` beside the settings. A user's own template replaces a
 * built-in one of the same name. A project brings none: a plan contains commands, and a folder is not trusted.
 */

import type { GivenPlan } from '../../context-manager/open-or-create.ts';
import { plannableOf } from '../../decompose/plan-schema.ts';
import { readPlanText } from '../../decompose/plan-text/read-plan.ts';
import { configFolderOf } from '../../host/user/user-folders.ts';
import { misuse } from '../../lib/errors.ts';
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import { nodeFileSystem } from '../../lib/files/file-system.ts';
import { nearestWord } from '../../lib/text/edit-distance.ts';
import { visible } from '../../lib/text/visible.ts';
import { everyBuiltinTool } from '../../tools/registry.ts';
import { ownFilesIn } from '../own-files.ts';
import { AGENT, usageError } from '../process/program-name.ts';
import type { Terminal } from '../process/terminal.ts';
import { oneLine } from '../render/text/text.ts';
import { builtIns } from './built-in.ts';
import { filledIn, type Template, templateOf } from './template.ts';

export interface Templates {
  readonly templates: readonly Template[];
  /** A sentence for each file that is left out. */
  readonly faults: readonly string[];
  /** The folder of the user's own. */
  readonly folder: string;
}

export function templatesOf(terminal: Pick<Terminal, 'env' | 'platform'>): Templates {
  const { join } = pathsOf(nodeFileSystem.platform);
  const folder = join(configFolderOf(terminal), 'templates');
  const found = new Map<string, Template>();
  const faults: string[] = [];
  const take = (name: string, file: string, definition: string | { readonly why: string }) => {
    const read = typeof definition === 'string' ? templateOf(name, file, definition) : definition;
    if ('why' in read) faults.push(`${visible(file)} is left out: ${read.why}`);
    else found.set(name, read);
  };
  for (const [name, definition] of builtIns()) take(name, '', definition);
  for (const { name, file, definition } of ownFilesIn(folder))
    take(name, join(folder, file), definition);
  const templates = [...found.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  return { templates, faults, folder };
}

/** Throws E_USAGE if there is none of that name. */
export function templateNamed({ templates, faults }: Templates, name: string): Template {
  const found = templates.find((one) => one.name === name);
  if (found !== undefined) return found;
  const near = nearestWord(
    name,
    templates.map((one) => one.name),
  );
  throw usageError(
    `There is no template "${oneLine(name)}".`,
    [near === null ? '' : `Did you mean "${near}"?`, ...faults, `List them: ${AGENT} templates`]
      .filter(Boolean)
      .join(' '),
  );
}

/** The plan that a run of that goal begins with. Throws E_USAGE for an invalid plan, before there is a run. */
export function givenPlan(
  terminal: Pick<Terminal, 'env' | 'platform'>,
  {
    template: name = '',
    set = [],
  }: { readonly template?: string | undefined; readonly set?: readonly string[] | undefined },
  goal: string,
): { readonly plan: GivenPlan; readonly wants: Template['wants'] } {
  const template = templateNamed(templatesOf(terminal), name);
  const text = filledIn(template, goal, set);
  const tools = plannableOf(everyBuiltinTool());
  const reading = readPlanText(text, { before: { tasks: [], fallback: false }, tools });
  if (!reading.ok)
    throw misuse(
      `The template "${name}" is not a plan. Line ${reading.line} of its plan: ${reading.fault}`,
      template.file === '' ? 'Give its variables other values.' : `Fix it: ${template.file}`,
    );
  return { plan: { name, text }, wants: template.wants };
}
