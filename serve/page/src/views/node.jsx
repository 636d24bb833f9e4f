// A node: its rank and the reasons, down to the events; its neighbours; and forms to change it.
import { get, segment } from '../api.js';
import { FactorBar } from '../bar.jsx';
import { Claimed, useClaims } from '../claims.jsx';
import { factorsOf, labelOf, reach, split } from '../factors.js';
import { ago, count, number, percent, time } from '../format.js';
import { useData } from '../live.js';
import { Neighbourhood } from '../neighbourhood.jsx';
import { Plans } from '../plans.jsx';
import { nodeLink } from '../route.js';
import { TaskFacts } from '../task.jsx';
import { Verdict } from '../verdict.jsx';
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

const InWords = ({ words, factors }) => (
  <p class="sentence"><b>{words}:</b> {factors.map((factor) => factor.words).join('; ') || 'nothing'}.</p>
);

const Explanation = ({ x }) => {
  const parts = x.factors.filter(({ name }) => kParts.has(name));
  const task = asTask(x);
  const { plus, minus } = split(factorsOf(task));
  return (
    <section aria-labelledby="why">
      <h2 id="why">Why</h2>
      <InWords words="For it" factors={plus} />
      <InWords words="Against it" factors={minus} />
      <div class="whole"><FactorBar task={task} reach={reach([task])} wide /></div>
      <details class="more-rows">
        <summary>In numbers: {x.ranked ? 'its priority is' : 'if it were ranked, its priority would be'} {number(x.priority)}</summary>
        <p class="soft">That is the product of these, as of <When at={x.at} />. Open one to see what it comes from.</p>
        <ul class="tree">
          {x.factors.filter(({ name }) => !kParts.has(name)).map((factor) => (
            <Factor key={factor.name} factor={factor}>
              {factor.name === 'base' ? parts.map((part) => <Factor key={part.name} factor={part} />) : []}
            </Factor>
          ))}
        </ul>
      </details>
      {x.history?.length > 0 && <><h3>What happened to it</h3><Causes causes={x.history} /></>}
    </section>
  );
};

const Facts = ({ node }) => {
  const rows = [['Project', node.project], ['Scope', node.scope]]
    .concat([['Created', node.created_at], ['Changed', node.updated_at], ['Reopened', node.reopened_at], ['Completed', node.completed_at]]
      .map(([name, at]) => [name, at && <><When at={at} /> <span class="soft">({ago(at)})</span></>]));
  const own = Object.entries(node.properties ?? {}).filter(([name]) => name !== 'number' && name !== 'url');
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

const Linked = ({ words, tasks }) => (tasks?.length > 0 && (
  <div><dt>{words}</dt><dd>{tasks.map(({ id, name, state }, i) => (
    <span key={id}>{i > 0 && ', '}<a href={nodeLink(id)}>{name || id}</a>{state && state !== 'OPEN' && ` (${state})`}</span>
  ))}</dd></div>
));

const kCame = { success: 'It succeeded', partial: 'It was partly done', failure: 'It failed' };

const Outcomes = ({ outcomes }) => (
  <section aria-labelledby="outcomes">
    <h2 id="outcomes">How it came out</h2>
    <ul class="causes">
      {outcomes.map(({ at, outcome, agent, because }, i) => (
        <li key={i}><span>{kCame[outcome] ?? outcome}{because && <>: {because}</>}</span>
          <span class="soft"><When at={at} />{agent && ` · ${agent}`}</span></li>
      ))}
    </ul>
  </section>
);

const Standing = ({ x, task }) => {
  if (x.ranked) {
    if (x.tier) return <p class="lead">Place <b>{count(x.rank)}</b> of {count(x.candidates)}: {x.tier}.</p>;
    return <p class="lead">Place <b>{count(x.rank)}</b> of {count(x.candidates)}, at {percent(x.relative)} of the highest priority.</p>;
  }
  if (!x.state) return <p class="lead">Not a task: it has no state. <a href={`#/?label=${segment(x.id)}`}>The tasks that have it as a label</a></p>;
  return <p class="lead">Not ranked: {task?.not_ready?.join('; ') || x.why_not}.</p>;
};

export const NodeView = ({ route }) => {
  const id = route.parts[0] ?? '';
  const x = useData((signal) => get(`/tasks/${segment(id)}/explanation`, {}, signal), ['explain', id]);
  const task = useData((signal) => get(`/tasks/${segment(id)}`, {}, signal), ['show', id]).data?.task;
  // Views of the page do not count as accesses, which rank what agents need most.
  const node = useData((signal) => get(`/nodes/${segment(id)}`, { recall: 'false' }, signal), ['node', id], { live: false }).data?.node;
  const claim = useClaims().find((one) => one.task === id);
  useTitle(x.data?.name || id);
  if (x.error && !x.data) return <><h1>{id}</h1><p class="notice">{x.error.message}</p></>;
  return (
    <>
      <p class="crumbs"><a href="#/">What next</a></p>
      <h1>{x.data?.name || id}</h1>
      <p class="chips">
        <code>{id}</code>
        {x.data && <span class="chip">{x.data.type}</span>}
        {x.data?.state && <span class={`chip state ${x.data.state === 'OPEN' ? 'open' : ''}`}>{x.data.state}</span>}
        {task && <TaskFacts task={task} priority={task.priority} />}
      </p>
      {!x.data && <p class="soft">Looking …</p>}
      {x.data && <Standing x={x.data} task={task} />}
      {claim && <Claimed claim={claim} />}
      {x.data?.state && <div class="outcome"><Verdict id={id} token={claim?.token} partly /></div>}
      {x.data?.state && task && <Plans task={task} />}
      {(task?.blocked_by ?? task?.unblocks)?.length > 0 && <dl class="facts"><Linked words="Blocked by" tasks={task.blocked_by} /><Linked words="Unblocks" tasks={task.unblocks} /></dl>}
      {node && <Facts node={node} />}
      {task?.outcomes?.length > 0 && <Outcomes outcomes={task.outcomes} />}
      {x.data && <Explanation x={x.data} />}
      <Neighbourhood id={id} />
    </>
  );
};
