// Claims: who works on what, and claiming the next task.
import { useState } from 'preact/hooks';
import { get, post, uniqueId } from './api.js';
import { ago, time } from './format.js';
import { useData } from './live.js';
import { nodeLink } from './route.js';
import { attempt, say } from './toasts.jsx';
import { Verdict } from './verdict.jsx';

const kAgent = 'hebb.agent';
const kStatus = { expired: 'Its time is over', stuck: 'Stuck: claimed three times, and never finished' };

// Time passes without events, so the times shown are as of the last event.
export const useClaims = () => useData((signal) => get('/claims', {}, signal), ['claims']).data?.claims ?? [];

const release = ({ task, token }) => attempt(() => post('/claims/release', { token }), `${task} is free again.`);

const Until = ({ claim }) => (
  <span class="soft">{claim.agent} · {claim.status === 'active'
    ? <>until <time dateTime={claim.expires_at}>{time(claim.expires_at)}</time></>
    : <>{kStatus[claim.status] ?? claim.status}, <time dateTime={claim.expires_at}>{ago(claim.expires_at)}</time></>}</span>
);

export const Claimed = ({ claim }) => (
  <p class="notice claimed">
    <span class="chip open">being worked on</span><Until claim={claim} />
    <button onClick={() => release(claim)} aria-label={`Release ${claim.task}`}>Release</button>
  </p>
);

export const ClaimNext = () => {
  const [agent, set] = useState(localStorage.getItem(kAgent) ?? '');
  const next = async (event) => {
    event.preventDefault();
    localStorage.setItem(kAgent, agent.trim());
    try {
      const { tasks } = await post('/next', { claim: true, agent: agent.trim(), request_id: uniqueId() });
      if (!tasks.length) return say('There is nothing to claim.');
      const [{ id, token }] = tasks;
      say(`${id} is yours for 15 minutes.`, () => post('/claims/release', { token }));
    } catch (problem) {
      say(`Not claimed: ${problem.message}`);
    }
    return undefined;
  };
  return (
    <form class="claim-next" onSubmit={next}>
      <label for="agent" class="hidden">Who you are</label>
      <input id="agent" value={agent} required placeholder="Who you are" autocomplete="username" onInput={(event) => set(event.target.value)} />
      <button title="Nobody else gets it for 15 minutes">Claim the next</button>
    </form>
  );
};

export const Claims = () => {
  const claims = useClaims();
  if (!claims.length) return null;
  return (
    <section class="claims" aria-labelledby="claims">
      <h2 id="claims">Being worked on</h2>
      <ul>
        {claims.map((claim) => (
          <li key={claim.token}>
            <a href={nodeLink(claim.task)}>{claim.task}</a>
            <Until claim={claim} />
            <Verdict id={claim.task} token={claim.token}>
              <button onClick={() => release(claim)} aria-label={`Release ${claim.task}`}>Release</button>
            </Verdict>
          </li>
        ))}
      </ul>
    </section>
  );
};
