// Writes what editors read of a settings file from the form that the program checks it with.
import { writeFileSync } from 'node:fs';
import { configSchema } from '../src/host/config/form.ts';

writeFileSync('src/host/config/config.schema.json', `${JSON.stringify(configSchema(), null, 2)}\n`);
