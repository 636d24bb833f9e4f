// For Jest, as "testSequencer" (the order of the files, and shards) and in "reporters" (how the tests came out):
// both are "hebb/jest".
'use strict';

const { default: Sequencer } = require('@jest/test-sequencer');
const { inOrder, inShard, named, report } = require('./tests.js');

module.exports = class Hebb extends Sequencer {
  constructor(config) {
    super(config);
    this.startedAt = new Date();
    // The one of a sequencer, or of a reporter.
    const { rootDir } = config.globalConfig ?? config;
    this.nameOf = (file) => named(rootDir, file);
  }

  // --- the order --------------------------------------------------------------------------------

  async sort(tests) {
    return inOrder('jest', super.sort(tests), ({ path }) => this.nameOf(path));
  }

  async shard(tests, { shardIndex, shardCount }) {
    return inShard('jest', tests, ({ path }) => this.nameOf(path), `${shardIndex}/${shardCount}`);
  }

  async allFailedTests(tests) {
    return this.sort(tests.filter((test) => this.hasFailed(test)));
  }

  // --- the report -------------------------------------------------------------------------------

  async onRunComplete(_, { testResults }) {
    const tests = testResults.flatMap(({ testFilePath, testResults: cases, testExecError }) => {
      const file = this.nameOf(testFilePath);
      const ran = cases.filter(({ status }) => status === 'passed' || status === 'failed');
      const list = ran.map(({ ancestorTitles, title, duration, status }) => ({
        file, name: [...ancestorTitles, title].join(' '), seconds: (duration ?? 0) / 1000, failed: status === 'failed',
      }));
      if (testExecError) list.push({ file, name: 'Test suite failed to run', seconds: 0, failed: true });
      return list;
    });
    await report('file', tests, this.startedAt);
  }
};
