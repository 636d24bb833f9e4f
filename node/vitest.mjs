// For Vitest: the order of the files, and shards (HebbSequencer), and how the tests came out (HebbReporter).
import { BaseSequencer } from 'vitest/node';
import tests from './tests.js';

const { inOrder, inShard, named, report } = tests;

export class HebbSequencer extends BaseSequencer {
  #nameOf = ({ moduleId }) => named(this.ctx.config.root, moduleId);

  // Groups and projects stay together, as Vitest orders them.
  async sort(files) {
    const own = await super.sort(files);
    const groupOf = ({ project }) => `${project.config.sequence.groupOrder} ${project.name}`;
    const groups = [...new Set(own.map(groupOf))];
    const ordered = await inOrder('vitest', own, this.#nameOf);
    return groups.flatMap((group) => ordered.filter((file) => groupOf(file) === group));
  }

  async shard(files) {
    const { index, count } = this.ctx.config.shard;
    return inShard('vitest', files, this.#nameOf, `${index}/${count}`);
  }
}

export class HebbReporter {
  onInit(vitest) {
    this.root = vitest.config.root;
    this.startedAt = new Date();
  }

  async onTestRunEnd(modules) {
    const ran = modules.flatMap((module) => {
      // Vitest's own reports for JUnit have these names too.
      const file = named(this.root, module.moduleId);
      const cases = [...module.children.allTests()].map((test) => ({ test, state: test.result().state }));
      const list = cases.filter(({ state }) => state === 'passed' || state === 'failed').map(({ test, state }) => ({
        file, name: test.fullName, seconds: (test.diagnostic()?.duration ?? 0) / 1000,
        failed: state === 'failed',
      }));
      if (cases.length === 0 && module.state() === 'failed')
        list.push({ file, name: file, seconds: 0, failed: true });
      return list;
    });
    await report('classname', ran, this.startedAt);
  }
}
