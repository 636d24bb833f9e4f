// Numbers and times as people read them, in the reader's language and time zone.

const clock = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const date = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
const whole = new Intl.NumberFormat();

export const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
export const count = (n) => whole.format(n);
export const plural = (n, one, more = `${one}s`) => `${count(n)} ${n === 1 ? one : more}`;
export const time = (text) => clock.format(new Date(text));
export const day = (text) => date.format(new Date(text));

const kSteps = [['year', 31557600e3], ['month', 2629800e3], ['day', 864e5], ['hour', 36e5], ['minute', 6e4]];

export const ago = (text, now = Date.now()) => {
  const ms = new Date(text) - now;
  for (const [unit, length] of kSteps)
    if (Math.abs(ms) >= length) return relative.format(Math.round(ms / length), unit);
  return relative.format(0, 'minute');
};

export const number = (x) => {
  if (x === 0) return '0';
  const size = Math.abs(x);
  if (size >= 1000 || size < 0.001) return x.toExponential(1).replace('e', ' e').replace('+', '');
  return String(Number(x.toPrecision(3)));
};

export const percent = (x) => {
  const of100 = x * 100;
  if (of100 > 0 && of100 < 0.1) return '< 0.1 %';
  return `${of100.toFixed(of100 < 10 ? 1 : 0)} %`;
};

// "×1.8" for a factor above 1, "÷2.4" for one below.
export const times = (factor) => {
  if (factor === 1) return '×1';
  const by = factor > 1 ? factor : 1 / factor;
  const text = by >= 100 ? count(Math.round(by)) : by.toFixed(by < 10 ? 1 : 0);
  return `${factor > 1 ? '×' : '÷'}${text}`;
};
