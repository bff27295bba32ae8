/** Pure: the completion for PowerShell, from 5 on. Where nothing is offered, PowerShell offers files itself. */

import type { Offers } from '../../options/kinds.ts';
import { PROGRAM_NAMES } from '../process/program-name.ts';
import { known, NO_COMMAND, type Offered, wordsWithValue } from './offered.ts';

export function powershellScript(offered: Offered): string {
  const { commands, options } = offered;
  const lines = [
    ...HEAD,
    `        if ($word -cin ${listOf(wordsWithValue(offered))}) { $pending = $word; continue }`,
    ...FIRST_WORD,
    `        if ($word -cin ${listOf(commands.map(({ name }) => name))}) { $verb = $word } else { $operands = 1 }`,
    ...VALUES,
    ...known(options).map(
      ({ words, offers }) => `        if ($pending -cin ${listOf(words)}) { ${offer(offers)} }`,
    ),
    '    } elseif ($typed.StartsWith("-")) {',
    ...options.flatMap(({ long, abouts }) =>
      abouts.map(
        ({ about, commands }) =>
          `        if ($verb -cin ${listOf(commands)}) { & $offer ${powershellQuoted(long)} ${powershellQuoted(about)} }`,
      ),
    ),
    '    } elseif ($first -eq "") {',
    ...commands.flatMap(({ name, about, isShown }) =>
      isShown ? `        & $offer ${powershellQuoted(name)} ${powershellQuoted(about)}` : [],
    ),
    '    } elseif ($operands -eq 0) {',
    ...known(commands).map(
      ({ name, offers }) =>
        `        if ($verb -ceq ${powershellQuoted(name)}) { ${offer(offers)} }`,
    ),
    '    }',
    '}',
  ];
  return `${lines.join('\n')}\n`;
}

/**
 * One word, whatever is in it. To PowerShell quotes of print are quotes, too, and a script may be read in
 * another encoding than it was written in: all but ASCII is written by its number.
 */
export function powershellQuoted(word: string): string {
  const plain = (part: string): string => `'${part.replaceAll("'", "''")}'`;
  const number = (part: string): string => `[char]0x${part.charCodeAt(0).toString(16)}`;
  const parts = word.match(/[\0-\x7f]+|[^\0-\x7f]/g) ?? [];
  const isPlain = (part: string): boolean => part.charCodeAt(0) < 0x80;
  return parts.every(isPlain)
    ? plain(word)
    : `(-join @(${parts.map((part) => (isPlain(part) ? plain(part) : number(part))).join(', ')}))`;
}

const listOf = (words: readonly string[]): string => `@(${words.map(powershellQuoted).join(', ')})`;

const offer = (offers: Offers): string => {
  if (offers === 'files') return '';
  if (offers === 'folders')
    return "[System.Management.Automation.CompletionCompleters]::CompleteFilename($typed) | Where-Object { $_.ResultType -eq 'ProviderContainer' }";
  return offers.map((word) => `& $offer ${powershellQuoted(word)} ''`).join('; ');
};

const HEAD =
  `# Completion of PowerShell for ${PROGRAM_NAMES[0]}, made by its command: completion powershell
Register-ArgumentCompleter -Native -CommandName ${PROGRAM_NAMES.join(', ')} -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $typed = "$wordToComplete"
    $prefix = ''
    $pending = ''
    $verb = '${NO_COMMAND}'
    $first = ''
    $operands = 0
    $offer = {
        param($word, $about)
        if (-not $word.StartsWith($typed, [System.StringComparison]::Ordinal)) { return }
        $told = if ($about -eq '') { $word } else { $about }
        [System.Management.Automation.CompletionResult]::new("$prefix$word", $word, 'ParameterValue', $told)
    }
    foreach ($element in @($commandAst.CommandElements | Select-Object -Skip 1)) {
        if ($element.Extent.EndOffset -ge $cursorPosition) { break }
        $word = $element.Extent.Text
        if ($pending -ne '') { $pending = ''; continue }`.split('\n');

const FIRST_WORD = `        if ($word -ceq '--') { return }
        if ($word.Length -gt 1 -and $word.StartsWith('-')) { continue }
        if ($first -ne '') { $operands += 1; continue }
        $first = $word`.split('\n');

const VALUES = `    }
    if ($pending -eq '' -and $typed -cmatch '^(--[a-z-]+)=(.*)$') {
        $pending = $Matches[1]
        $prefix = "$pending="
        $typed = $Matches[2]
    }
    if ($pending -ne '') {`.split('\n');
