/** Splits a line for a shell into plain commands. Pure. */
import { splitCommand } from '../../tools/commands/split-command.ts';

export interface ReadLine {
  /** The commands that could be parsed, each as its words. */
  readonly commands: readonly (readonly string[])[];
  /** True if the line consists only of these commands. */
  readonly isWhole: boolean;
}

export function readLine(line: string, platform: NodeJS.Platform): ReadLine {
  const pieces = piecesOf(line);
  const commands: (readonly string[])[] = [];
  let isWhole = pieces.isPlain;
  for (const piece of pieces.texts.map((text) => text.trim()).filter(Boolean)) {
    const split = splitCommand(piece, platform);
    if (split.ok) commands.push([split.program, ...split.args]);
    // A shell may substitute anything here.
    if (!split.ok || split.unexpanded.some((word) => /[$%]/.test(word))) isWhole = false;
  }
  return { commands, isWhole };
}

function piecesOf(line: string): { readonly texts: readonly string[]; readonly isPlain: boolean } {
  const texts: string[] = [];
  let text = '';
  let quote = '';
  let isPlain = true;
  for (let at = 0; at < line.length; at += 1) {
    const letter = line[at] ?? '';
    if (letter === '\\' && quote !== "'") {
      text += letter + (line[at + 1] ?? '');
      at += 1;
      continue;
    }
    if (quote === '' ? letter === '"' || letter === "'" : letter === quote)
      quote = quote === '' ? letter : '';
    // In double quotes a shell still substitutes the output of commands.
    if (quote !== "'" && (letter === '`' || (letter === '$' && line[at + 1] === '(')))
      isPlain = false;
    if (quote !== '' || !/[|&;\n`()]/.test(letter)) {
      text += letter;
      continue;
    }
    const isDouble = line[at + 1] === letter && (letter === '&' || letter === '|');
    if (isDouble) at += 1;
    if (!isDouble && letter !== ';' && letter !== '\n') isPlain = false;
    texts.push(text);
    text = '';
  }
  return { texts: [...texts, text], isPlain: isPlain && quote === '' };
}
