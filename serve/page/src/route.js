// The view in the page's address, "#/node/T-1?tab=x", so that links and going back work.
import { useEffect, useState } from 'preact/hooks';

const parse = () => {
  const [path, query = ''] = location.hash.replace(/^#\/?/, '').split('?');
  const [view, ...rest] = path.split('/');
  const decoded = rest.map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
  return { path, view, parts: decoded, query: Object.fromEntries(new URLSearchParams(query)) };
};

export const useRoute = () => {
  const [route, set] = useState(parse);
  useEffect(() => {
    const changed = () => set(parse());
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  return route;
};

export const nodeLink = (id) => `#/node/${encodeURIComponent(id)}`;
export const edgeLink = ({ source, target, type }) =>
  `#/edge/${[source, target, type].map(encodeURIComponent).join('/')}`;

// The same view with another query, without a step to go back to.
export const replaceQuery = (route, query) => {
  const filled = Object.entries(query).filter(([, value]) => value);
  const text = filled.length ? `?${new URLSearchParams(filled)}` : '';
  history.replaceState(null, '', `#/${route.path}${text}`);
  dispatchEvent(new HashChangeEvent('hashchange'));
};
