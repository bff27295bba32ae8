// Preloaded into the server: SIGUSR2 writes how late its loop was since the last one, and begins anew.
const { writeFileSync } = require('node:fs');
const { monitorEventLoopDelay } = require('node:perf_hooks');

const file = process.env.TARDIGRADE_BENCH_LOOP;
// The runs that the server starts get the same words.
if (file !== undefined && !process.argv.includes('--work-file')) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  process.on('SIGUSR2', () => {
    writeFileSync(file, String(delay.percentile(99) / 1e6));
    delay.reset();
  });
}
