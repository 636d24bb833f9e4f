// A page with all that a session has to be able to use: fields, lists, check boxes, a shadow root, an iframe, files,
// equal buttons, a dialog. `answers`: what is shown when somebody orders; empty: nothing is.
const script = `
  const of = (id) => document.getElementById(id);
  customElements.define('shop-note', class extends HTMLElement {
    connectedCallback() {
      this.attachShadow({ mode: 'open' }).innerHTML = '<label>Note <input></label>';
    }
  });
  for (const button of document.querySelectorAll('li button'))
    button.onclick = () => { of('basket').textContent += button.parentNode.firstChild.data; };
  of('parcel').ondragstart = (event) => event.dataTransfer.setData('text/plain', 'parcel');
  of('truck').ondragover = (event) => event.preventDefault();
  of('truck').ondrop = (event) => { event.preventDefault(); of('loaded').textContent = 'loaded'; };
  const order = () => [of('name').value, of('password').value.length, of('size').value, of('gift').checked,
    document.querySelector('[name=way]:checked').value, of('picture').files.length, of('basket').textContent.trim(),
    of('loaded').textContent, document.querySelector('shop-note').shadowRoot.querySelector('input').value,
    document.querySelector('iframe').contentDocument.querySelector('input').value].join(', ');
  of('order').onclick = () => {
    if (confirm('Really?') && answer) setTimeout(() => { of('out').textContent = answer + order(); }, 100);
  };`;

export const shop = (answer = 'Ordered: ') => `<!doctype html><html lang="en"><meta charset="utf-8"><title>Shop</title>
<label>Name <input id="name"></label>
<label>Password <input id="password" type="password"></label>
<label>Size <select id="size"><option value="s">Small</option><option value="l">Large</option></select></label>
<label><input id="gift" type="checkbox"> Gift wrapping</label>
<label><input type="radio" name="way" value="post" checked> Post</label>
<label><input type="radio" name="way" value="courier"> Courier</label>
<label>Picture <input id="picture" type="file"></label>
<ul><li>Milk <button>Add</button></li><li>Tea <button>Add</button></li></ul><p id="basket"></p>
<div id="parcel" draggable="true">Parcel</div><div id="truck">Truck</div><p id="loaded"></p>
<shop-note></shop-note>
<iframe title="Card" srcdoc="<label>Number <input></label>"></iframe>
<button id="order">Order now</button> <a href="?more">More</a> <a href="?tab" target="_blank">New tab</a>
<p id="out" role="status"></p>
<script>const answer = ${JSON.stringify(answer)};${script}</script></html>`;

// What the page shows for the order that the sessions make, with a password of 8 letters.
export const ORDERED = 'Ordered: Ada, 8, l, true, courier, 1, Tea, loaded, be quick, 4111';
