// A bar of factors: those against a task to the left, those for it to the right. The label of each appears on hover and
// on focus, and screen readers always read it.
import { useId, useState } from 'preact/hooks';
import { factorsOf, labelOf, sentence, split } from './factors.js';
import { number, times } from './format.js';

const Part = ({ factor, reach, from, side }) => {
  const width = (Math.abs(factor.log) / reach) * 50;
  const x = side === 'plus' ? 50 + from : 50 - from - width;
  return <rect class={`f ${side} f-${factor.name}`} x={x} y="0" width={Math.max(width - 0.35, 0.3)} height="10" rx="0.6" />;
};

const parts = (list, reach, side) => {
  let from = 0;
  return list.map((factor) => {
    const part = <Part key={factor.name} factor={factor} reach={reach} from={from} side={side} />;
    from += (Math.abs(factor.log) / reach) * 50;
    return part;
  });
};

const Side = ({ title, list }) => (
  <div>
    <p class="side">{title}</p>
    {list.length === 0 ? <p class="soft">nothing</p> : (
      <ul>
        {list.map(({ name, factor, words, value }) => (
          <li key={name}>
            <span class="words">{words}<small>{labelOf(name)} {number(value)}</small></span>
            <b>{times(factor)}</b>
          </li>
        ))}
      </ul>
    )}
  </div>
);

export const FactorBar = ({ task, reach, wide }) => {
  const id = useId();
  const [open, set] = useState(false);
  const factors = factorsOf(task);
  const { plus, minus } = split(factors);
  const key = (event) => {
    if (event.key === 'Escape') set(false);
  };
  return (
    <div class={`factor-bar ${wide ? 'wide' : ''}`} onMouseEnter={() => set(true)} onMouseLeave={() => set(false)}>
      <button class="bare" aria-label={`Why: ${sentence(task) || 'nothing stands for or against it.'}`}
        aria-expanded={open} aria-controls={id} onFocus={() => set(true)} onBlur={() => set(false)} onKeyDown={key}
        onClick={() => set(true)}>
        <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" focusable="false">
          <rect class="track" x="0" y="4" width="100" height="2" rx="1" />
          {parts(minus, reach, 'minus')}
          {parts(plus, reach, 'plus')}
          <rect class="axis" x="49.8" y="-1" width="0.4" height="12" />
        </svg>
      </button>
      <div id={id} class="pop" hidden={!open}>
        {open && <><Side title="For it" list={plus} /><Side title="Against it" list={minus} /></>}
      </div>
    </div>
  );
};
