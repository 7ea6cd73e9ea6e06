// The list of a library: it shows the rows of the data, sorts and filters them, and keeps the choice in the address.
'use strict';
{
  /**
   * @typedef {{ value: number | null, text: string, was?: string }} Figure
   * @typedef {{ key: string, name: string, path: string, state: string, since: string, page: boolean, figures: Figure[],
   *   problems: string[], changes: string[], warnings: string[] }} Row
   * @typedef {{ tool: string, base: string | null, notes: string[], columns: { key: string, label: string, title: string }[],
   *   rows: Row[] }} Data
   */

  const find = (/** @type {string} */ id) => /** @type {any} */ (document.getElementById(id));
  /** @type {Data} */
  const data = JSON.parse(find('data').textContent);

  /**
   * Creates an element. Texts become text nodes, so names of characters are never read as HTML.
   * @param {string} tag
   * @param {Record<string, unknown>} properties
   * @param {(Node | string | false)[]} children
   * @returns {any}
   */
  const h = (tag, properties, ...children) => {
    const element = document.createElement(tag);
    for (const [key, value] of Object.entries(properties)) {
      if (key.includes('-') || key === 'role') element.setAttribute(key, String(value));
      else Object.assign(element, { [key]: value });
    }
    element.append(...children.filter((child) => child !== false));
    return element;
  };

  /** A text that others wrote, in its own direction, so that its letters do not turn the words around it. */
  const foreign = (/** @type {string} */ tag, /** @type {string} */ className, /** @type {string} */ text) => h(tag, { className, dir: 'auto' }, text);

  /** A list that opens. Its lines are made when it opens, because a thousand rows have thousands of them. */
  const list = (/** @type {string} */ title, /** @type {string[]} */ lines) => {
    if (lines.length === 0) return false;
    const details = h('details', {}, h('summary', {}, title));
    details.addEventListener('toggle', () => details.append(h('ul', {}, ...lines.map((line) => foreign('li', '', line)))), { once: true });
    return details;
  };

  const STATES = /** @type {Record<string, string>} */ ({ ok: 'ok', broken: 'outside its limits', failed: 'cannot be baked', removed: '' });
  const SINCE = /** @type {Record<string, string>} */ ({ unknown: 'not comparable' });

  const show = /** @type {Record<string, [string, (row: Row) => boolean]>} */ ({
    all: ['all', () => true],
    wrong: ['outside limits or not baked', ({ state }) => state === 'broken' || state === 'failed'],
    warned: ['with warnings', ({ warnings }) => warnings.length > 0],
  });
  if (data.base !== null) {
    show['different'] = ['different from the base', ({ since }) => ['added', 'removed', 'changed', 'unknown'].includes(since)];
    for (const since of ['changed', 'added', 'removed', 'unchanged']) show[since] = [since, (row) => row.since === since];
  }

  const columns = [{ key: 'worst', label: 'worst first', title: '' }, { key: 'name', label: 'name', title: 'Sort by name' }, ...data.columns];
  /** The order of the file is the worst first. */
  const values = /** @type {(key: string) => (row: Row, index: number) => number | string | null} */ (key) => {
    if (key === 'worst') return (_, index) => index;
    if (key === 'name') return ({ name }) => name;
    const at = data.columns.findIndex((column) => column.key === key);
    return ({ figures }) => figures[at]?.value ?? null;
  };

  const heading = (/** @type {{ key: string, label: string, title: string }} */ { key, label, title }) => {
    const sort = h('button', { type: 'button', title, onclick: () => choose({ sort: key, down: state.sort === key && !state.down }) }, label);
    return h('th', { role: 'columnheader', 'data-key': key, className: key === 'name' ? 'who' : '' }, sort);
  };
  const [, byName, ...byFigure] = columns.map(heading);
  const picture = h('th', { role: 'columnheader', className: 'picture' }, h('span', { className: 'hidden' }, 'picture'));
  const head = h('tr', { role: 'row' }, picture, byName, h('th', { role: 'columnheader', className: 'state' }, 'state'), ...byFigure);
  find('list').tHead.append(head);

  const rows = data.rows.map((row, index) => {
    const { key, name, path, since, page } = row;
    const address = `character.html?c=${key}`;
    const title = page ? h('a', { href: address, dir: 'auto' }, name) : foreign('strong', '', name);
    // The picture is beside the link with the name, so it has no words of its own.
    const picture = page && h('img', { src: `pictures/${key}.png`, alt: '', loading: 'lazy', width: 56, height: 72 });
    const problems = row.problems.map((problem) => foreign('span', 'problem', problem));
    const details = [list('changes', row.changes), list('warnings', row.warnings)];
    const words = [[row.state, STATES[row.state] ?? ''], [since, SINCE[since] ?? since]];
    const states = words.filter(([, word]) => word !== '').map(([className, word]) => h('div', { className }, word ?? ''));
    const cells = row.figures.map(({ text, was }, at) => {
      const label = data.columns[at]?.label;
      return h('td', { role: 'cell', 'data-label': label }, text, was !== undefined && h('span', { className: 'was' }, `was ${was}`));
    });
    const who = h('th', { role: 'rowheader', className: 'who' }, title, foreign('span', 'path', path), ...problems, ...details);
    const blank = row.figures.length === 0 ? [h('td', { role: 'cell', className: 'blank' })] : cells;
    const element = h('tr', { role: 'row' }, h('td', { role: 'cell', className: 'picture' }, picture), who, h('td', { role: 'cell', className: 'state' }, ...states), ...blank);
    const searched = [name, path, ...row.problems, ...row.changes, ...row.warnings].join('\n').toLowerCase();
    return { row, index, element, searched };
  });

  const state = { find: '', show: 'all', sort: 'worst', down: false };
  const order = new Intl.Collator(undefined, { numeric: true }).compare;

  const draw = () => {
    const value = values(state.sort);
    const sign = state.down ? -1 : 1;
    const sorted = rows.map((one) => ({ one, value: value(one.row, one.index) }));
    sorted.sort((a, b) => {
      // What was not measured comes last in both directions.
      if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null) || a.one.index - b.one.index;
      const by = typeof a.value === 'string' ? order(a.value, String(b.value)) : a.value - Number(b.value);
      return sign * by || a.one.index - b.one.index;
    });
    const words = state.find.toLowerCase().split(/\s+/).filter(Boolean);
    const is = show[state.show]?.[1] ?? (() => true);
    let shown = 0;
    for (const { one } of sorted) {
      one.element.hidden = !(is(one.row) && words.every((word) => one.searched.includes(word)));
      if (!one.element.hidden) shown++;
    }
    find('list').tBodies[0].replaceChildren(...sorted.map(({ one }) => one.element));
    find('nothing').hidden = shown > 0;
    const count = (/** @type {(row: Row) => boolean} */ is) => data.rows.filter(is).length;
    const wrong = count(({ state }) => state === 'broken' || state === 'failed');
    const parts = [`${shown} of ${data.rows.length} shown`, `${wrong} outside limits or not baked`];
    if (data.base !== null) parts.push(`${count(({ since }) => since !== 'unchanged' && since !== '')} different from ${data.base}`);
    find('counts').textContent = parts.join(', ');
    for (const cell of head.cells) {
      if (cell.dataset.key === state.sort) cell.setAttribute('aria-sort', state.down ? 'descending' : 'ascending');
      else cell.removeAttribute('aria-sort');
    }
    find('find').value = state.find;
    find('show').value = state.show;
    find('sort').value = state.sort;
    find('direction').setAttribute('aria-pressed', String(state.down));
  };

  /** Changes the state and the address, so that a reload, a link and the way back from a character show the same. */
  const choose = (/** @type {Partial<typeof state>} */ change) => {
    Object.assign(state, change);
    const { down, ...rest } = state;
    const given = Object.entries({ ...rest, down: down ? '1' : '' }).filter(([key, value]) => value && value !== { show: 'all', sort: 'worst' }[key]);
    history.replaceState(null, '', `#${new URLSearchParams(given)}`);
    draw();
  };

  const read = () => {
    const address = new URLSearchParams(location.hash.slice(1));
    const known = (/** @type {string} */ key, /** @type {string[]} */ words, /** @type {string} */ otherwise) => {
      const word = address.get(key) ?? otherwise;
      return words.includes(word) ? word : otherwise;
    };
    state.find = address.get('find') ?? '';
    state.show = known('show', Object.keys(show), 'all');
    state.sort = known('sort', columns.map(({ key }) => key), 'worst');
    state.down = address.get('down') === '1';
    draw();
  };

  find('show').append(...Object.entries(show).map(([value, [text]]) => h('option', { value }, text)));
  find('sort').append(...columns.map(({ key, label }) => h('option', { value: key }, label)));
  find('notes').append(...data.notes.map((note) => h('li', {}, note)));
  find('tool').textContent = data.tool;
  find('find').addEventListener('input', () => choose({ find: find('find').value }));
  find('show').addEventListener('change', () => choose({ show: find('show').value }));
  find('sort').addEventListener('change', () => choose({ sort: find('sort').value }));
  find('direction').addEventListener('click', () => choose({ down: !state.down }));
  find('controls').addEventListener('submit', (/** @type {Event} */ event) => event.preventDefault());
  // `/` goes to the search, and the arrow keys go from row to row.
  addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
    if (event.key === '/' && !isTyping) {
      event.preventDefault();
      find('find').focus();
    }
    if ((event.key !== 'ArrowDown' && event.key !== 'ArrowUp') || (isTyping && event.target !== find('find'))) return;
    const links = [...document.querySelectorAll('tbody tr:not([hidden]) .who > a')];
    const at = links.indexOf(/** @type {Element} */ (document.activeElement));
    const next = links[at + (event.key === 'ArrowDown' ? 1 : -1)];
    if (!(next instanceof HTMLElement) || (at < 0 && event.target !== find('find'))) return;
    event.preventDefault();
    next.focus();
  });
  addEventListener('hashchange', read);
  read();
}
