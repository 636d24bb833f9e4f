// The factors of a priority: which are for a task, which against it, and their names.
import { number } from './format.js';

// The base of a task without near nodes and links: the default of the policy's `prior`.
const kPrior = 0.5;

// The words of reward/factors.h and reward/factors.cc: the name of a factor, its meaning above 1, and below. A test
// compares them.
const kNames = {
  base: ['similarity and links', 'near recent work, or linked', 'far from recent work, with few links'],
  recency: ['recency', 'active lately', 'quiet for long'],
  age: ['age', 'not old', 'quiet for weeks'],
  time_proximity: ['creation time', 'created close to the task completed last', 'created long before or after the task completed last'],
  order_proximity: ['creation order', 'created next to what was completed lately', 'created far from what was completed lately'],
  context_overlap: ['shared labels', 'labelled like the task completed last', 'labelled unlike the task completed last'],
  reward: ['reward', 'rewarded by related successes', 'not rewarded by related successes'],
  attention: ['attention', 'labels worked on lately', 'labels not worked on lately'],
  success_rate: ['success rate', 'successes in its labels', 'failures in its labels'],
  failure_penalty: ['own failures', 'failed before, or not tried yet', 'failed before'],
  urgency: ['urgency', 'urgent, or due soon', 'not urgent'],
  unblocks: ['unblocks', 'unblocks other tasks', 'unblocks nothing'],
  duration: ['duration', 'short', 'long'],
  waiting: ['waiting', 'waiting for long', 'not waiting for long'],
};

export const labelOf = (name) => kNames[name]?.[0] ?? name.replaceAll('_', ' ');

const wordsOf = (name, lifts) => kNames[name]?.[lifts ? 1 : 2] ?? labelOf(name);

// A factor within a tenth of 1 is not shown.
const kSilent = Math.log(1.1);

// The factors of a row of the ranking that are shown: [{ name, factor, log, words }].
export const factorsOf = (task) => Object.entries(task)
  .filter(([name, value]) => typeof value === 'number' && value > 0 && name in kNames)
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
