// The events, the latest first, with an undo.
import { useState } from 'preact/hooks';
import { get, post } from '../api.js';
import { ago, time } from '../format.js';
import { useTitle } from '../hooks.js';
import { useData } from '../live.js';
import { nodeLink } from '../route.js';
import { attempt } from '../toasts.jsx';

const kStep = 50;

const take = ({ event }) => attempt(() => post('/undo', { event }), `Event ${event} is undone.`,
  ({ undone_by: by }) => post('/undo', { event: by }));

export const LedgerView = () => {
  const [limit, set] = useState(kStep);
  useTitle('Ledger');
  const { data, error } = useData((signal) => get('/ledger', { limit }, signal), ['ledger', limit]);
  return (
    <>
      <h1>Ledger</h1>
      <p class="lead">All that hebb knows comes from these events. None is ever removed; one that is undone has no effect.</p>
      {error && !data && <p class="notice">{error.message}</p>}
      <ol class="events">
        {data?.events.map((event) => (
          <li key={event.event} class={event.undone ? 'undone' : ''}>
            <code>{event.event}</code>
            <span class="grow"><span>{event.what}</span>{' '}
              {event.subject !== 'frontier' && event.subject !== 'ledger' && event.subject !== 'policy' && <a href={nodeLink(event.subject)} aria-label={`Open ${event.subject}`}>open</a>}</span>
            <time class="soft" dateTime={event.at} title={time(event.at)}>{ago(event.at)}</time>
            {event.undone ? <span class="chip">undone</span> : <button onClick={() => take(event)} aria-label={`Undo event ${event.event}`}>Undo</button>}
          </li>
        ))}
      </ol>
      {data?.next && limit < 1000 && <button onClick={() => set(Math.min(1000, limit + kStep))}>Older ones</button>}
    </>
  );
};
