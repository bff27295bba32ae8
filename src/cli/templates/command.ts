import { longFlag, OPTIONS } from '../../options/table.ts';
import type { CommandContext } from '../command-context.ts';
import { printJson, wantsJson } from '../commands/print.ts';
import { printFolded } from '../render/text/fold.ts';
import { templateNamed, templatesOf } from './find.ts';
import { SET_FLAG } from './template.ts';

/** `agent templates`: lists the templates, or prints one as its file has it. */
export async function templatesCommand(context: CommandContext): Promise<number> {
  const { invocation, terminal } = context;
  const known = templatesOf(terminal);
  const { templates, faults, folder } = known;
  if (invocation.id !== null) {
    const one = templateNamed(known, invocation.id);
    if (wantsJson(context)) return printJson(context, one);
    terminal.stdout.write(`${one.definition.trimEnd()}\n`);
    return 0;
  }
  if (wantsJson(context)) return printJson(context, { templates, faults, folder });
  const width = Math.max(...templates.map(({ name }) => name.length));
  const lines = templates.flatMap(({ name, about, file, variables }) => [
    `${name.padEnd(width)}  ${about}${file === '' ? '' : ' (your own)'}`,
    ...variables.map((one) =>
      `${' '.repeat(width)}    ${SET_FLAG} ${one.name}=  ${one.about}`.trimEnd(),
    ),
  ]);
  printFolded(terminal.stdout, `${lines.join('\n')}\n`);
  const example = `Use one: ${terminal.program} ${longFlag(OPTIONS.template)} NAME "goal". Your own: ${folder}`;
  printFolded(terminal.stderr, `${[...faults, example].join('\n')}\n`);
  return 0;
}
