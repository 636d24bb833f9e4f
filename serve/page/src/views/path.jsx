// What next? The ranking; with a search or another state, the nodes that fit.
import { useEffect, useMemo, useState } from 'preact/hooks';
import { get } from '../api.js';
import { FactorBar } from '../bar.jsx';
import { ClaimNext, Claims } from '../claims.jsx';
import { reach } from '../factors.js';
import { ago, count, percent, plural, time } from '../format.js';
import { useData } from '../live.js';
import { AddTask } from '../plans.jsx';
import { nodeLink, replaceQuery } from '../route.js';
import { TaskFacts } from '../task.jsx';
import { Verdict } from '../verdict.jsx';
import { VirtualList } from '../virtual.jsx';
import { useTitle, useWide } from '../hooks.js';

const kRanked = 'next';  // not a state: what can be done now, ranked

const Choice = ({ id, label, value, values, all, change }) => (
  <label for={id}><span>{label}</span>
    <select id={id} value={value} onChange={(event) => change(event.target.value)}>
      {all && <option value="">{all}</option>}
      {values.map(({ value: v, name, text }) => <option key={v} value={v}>{text ?? name ?? v}</option>)}
      {value && !values.some((one) => one.value === value) && <option value={value}>{value}</option>}
    </select>
  </label>
);

const counted = (facets) => (facets ?? []).map(({ value, name, open }) => ({
  value, text: `${name ?? value}${open ? ` (${count(open)})` : ''}`,
}));

const Filters = ({ query, change, facets }) => {
  const [text, set] = useState(query.q ?? '');
  // Waits for a pause in typing before it searches.
  useEffect(() => {
    if ((query.q ?? '') === text.trim()) return undefined;
    const timer = setTimeout(() => change({ q: text.trim() }), 500);
    return () => clearTimeout(timer);
  }, [text]);
  const submit = (event) => {
    event.preventDefault();
    change({ q: text.trim() });
  };
  const states = [{ value: kRanked, text: 'What next' }, ...(facets?.states ?? [])
    .map(({ value, count: n }) => ({ value, text: `All ${value} (${count(n)})` }))];
  return (
    <form class="filters" role="search" onSubmit={submit}>
      <label for="q" class="grow"><span>Search</span>
        <input id="q" type="search" value={text} placeholder="Words of a task, or its id"
          onInput={(event) => set(event.target.value)} />
      </label>
      <Choice id="state" label="Show" value={query.state ?? kRanked} values={states}
        change={(state) => change({ state: state === kRanked ? '' : state })} />
      <Choice id="label" label="Label" value={query.label ?? ''} values={counted(facets?.labels)} all="Any"
        change={(label) => change({ label })} />
      {(facets?.projects?.length > 0 || query.project) && (
        <Choice id="project" label="Project" value={query.project ?? ''} values={counted(facets?.projects)} all="Any"
          change={(project) => change({ project })} />
      )}
    </form>
  );
};

const Title = ({ id, name }) => <a class="title" href={nodeLink(id)} title={name || id}>{name || id}</a>;

const Ranked = ({ task, far }) => (
  <article class={`task ${task.rank === 1 ? 'first' : ''}`}>
    <span class="place" aria-label={`Place ${task.rank}`}>{count(task.rank)}</span>
    <div class="what">
      <Title {...task} />
      <p class="set-by-people soft">{task.name && <code>{task.id}</code>}<TaskFacts task={task} priority={task.set_priority} /></p>
      <p class="soft">{task.why?.filter((reason) => reason !== 'pinned').join(' · ')}</p>
    </div>
    <FactorBar task={task} reach={far} />
    <span class="share" title={task.tier ? 'Above what is less so' : 'Its priority to the highest'}>{task.tier ?? percent(task.relative)}</span>
    <Verdict id={task.id} />
  </article>
);

const Listed = ({ node }) => (
  <article class="task listed">
    <div class="what">
      <Title {...node} />
      <p class="set-by-people soft">{node.name && <code>{node.id}</code>}{node.project && <span>{node.project}</span>}<TaskFacts task={node} priority={node.priority} /></p>
    </div>
    <span class="chip">{node.type}</span>
    {node.state && <span class={`chip state ${node.state === 'OPEN' ? 'open' : ''}`}>{node.state}</span>}
    <span class="soft when">{node.created_at && <time dateTime={node.created_at} title={time(node.created_at)}>{ago(node.created_at)}</time>}</span>
    {node.state === 'OPEN' ? <Verdict id={node.id} /> : <span class="verdict" />}
  </article>
);

// The loader of the rows for the query.
const loader = ({ q, state, label, project }) => {
  if (q) {
    return async (offset, limit, signal) => {
      if (offset > 0) return [];
      const { nodes } = await get('/search', { query: q, state, project, limit, recall: 'false' }, signal);
      return nodes.slice(0, limit - 1);
    };
  }
  if (state) return async (offset, limit, signal) => (await get('/nodes', { state, label, project, offset, limit }, signal)).nodes;
  return async (offset, limit, signal) => (await get('/rank', { label, project, offset, limit, why: true }, signal)).tasks;
};

const Empty = ({ query }) => (
  <div class="notice">
    {query.q || query.state || query.label || query.project
      ? <p>Nothing fits. <a href="#/">Show all that can be done next</a>.</p>
      : <><p>No task can be done now.</p>
          <p class="soft">Add one here, or bring many with <code>hebb import</code>.</p></>}
  </div>
);

const heldBack = (n) => `${count(n)} more ${n === 1 ? 'is' : 'are'} blocked or snoozed`;

export const PathView = ({ route }) => {
  const { query } = route;
  const wide = useWide(760);
  const [far, setFar] = useState(Math.log(4));
  useTitle('What next?');
  const ranked = !query.q && !query.state;
  const plain = ranked && !query.label && !query.project;
  const facets = useData((signal) => get('/topology', { facets: true }, signal), ['facets'], { every: 2000 }).data;
  const stats = useData((signal) => get('/stats', {}, signal), ['stats'], { every: 800 }).data;
  const head = useData((signal) => get('/rank', { limit: 1 }, signal), ['head']).data;
  const load = useMemo(() => loader(query), [JSON.stringify(query)]);
  const change = (fields) => replaceQuery(route, { ...query, ...fields });
  const rows = (items) => setFar(ranked ? reach(items) : far);
  return (
    <>
      <div class="head">
        <div>
          <h1>What next?</h1>
          <p class="lead">
            {stats ? <>{plural(stats.candidates, 'task')} can be done now{stats.open > stats.candidates && <>, {heldBack(stats.open - stats.candidates)}</>}. </> : 'Looking … '}
          </p>
        </div>
        <ClaimNext />
        <AddTask />
      </div>
      {head?.blocking_cycle?.length > 0 && (
        <p class="notice warn">These tasks block one another, so that none of them can be done: {head.blocking_cycle.map((id, i) =>
          <>{i > 0 && ' → '}<a href={nodeLink(id)}>{id}</a></>)}</p>
      )}
      <Claims />
      <Filters query={query} change={change} facets={facets} />
      {ranked && (
        <p class="legend soft" aria-hidden="true"><span class="key minus" />stands against it<span class="key plus" />stands for it</p>
      )}
      <VirtualList key={JSON.stringify(query)} load={load} loadKey={JSON.stringify(query)}
        total={plain ? stats?.candidates : undefined} rowHeight={wide ? 88 : 150}
        label={ranked ? 'Tasks, the best first' : 'Nodes'} empty={<Empty query={query} />} onRows={rows}
        row={(item) => (ranked ? <Ranked task={item} far={far} /> : <Listed node={item} />)} />
    </>
  );
};
