// Writes what readers of `--json` in other languages read of its events, from the form that they have here.
import { writeFileSync } from 'node:fs';
import { streamSchema } from '../src/schema/events/stream.ts';

writeFileSync(
  'src/schema/events/events.schema.json',
  `${JSON.stringify(streamSchema(), null, 2)}\n`,
);
