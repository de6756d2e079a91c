// The limit: a page that has nothing but Preact.
import { h, render } from 'preact';

render(h('main', null, h('h1', null, 'Empty')), document.body);
