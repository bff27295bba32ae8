import { newKey } from './changes/new-key.ts';
import { newName } from './changes/new-name.ts';
import { newRow } from './changes/new-row.ts';
import { tidyList } from './changes/tidy-list.ts';
import { lines } from './config/lines.ts';
import { loader } from './config/loader.ts';
import { override, settings } from './config/settings.ts';
import { changelog } from './document/changelog.ts';
import { minutes } from './document/minutes.ts';
import { readme } from './document/readme.ts';
import { usage } from './document/usage.ts';
import { helper } from './fix/helper.ts';
import { nodeSlip } from './fix/node-slip.ts';
import { slip } from './fix/slip.ts';
import { twoBugs } from './fix/two-bugs.ts';
import type { Generator } from './generator.ts';
import { change } from './input/change.ts';
import { convert } from './input/convert.ts';
import { spread } from './input/spread.ts';
import { votes } from './input/votes.ts';
import { functions, texts } from './module/functions.ts';
import { store } from './module/store.ts';
import { tiers } from './module/tiers.ts';
import { command, runnable } from './package/command.ts';
import { library, npm } from './package/library.ts';
import { most } from './question/most.ts';
import { port } from './question/port.ts';
import { tally } from './question/tally.ts';
import { where } from './question/where.ts';
import { above } from './reads/above.ts';
import { levels } from './reads/levels.ts';
import { mentions } from './reads/mentions.ts';
import { worth } from './reads/worth.ts';
import { constant } from './refactor/constant.ts';
import { extract } from './refactor/extract.ts';
import { rename } from './refactor/rename.ts';
import { split } from './refactor/split.ts';
import { hours } from './report/hours.ts';
import { ratings } from './report/ratings.ts';
import { sales } from './report/sales.ts';
import { shortage } from './report/shortage.ts';
import { countdown } from './script/countdown.ts';
import { sequence } from './script/sequence.ts';
import { stairs } from './script/stairs.ts';
import { table } from './script/table.ts';

/** Kind by kind; of each the open ones first. */
export const GENERATORS: readonly Generator[] = [
  ...[table, countdown, stairs, sequence],
  ...[convert, votes, change, spread],
  ...[worth, mentions, above, levels],
  ...[newName, newKey, tidyList, newRow],
  ...[slip, nodeSlip, twoBugs, helper],
  ...[functions, store, texts, tiers],
  ...[library, npm, runnable, command],
  ...[settings, override, lines, loader],
  ...[readme, minutes, changelog, usage],
  ...[most, where, port, tally],
  ...[sales, hours, ratings, shortage],
  ...[rename, extract, split, constant],
];
