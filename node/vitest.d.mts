// For vitest.config.ts; see vitest.mjs.
import { BaseSequencer, type Reporter } from 'vitest/node';

/** test.sequence.sequencer: the files that are likely to fail first; shards of equal expected duration */
export class HebbSequencer extends BaseSequencer {}

/** In test.reporters: stores how the tests came out */
export class HebbReporter implements Reporter {
  onInit: NonNullable<Reporter['onInit']>;
  onTestRunEnd: NonNullable<Reporter['onTestRunEnd']>;
}
