// Does it learn? The rank of each task before it was done, and the success of contexts over time.
import { useMemo, useState } from 'preact/hooks';
import { get } from '../api.js';
import { Chart, once } from '../chart.jsx';
import { count, number, percent, plural, time } from '../format.js';
import { useTitle } from '../hooks.js';
import { useData } from '../live.js';
import { nodeLink } from '../route.js';

const kSpan = 20;  // completions of a running mean

const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: '2-digit' });

const running = (values) => values.map((_, i) => {
  const part = values.slice(Math.max(0, i + 1 - kSpan), i + 1);
  return part.reduce((sum, x) => sum + x, 0) / part.length;
});

const options = (foreseen) => ({ colour }) => ({
  scales: { x: { time: false }, y: { range: [0, 1.05] } },
  series: [
    { label: 'completion', value: (_, i) => (i == null ? '' : `${foreseen[i - 1]?.task ?? ''}, ${foreseen[i - 1] ? time(foreseen[i - 1].at) : ''}`) },
    { label: '1 / place', stroke: colour('accent'), paths: () => null, points: { show: true, size: 5, fill: colour('accent') }, value: (_, v) => (v == null ? '' : number(v)) },
    { label: 'hebb, running mean', stroke: colour('accent'), width: 2.5, points: { show: false }, value: (_, v) => (v == null ? '' : number(v)) },
    { label: 'newest first', stroke: colour('warm'), width: 1.5, dash: [5, 4], points: { show: false }, value: (_, v) => (v == null ? '' : number(v)) },
  ],
  axes: [{ space: 70, values: (_, splits) => once(splits.map((i) => (foreseen[i - 1] ? day.format(new Date(foreseen[i - 1].at)) : ''))) }, { size: 46 }],
});

const Foreseen = ({ data }) => {
  const { foreseen } = data;
  const columns = useMemo(() => {
    const own = foreseen.map(({ place }) => 1 / place);
    return [foreseen.map((_, i) => i + 1), own, running(own), running(foreseen.map(({ newest_place: place }) => 1 / place))];
  }, [foreseen]);
  const label = `1 / place of the last ${foreseen.length} completions, and its running mean: ${number(data.mrr)} in all, newest first ${number(data.newest_mrr)}`;
  return (
    <>
      <figure><Chart options={options(foreseen)} data={columns} label={label} height={260} /></figure>
      <details class="more-rows">
        <summary>The same as a table</summary>
        <div class="scroll" tabindex="0" role="region" aria-label="Completions">
          <table>
            <thead><tr><th scope="col">When</th><th scope="col">Completed</th><th scope="col" class="num">Place</th><th scope="col" class="num">Of</th><th scope="col" class="num">Newest first</th></tr></thead>
            <tbody>{[...foreseen].reverse().map((one) => (
              <tr key={`${one.task} ${one.at}`}><td><time dateTime={one.at}>{time(one.at)}</time></td><td><a href={nodeLink(one.task)}>{one.task}</a></td>
                <td class="num">{count(one.place)}</td><td class="num">{count(one.candidates)}</td><td class="num">{count(one.newest_place)}</td></tr>
            ))}</tbody>
          </table>
        </div>
      </details>
    </>
  );
};

// The rate as a line over bars of successes (up) and failures (down).
const Spark = ({ context }) => {
  const { buckets } = context;
  const step = 200 / buckets.length;
  const most = Math.max(1, ...buckets.map(({ successes, failures }) => Math.max(successes, failures)));
  const line = buckets.map(({ rate }, i) => `${i ? 'L' : 'M'}${((i + 0.5) * step).toFixed(1)} ${(56 - rate * 52).toFixed(1)}`).join('');
  return (
    <svg viewBox="0 0 200 84" preserveAspectRatio="none" aria-hidden="true" focusable="false">
      <path class="mid" d="M0 30H200" />
      {buckets.map(({ at, successes, failures }, i) => (
        <g key={at}>
          {successes > 0 && <rect class="good" x={i * step + 0.4} width={step - 0.8} y={70 - (successes / most) * 12} height={(successes / most) * 12} />}
          {failures > 0 && <rect class="bad" x={i * step + 0.4} width={step - 0.8} y={71} height={(failures / most) * 12} />}
        </g>
      ))}
      <path class="rate" d={line} vector-effect="non-scaling-stroke" />
    </svg>
  );
};

const Context = ({ context }) => (
  <li class="card context">
    <p><a href={nodeLink(context.id)}>{context.name || context.id}</a><b>{percent(context.buckets[context.buckets.length - 1]?.rate ?? 0)}</b></p>
    <Spark context={context} />
    <p class="soft">{plural(context.successes, 'success', 'successes')}, {plural(context.failures, 'failure')}</p>
  </li>
);

const Tile = ({ value, name, words }) => <div class="card tile"><dt>{name}</dt><dd><b>{value}</b><span class="soft">{words}</span></dd></div>;

export const LearningView = () => {
  const [last, setLast] = useState('100');
  useTitle('Learning');
  // The server computes a hundred rankings for an answer, so not one for each event.
  const { data: stats, error } = useData((signal) => get('/stats', { learning: true, last, contexts: 8 }, signal), ['learning', last], { every: 5000 });
  const data = stats?.learning;
  const known = data && data.completions > 0;
  return (
    <>
      <h1>Does it learn?</h1>
      <p class="lead">For each task that was completed: where had the ranking put it just before? Nothing that came later is used.</p>
      <div class="filters tight">
        <label for="last"><span>Completions</span>
          <select id="last" value={last} onChange={(event) => setLast(event.target.value)}>
            {['20', '100', '300'].map((n) => <option key={n} value={n}>the last {n}</option>)}
          </select>
        </label>
      </div>
      {error && !data && <p class="notice">{error.message}</p>}
      {!data && !error && <p class="soft">Ranking as it was then …</p>}
      {data && !known && <p class="notice">No ranked task has succeeded yet. Report an outcome, and this begins to fill.</p>}
      {known && (
        <>
          <dl class="tiles">
            <Tile name="Mean of 1 / place" value={number(data.mrr)} words={`of ${plural(data.completions, 'completion')}; 1 would be first each time`} />
            <Tile name="Newest first" value={number(data.newest_mrr)} words="the same, if the newest were always on top" />
            <Tile name="By chance" value={number(data.random_mrr)} words="the same, in any order" />
            <Tile name="Among the first three" value={percent(data.first_three)} words="of these completions" />
          </dl>
          <Foreseen data={data} />
        </>
      )}
      {data?.contexts.length > 0 && (
        <section aria-labelledby="contexts">
          <h2 id="contexts">Success rate of labels</h2>
          <p class="soft">The line is the share of successes to be expected, as the ranking sees it from outcomes; bars count successes up, failures down.</p>
          <ul class="contexts">{data.contexts.map((context) => <Context key={context.id} context={context} />)}</ul>
        </section>
      )}
    </>
  );
};
