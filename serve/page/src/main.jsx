// The page: what is next, why, and how hebb learns.
import { render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { onUnauthorized, setToken } from './api.js';
import { count, zone } from './format.js';
import { Keys } from './keys.jsx';
import { start, useLive } from './live.js';
import { get } from './api.js';
import { useData } from './live.js';
import { useRoute } from './route.js';
import { useTheme } from './theme.js';
import { Toasts } from './toasts.jsx';
import { EdgeView } from './views/edge.jsx';
import { LearningView } from './views/learning.jsx';
import { LedgerView } from './views/ledger.jsx';
import { NodeView } from './views/node.jsx';
import { PathView } from './views/path.jsx';
import { RefusedView } from './views/refused.jsx';

const kViews = { '': PathView, node: NodeView, edge: EdgeView, learning: LearningView, refused: RefusedView, ledger: LedgerView };
const kLive = { starting: 'Connecting', live: 'Live', lost: 'Connection lost; trying again' };

const Link = ({ to, current, children }) =>
  <a href={`#/${to}`} aria-current={current ? 'page' : undefined}>{children}</a>;

const Token = () => {
  const [asked, ask] = useState(false);
  const field = useRef();
  useEffect(() => onUnauthorized(() => ask(true)), []);
  useEffect(() => { if (asked) field.current.focus(); }, [asked]);
  if (!asked) return null;
  const submit = (event) => {
    event.preventDefault();
    setToken(field.current.value.trim());
    location.reload();
  };
  return (
    <form class="token card" onSubmit={submit}>
      <label for="token">This server asks for a token</label>
      <p class="soft">It is in the file that <code>hebb serve --token-file</code> names. It is kept until this tab is closed.</p>
      <div class="row"><input id="token" type="password" ref={field} autocomplete="off" /><button class="primary">Go on</button></div>
    </form>
  );
};

const Header = ({ route }) => {
  const { status } = useLive();
  const [theme, next] = useTheme();
  const stats = useData((signal) => get('/stats', {}, signal), ['stats'], { every: 1500 }).data;
  const refused = stats?.dead_letters ?? 0;
  return (
    <header class="top">
      <div class="bar">
        <a class="brand" href="#/"><img src="/page/icon.svg" alt="" width="26" height="26" />hebb</a>
        <nav aria-label="Views">
          <Link to="" current={route.view === ''}>What next</Link>
          <Link to="learning" current={route.view === 'learning'}>Learning</Link>
          <Link to="ledger" current={route.view === 'ledger'}>Ledger</Link>
          <Link to="refused" current={route.view === 'refused'}>
            Refused input{refused > 0 && <span class="badge">{count(refused)}</span>}
          </Link>
        </nav>
        <div class="tools">
          <span class={`live ${status}`} role="status"><span class="dot" aria-hidden="true" /><span class="word">{kLive[status]}</span></span>
          <Keys />
          <button class="quiet" onClick={next} aria-label={`Colours: ${theme}. Change`} title={`Colours: ${theme}`}>
            <span aria-hidden="true" class={`sun ${theme}`} />
          </button>
        </div>
      </div>
    </header>
  );
};

const App = () => {
  const route = useRoute();
  const main = useRef();
  const first = useRef(true);
  const View = kViews[route.view] ?? PathView;
  // After a link, users of a keyboard or a screen reader continue at the new view, not at the old link.
  useEffect(() => {
    if (!first.current) {
      main.current.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
    first.current = false;
  }, [route.path]);
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => { event.preventDefault(); main.current.focus(); }}>Skip to the content</a>
      <Header route={route} />
      <main id="main" tabindex="-1" ref={main}>
        <Token />
        <View key={route.path} route={route} />
      </main>
      <footer>
        <p>Times are of {zone}. <a href="/openapi.json">Operations</a> · <a href="/page/licences.txt">Licences</a></p>
      </footer>
      <Toasts />
    </>
  );
};

render(<App />, document.getElementById('page'));
start();
