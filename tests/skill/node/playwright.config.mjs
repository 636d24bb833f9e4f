// How exported tests are run here.
import { tmpdir } from 'node:os';
import path from 'node:path';

export default {
  testDir: '.',
  outputDir: path.join(tmpdir(), 'results'),
  preserveOutput: 'never',
  reporter: 'line',
  timeout: 60_000,
  workers: 1,
  use: {
    actionTimeout: 5_000,
    launchOptions: {
      executablePath: process.env.CHROMIUM,
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    },
  },
};
