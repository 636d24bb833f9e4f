// Refused inputs that wait for a decision: the reason, and a retry.
import { get, post } from '../api.js';
import { ago, plural, time } from '../format.js';
import { useTitle } from '../hooks.js';
import { useData } from '../live.js';
import { attempt, say } from '../toasts.jsx';
import { useState } from 'preact/hooks';

const Letter = ({ letter, retry, drop }) => {
  const [sure, set] = useState(false);
  return (
    <li class="card letter">
      <p class="letter-head"><span class="chip warn">{letter.reason}</span>
        <span class="soft">{letter.file}{letter.line ? `:${letter.line}` : ''} · <time dateTime={letter.at} title={time(letter.at)}>{ago(letter.at)}</time></span></p>
      <p>{letter.detail}</p>
      <pre tabindex="0" aria-label="What it says">{letter.text.slice(0, 600)}{letter.text.length > 600 ? '…' : ''}</pre>
      <div class="actions">
        <button onClick={retry} aria-label={`Try again: ${letter.id}`}>Try again</button>
        {sure
          ? <button class="warn" onClick={drop} aria-label={`Give up for good: ${letter.id}`}>Give up for good</button>
          : <button class="quiet" onClick={() => set(true)} aria-label={`Give up: ${letter.id}`}>Give up</button>}
      </div>
    </li>
  );
};

const kShown = 100;

export const RefusedView = () => {
  const [turn, again] = useState(0);
  useTitle('Refused input');
  const { data, error } = useData((signal) => get('/dead-letters', { limit: kShown }, signal), ['refused', turn]);
  const letters = data?.dead_letters ?? [];
  const retry = async (body) => {
    try {
      const { applied, duplicates, refused } = await post('/dead-letters/retry', body);
      say(`${plural(applied + duplicates, 'item')} taken${refused ? `, ${refused} refused again` : ''}.`);
    } catch (problem) {
      say(`Not done: ${problem.message}`);
    }
    again((n) => n + 1);
  };
  const drop = async (id) => {
    await attempt(() => post('/dead-letters/drop', { ids: [id] }), `Item ${id} is gone.`);
    again((n) => n + 1);
  };
  return (
    <>
      <h1>Refused input</h1>
      <p class="lead">What could not be taken, with the reason. Mend what it needs, then try again; nothing is lost until you give it up.</p>
      {error && !data && <p class="notice">{error.message}</p>}
      {data && letters.length === 0 && <p class="notice">Nothing was refused.</p>}
      {letters.length > 1 && <div class="actions"><button class="primary" onClick={() => retry({ all: true })}>Try all again</button></div>}
      <ul class="letters">
        {letters.map((letter) => <Letter key={letter.id} letter={letter} retry={() => retry({ ids: [letter.id] })} drop={() => drop(letter.id)} />)}
      </ul>
      {data?.next && <p class="soft">There are more; these are the first {kShown}.</p>}
    </>
  );
};
