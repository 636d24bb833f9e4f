// An edge: its weight over time, and the events that made it.
import { useMemo } from 'preact/hooks';
import { get } from '../api.js';
import { Chart, dates } from '../chart.jsx';
import { number, time } from '../format.js';
import { useTitle } from '../hooks.js';
import { useData } from '../live.js';
import { hue } from '../neighbourhood.jsx';
import { nodeLink } from '../route.js';

const options = (curve) => ({ colour }) => ({
  scales: { x: { time: true }, y: { range: (_, __, most) => [0, Math.max(most * 1.1, curve.dormant_below * 1.5, 0.5)] } },
  legend: { live: true },
  cursor: { points: { size: 6 } },
  series: [
    { value: (_, at) => (at == null ? '' : time(at * 1000)) },
    { label: 'weight', stroke: colour('accent'), width: 2, fill: colour('wash'), points: { show: false }, value: (_, w) => (w == null ? '' : number(w)) },
    { label: 'event', stroke: colour('warm'), paths: () => null, points: { show: true, size: 8, width: 2, fill: colour('paper') }, value: (_, w) => (w == null ? '' : number(w)) },
    { label: 'dormant below', stroke: colour('soft'), width: 1, dash: [4, 4], points: { show: false }, value: (_, w) => (w == null ? '' : number(w)) },
  ],
  axes: [{ values: dates, space: 70 }, { size: 46 }],
});

// [times in seconds, weights, weights at events, the threshold].
const columns = (curve) => {
  const happened = new Set(curve.history.map(({ at }) => at));
  const rows = curve.points.map(({ at, weight }, i) => {
    const last = curve.points[i + 1]?.at !== at;  // of the two at an event, the later
    return [new Date(at) / 1000, weight, happened.has(at) && last ? weight : null, curve.dormant_below || null];
  });
  return [0, 1, 2, 3].map((column) => rows.map((row) => row[column]));
};

const Ends = ({ curve }) => (
  <>
    <a href={nodeLink(curve.source)}>{curve.source}</a>
    <span class="arrow"><span class={`line ${hue(curve.type)}`} />{curve.type}<span aria-hidden="true"> →</span></span>
    <a href={nodeLink(curve.target)}>{curve.target}</a>
  </>
);

export const EdgeView = ({ route }) => {
  const [source = '', target = '', type = ''] = route.parts;
  const { data: curve, error } = useData((signal) => get('/edges/explanation', { source, target, type, points: 200 }, signal), ['edge', source, target, type]);
  useTitle(`${source} ${type} ${target}`);
  const data = useMemo(() => curve && columns(curve), [curve]);
  if (error && !curve) return <><h1>{source} {type} {target}</h1><p class="notice">{error.message}</p></>;
  if (!curve) return <><h1>{source} {type} {target}</h1><p class="soft">Looking …</p></>;
  const label = `Weight of ${source} ${type} ${target} over time: ${curve.history.length} events, now ${number(curve.weight)}`;
  return (
    <>
      <p class="crumbs"><a href="#/">What next</a> / <a href={nodeLink(source)}>{source}</a></p>
      <h1 class="ends"><Ends curve={curve} /></h1>
      <p class="lead">
        {curve.exists ? <>Its weight is <b>{number(curve.weight)}</b> now{curve.dormant && ', too weak to count'}.</> : 'It is gone; this is what it was.'}
        {' '}{curve.half_life_days ? <>Left alone, half of it fades in {number(curve.half_life_days)} days.</> : 'Edges of this type do not fade.'}
      </p>
      <figure><Chart options={options(curve)} data={data} label={label} /></figure>
      <h2>What shaped it</h2>
      <div class="scroll" tabindex="0" role="region" aria-label="Events">
        <table>
          <thead><tr><th scope="col">Event</th><th scope="col">When</th><th scope="col">What</th><th scope="col">Rule</th><th scope="col" class="num">Before</th><th scope="col" class="num">After</th></tr></thead>
          <tbody>
            {curve.history.map((step) => (
              <tr key={`${step.event} ${step.rule}`}>
                <td><code>{step.event}</code></td><td><time dateTime={step.at}>{time(step.at)}</time></td><td>{step.what}</td><td>{step.rule}</td>
                <td class="num">{step.before == null ? '–' : number(step.before)}</td><td class="num">{step.after == null ? '–' : number(step.after)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
};
