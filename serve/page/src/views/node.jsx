// A node: where it stands and why, down to the events; what is around it; and what to say of it.
import { useState } from 'preact/hooks';
import { get, segment } from '../api.js';
import { FactorBar } from '../bar.jsx';
import { Claimed, finish, useClaims } from '../claims.jsx';
import { labelOf, reach } from '../factors.js';
import { count, number, percent, time, ago } from '../format.js';
import { useData } from '../live.js';
import { Neighbourhood } from '../neighbourhood.jsx';
import { Plans } from '../plans.jsx';
import { nodeLink } from '../route.js';
import { report } from '../toasts.jsx';
import { useTitle } from '../hooks.js';

const When = ({ at }) => <time dateTime={at} title={time(at)}>{time(at)}</time>;

const Causes = ({ causes }) => (
  <ul class="causes">
    {causes.map((cause) => (
      <li key={cause.event}><code>{cause.event}</code> <span>{cause.what}</span> <span class="soft"><When at={cause.at} /></span></li>
    ))}
  </ul>
);

const Ground = ({ ground }) => {
  const value = ground.value !== 0 && <span class="value">{number(ground.value)}</span>;
  if (!ground.causes?.length) return <li class="leaf"><span>{ground.what}</span>{value}</li>;
  return (
    <li>
      <details>
        <summary><span>{ground.what}</span>{value}</summary>
        {ground.cause_count > ground.causes.length && <p class="soft">the last {ground.causes.length} of {ground.cause_count}</p>}
        <Causes causes={ground.causes} />
      </details>
    </li>
  );
};

const kParts = new Set(['semantic', 'structural']);  // of the factor base

const Factor = ({ factor, children }) => {
  const grounds = factor.grounds ?? [];
  const inside = (
    <>
      <span class="factor-name">{labelOf(factor.name)}</span>
      <code class="formula">{factor.formula}</code>
      <span class={`value ${factor.value > 1.1 ? 'plus' : factor.value < 0.9 ? 'minus' : ''}`}>{number(factor.value)}</span>
    </>
  );
  if (!grounds.length && !children?.length) return <li class="leaf factor">{inside}</li>;
  return (
    <li class="factor">
      <details>
        <summary>{inside}</summary>
        <ul>{children}{grounds.map((ground, i) => <Ground key={i} ground={ground} />)}</ul>
      </details>
    </li>
  );
};

const asTask = (x) => Object.fromEntries(x.factors.filter(({ name }) => !kParts.has(name)).map(({ name, value }) => [name, value]));

const Explanation = ({ x }) => {
  const parts = x.factors.filter(({ name }) => kParts.has(name));
  return (
    <section aria-labelledby="why">
      <h2 id="why">Why</h2>
      <p class="soft">
        {x.ranked ? 'Its priority is ' : 'If it were ranked, its priority would be '}
        <b>{number(x.priority)}</b>, the product of these, as of <When at={x.at} />. Open one to see what it comes from.
      </p>
      <div class="whole"><FactorBar task={asTask(x)} reach={reach([asTask(x)])} wide /></div>
      <ul class="tree">
        {x.factors.filter(({ name }) => !kParts.has(name)).map((factor) => (
          <Factor key={factor.name} factor={factor}>
            {factor.name === 'base' ? parts.map((part) => <Factor key={part.name} factor={part} />) : []}
          </Factor>
        ))}
      </ul>
      {x.history?.length > 0 && <><h3>What happened to it</h3><Causes causes={x.history} /></>}
    </section>
  );
};

const Facts = ({ node }) => {
  const rows = [['Project', node.project], ['Scope', node.scope]]
    .concat([['Made', node.created_at], ['Changed', node.updated_at], ['Reopened', node.reopened_at], ['Completed', node.completed_at]]
      .map(([name, at]) => [name, at && <><When at={at} /> <span class="soft">({ago(at)})</span></>]));
  const own = Object.entries(node.properties ?? {});
  return (
    <>
      {node.description && <p class="description">{node.description}</p>}
      <dl class="facts">
        {rows.filter(([, value]) => value).map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}
        {own.map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{typeof value === 'string' ? value : JSON.stringify(value)}</dd></div>)}
      </dl>
    </>
  );
};

const Outcomes = ({ id, claim }) => {
  const say = (outcome) => (claim ? finish(claim, outcome) : report(id, outcome));
  return (
    <div class="actions" role="group" aria-label={`What became of ${id}`}>
      <button class="primary" onClick={() => say('success')}>It succeeded</button>
      <button onClick={() => say('partial')}>Partly</button>
      <button onClick={() => say('failure')}>It failed</button>
    </div>
  );
};

const Standing = ({ x }) => {
  if (x.ranked) {
    return <p class="lead">Place <b>{count(x.rank)}</b> of {count(x.candidates)}, at {percent(x.relative)} of the first.</p>;
  }
  if (!x.state) return <p class="lead">Not a task: it has no state. <a href={`#/?label=${segment(x.id)}`}>The tasks that have it as a label</a></p>;
  return (
    <p class="lead">
      Not ranked: {x.blockers?.length
        ? <>blocked by {x.blockers.map((id, i) => <>{i > 0 && ', '}<a href={nodeLink(id)}>{id}</a></>)}</>
        : x.why_not}.
    </p>
  );
};

export const NodeView = ({ route }) => {
  const id = route.parts[0] ?? '';
  const x = useData((signal) => get(`/tasks/${segment(id)}/explanation`, {}, signal), ['explain', id]);
  // Whoever looks at the page does not change what agents ask for most.
  const [edit, edited] = useState(0);
  const details = useData((signal) => get(`/nodes/${segment(id)}`, { recall: 'false' }, signal), ['node', id, edit], { live: false });
  const claim = useClaims().find(({ task }) => task === id);
  useTitle(x.data?.name || id);
  if (x.error && !x.data) return <><h1>{id}</h1><p class="notice">{x.error.message}</p></>;
  const node = details.data?.node;
  return (
    <>
      <p class="crumbs"><a href="#/">Path</a></p>
      <h1>{x.data?.name || id}</h1>
      <p class="chips">
        <code>{id}</code>
        {x.data && <span class="chip">{x.data.type}</span>}
        {x.data?.state && <span class={`chip state ${x.data.state === 'OPEN' ? 'open' : ''}`}>{x.data.state}</span>}
      </p>
      {!x.data && <p class="soft">Looking …</p>}
      {x.data && <Standing x={x.data} />}
      {claim && <Claimed claim={claim} />}
      {x.data?.state && <Outcomes id={id} claim={claim} />}
      {x.data?.state === 'OPEN' && node && <Plans node={node} changed={() => edited((n) => n + 1)} />}
      {node && <Facts node={node} />}
      {x.data && <Explanation x={x.data} />}
      <Neighbourhood id={id} />
    </>
  );
};
