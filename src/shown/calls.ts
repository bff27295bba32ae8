/** What a person sees of a call; models, records and logs use the tool's wire name. Pure. */

/** `mcp__files__read` is the tool `read` of the server `files`. */
export function remoteOf(tool: string): { readonly server: string; readonly tool: string } {
  const [, server, name] = /^mcp__(.+?)__(.+)$/s.exec(tool) ?? [];
  return server === undefined || name === undefined
    ? { server: 'builtin', tool }
    : { server, tool: name };
}

/** `files.read` for a server's tool; any other tool by its name. */
export function toolLabel(name: string): string {
  const { server, tool } = remoteOf(name);
  return tool === name ? name : `${server}.${tool}`;
}

/** `run git push`, `write a.txt`, `files.read`. @param target as `shownTarget` returns it */
export function callLabel({
  tool,
  target,
}: {
  readonly tool: string;
  readonly target: string;
}): string {
  const said = toolLabel(tool);
  // The label already names the target.
  if (said !== tool || target === tool) return target === '' ? said : target;
  const [verb = tool] = tool.split('_', 1);
  return `${verb} ${target}`.trim();
}

/** The same, with the arguments of a server's tool. */
export const callText = (tool: string, target: string): string =>
  toolLabel(tool) === tool ? callLabel({ tool, target }) : `${toolLabel(tool)} ${target}`.trim();

/** The first line of the command, the file, or the first text that a call is about; '' if it has none. */
export function shownTargetIn(args: { readonly [name: string]: unknown }): string {
  const texts = [args.cmd, args.path, ...Object.values(args)];
  const text = texts.find((value) => typeof value === 'string' && value !== '');
  return typeof text === 'string' ? (text.split('\n')[0] ?? '') : '';
}

/** A tool's sentence about its arguments, in a person's words. */
export const inPersonsWords = (said: string): string =>
  said
    .replaceAll(/\bold_text\b/g, 'the text to replace')
    .replaceAll(/\bnew_text\b/g, 'the new text');

/** Texts for statuses whose output explains nothing. */
export const STATUS_WORDS: { readonly [status: string]: string } = {
  timeout: 'took too long',
  denied: 'was refused',
  blocked: 'was repeated without effect',
  cancelled: 'was stopped',
  interrupted: 'was interrupted',
  conflict: 'was not read as it is now',
  mcp_error: 'was refused by its server',
  connection_error: 'its server cannot be reached',
  not_run: 'did not run',
};
