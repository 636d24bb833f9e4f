// A chart by uPlot, in the page's colours; drawn anew where its data, its width or the colours change.
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { colour, useColours } from './theme.js';

// Labels of a time axis, in the reader's form of dates; a label equal to the one before is left out.
export const dates = (_, splits, __, ___, step) => {
  const parts = step < 86400 ? { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }
    : step < 27 * 86400 ? { day: 'numeric', month: 'short' } : { month: 'short', year: '2-digit' };
  const format = new Intl.DateTimeFormat(undefined, parts);
  return once(splits.map((at) => format.format(new Date(at * 1000))));
};
export const once = (texts) => texts.map((text, i) => (text === texts[i - 1] ? '' : text));

export const Chart = ({ options, data, label, height = 280 }) => {
  const place = useRef();
  const turn = useColours();
  useEffect(() => {
    const box = place.current;
    const axis = () => ({ stroke: colour('soft'), grid: { stroke: colour('line'), width: 1 }, ticks: { stroke: colour('line'), width: 1 }, font: '12px InterVariable, system-ui, sans-serif' });
    const own = options({ colour, axis });
    const chart = new uPlot({ pxAlign: 0, width: Math.max(200, box.clientWidth), height, ...own, axes: own.axes.map((one) => ({ ...axis(), ...one })) }, data, box);
    const observer = new ResizeObserver(() => chart.setSize({ width: Math.max(200, box.clientWidth), height }));
    observer.observe(box);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
  }, [data, turn, height]);
  return <div class="chart" role="img" aria-label={label} ref={place} />;
};
