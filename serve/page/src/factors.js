// The factors of a priority: which stand for a task, which against it, and what to call them.
import { number } from './format.js';

// What a base is where nothing is near and nothing links: the default of the policy's `prior`.
const kPrior = 0.5;

const kNames = {
  base: ['near and linked', 'near to recent work, or linked to', 'neither near nor linked to'],
  recency: ['recency', 'touched lately', 'nothing happened to it for a while'],
  time_proximity: ['made when', 'made with what was completed last', 'made long before or after what was completed last'],
  order_proximity: ['filed where', 'filed with what was completed lately', 'filed far from what was completed lately'],
  context_overlap: ['kind', 'of the kind completed last', 'of another kind than what was completed last'],
  reward: ['reward', 'related work has just succeeded', 'related work has not succeeded'],
  success_rate: ['success rate', 'tasks of its labels succeed', 'tasks of its labels fail'],
  urgency: ['urgency', 'it is urgent, or due soon', 'it is not urgent'],
  unblocks: ['unblocks', 'others wait for it', 'nothing waits for it'],
  waiting: ['waiting', 'it has waited long', 'it has not waited long'],
  failure_penalty: ['its failures', 'it has not failed', 'it has failed before'],
};
const kNoFactor = new Set(['rank', 'priority', 'relative', 'semantic', 'structural', 'value']);

export const labelOf = (name) => kNames[name]?.[0] ?? name.replaceAll('_', ' ');

const wordsOf = (name, lifts) => kNames[name]?.[lifts ? 1 : 2] ?? labelOf(name);

// A factor under a tenth more or less says nothing.
const kSilent = Math.log(1.1);

// Of a row of the golden path: [{ name, factor, log, words }], those that say something.
export const factorsOf = (task) => Object.entries(task)
  .filter(([name, value]) => typeof value === 'number' && value > 0 && !kNoFactor.has(name))
  .map(([name, value]) => {
    const factor = name === 'base' ? value / kPrior : value;
    return { name, value, factor, log: Math.log(factor), words: wordsOf(name, factor > 1) };
  })
  .filter(({ log }) => Math.abs(log) > kSilent)
  .sort((a, b) => Math.abs(b.log) - Math.abs(a.log));

export const split = (factors) => ({
  plus: factors.filter(({ log }) => log > 0),
  minus: factors.filter(({ log }) => log < 0),
});

const sum = (factors) => factors.reduce((total, { log }) => total + Math.abs(log), 0);

// The longest half of a bar among these rows.
export const reach = (tasks) => tasks.reduce((most, task) => {
  const { plus, minus } = split(factorsOf(task));
  return Math.max(most, sum(plus), sum(minus));
}, Math.log(4));

export const sentence = (task) => {
  const { plus, minus } = split(factorsOf(task));
  const say = (list) => list.map(({ words, value, name }) => `${words} (${labelOf(name)} ${number(value)})`).join(', ');
  return [plus.length && `For it: ${say(plus)}.`, minus.length && `Against it: ${say(minus)}.`].filter(Boolean).join(' ');
};
