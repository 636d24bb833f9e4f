// The neighbours of a node: a picture, laid out by the server, and a table with the same content.
import { useState } from 'preact/hooks';
import { get, segment } from './api.js';
import { count, number, plural } from './format.js';
import { useData } from './live.js';
import { edgeLink, nodeLink } from './route.js';

// A type has one of eight colours, the same wherever it is seen; its name always stands beside it.
const kHues = {
  TASK: 0, ISSUE: 0, EPIC: 3, LABEL: 2, CATEGORY: 2, PULL_REQUEST: 3, DISCUSSION: 6, MODULE: 5, FILE: 5, TOOL: 1, SYSTEM_ANCHOR: 7,
  PARENT_OF: 0, BLOCKS: 4, LABELED_AS: 2, IN_CATEGORY: 2, ASSIGNED_TO: 6, REWARD_POSITIVE: 1, REWARD_NEGATIVE: 4, GUIDES: 3,
  CROSS_REFERENCES: 7, MENTIONS: 5, RESOLVES: 6, RELATES_TO: 0, DEPENDS_ON: 6,
};

export const hue = (type) => {
  if (type in kHues) return `t${kHues[type]}`;
  let hash = 7;
  for (const c of type) hash = (hash * 31 + c.codePointAt(0)) % 9973;
  return `t${hash % 8}`;
};

const short = (text, length) => (text.length > length ? `${text.slice(0, length - 1)}…` : text);

const Edge = ({ edge, active, across }) => (
  <path class={`edge ${hue(edge.type)} ${across ? 'across' : ''} ${edge.dormant ? 'dormant' : ''} ${active ? 'active' : ''}`} d={edge.path}
    stroke-width={0.8 + 1.2 * Math.min(edge.weight, 5)}>
    <title>{`${edge.source} ${edge.type} ${edge.target}: ${number(edge.weight)}`}</title>
  </path>
);

const Node = ({ node, middle, enter, leave }) => {
  const name = node.name || node.id;
  const below = node.y + (node.depth === 0 ? 32 : 23);
  return (
    <a href={nodeLink(node.id)}
      class={`node ${hue(node.type)} ${node.state && node.state !== 'OPEN' ? 'closed' : ''} ${middle ? 'middle' : ''}`}
      onMouseEnter={enter} onMouseLeave={leave} onFocus={enter} onBlur={leave}>
      <title>{`${name}, ${node.type}${node.state ? `, ${node.state}` : ''}${node.more > 0 && !middle ? `, ${node.more} more neighbours` : ''}`}</title>
      <g aria-hidden="true">
        <circle cx={node.x} cy={node.y} r={middle ? 15 : node.depth === 1 ? 9 : 6.5} />
        <text x={node.x} y={below} text-anchor="middle">{short(name, middle ? 40 : 20)}</text>
        {node.more > 0 && !middle && <text class="more" x={node.x} y={node.y + 3} text-anchor="middle">+{node.more > 99 ? '99' : node.more}</text>}
      </g>
    </a>
  );
};

const Picture = ({ picture }) => {
  const [over, set] = useState(null);
  const { nodes, edges, width, height } = picture;
  const types = [...new Set(nodes.map(({ type }) => type))];
  const edgeTypes = [...new Set(edges.map(({ type }) => type))];
  return (
    <figure class="picture">
      <div class="scroll" tabindex="0" role="group" aria-label="Picture of the neighbourhood; the table below says the same">
        <svg viewBox={`0 0 ${width} ${height}`} style={{ maxWidth: `${width * 1.25}px`, minWidth: `${Math.min(width, 560)}px` }}
          class={over ? 'dim' : ''}>
          <g>{[...edges].reverse().map((edge) => (
            <Edge key={`${edge.source} ${edge.type} ${edge.target}`} edge={edge} across={edge.source !== nodes[0].id && edge.target !== nodes[0].id} active={over && (edge.source === over || edge.target === over)} />
          ))}</g>
          <g>{nodes.map((node, i) => (
            <Node key={node.id} node={node} middle={i === 0} enter={() => set(node.id)} leave={() => set(null)} />
          ))}</g>
        </svg>
      </div>
      <figcaption>
        <ul class="keys">
          {types.map((type) => <li key={type}><span class={`dot ${hue(type)}`} />{type}</li>)}
          {edgeTypes.map((type) => <li key={type}><span class={`line ${hue(type)}`} />{type}</li>)}
        </ul>
      </figcaption>
    </figure>
  );
};

const Rows = ({ edges }) => (
  <table>
    <caption class="hidden">The edges of the picture, the strongest first</caption>
    <thead><tr><th scope="col">From</th><th scope="col">Type</th><th scope="col">To</th><th scope="col" class="num">Weight</th></tr></thead>
    <tbody>
      {edges.map((edge) => (
        <tr key={`${edge.source} ${edge.type} ${edge.target}`}>
          <td><a href={nodeLink(edge.source)}>{edge.source}</a></td>
          <td><span class={`line ${hue(edge.type)}`} />{edge.type}</td>
          <td><a href={nodeLink(edge.target)}>{edge.target}</a></td>
          <td class="num"><a href={edgeLink(edge)} aria-label={`${number(edge.weight)}: how ${edge.source} ${edge.type} ${edge.target} came by it`}>{number(edge.weight)}</a>{edge.dormant && <span class="soft"> dormant</span>}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

const kRows = 12;

export const Neighbourhood = ({ id }) => {
  const [depth, setDepth] = useState('1');
  const [dormant, setDormant] = useState(false);
  const [all, setAll] = useState(false);
  const { data, error } = useData(
    (signal) => get(`/nodes/${segment(id)}/neighborhood`, { depth, dormant, limit: 32, layout: true }, signal), ['around', id, depth, dormant], { every: 1000 });
  const edges = data?.edges ?? [];
  return (
    <section aria-labelledby="around">
      <h2 id="around">Around it</h2>
      <div class="filters tight">
        <label for="depth"><span>Steps</span>
          <select id="depth" value={depth} onChange={(event) => setDepth(event.target.value)}>
            {['1', '2', '3'].map((n) => <option key={n}>{n}</option>)}
          </select>
        </label>
        <label for="dormant" class="check"><input id="dormant" type="checkbox" checked={dormant} onChange={(event) => setDormant(event.target.checked)} /><span>Dormant edges too</span></label>
      </div>
      {error && !data && <p class="notice">{error.message}</p>}
      {data && data.nodes.length === 1 && <p class="notice">Nothing is linked to it{dormant ? '' : ', or what is, is dormant'}.</p>}
      {data && data.nodes.length > 1 && (
        <>
          <Picture picture={data} />
          <p class="soft">{plural(data.nodes.length, 'node')} and {plural(edges.length, 'edge')}; the wider a line, the greater its weight now.
            {data.nodes[0].more > 0 && ` ${count(data.nodes[0].more)} more neighbours are left out.`}</p>
          <div class="scroll" tabindex="0" role="region" aria-label="Edges"><Rows edges={all ? edges : edges.slice(0, kRows)} /></div>
          {edges.length > kRows && <button onClick={() => setAll(!all)}>{all ? 'Only the strongest' : `All ${count(edges.length)} edges`}</button>}
        </>
      )}
    </section>
  );
};
