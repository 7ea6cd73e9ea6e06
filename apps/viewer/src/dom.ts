// Creates elements of the page.

type Child = Node | string | null | undefined | false;
type Properties = Record<string, unknown>;

/** Creates an element with properties (`class`, `onclick`, ...; `data-` and `aria-` as attributes) and children. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Properties = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (key === 'class') element.className = String(value);
    else if (key.includes('-') || key === 'for' || key === 'role' || key === 'list') element.setAttribute(key, String(value));
    else (element as unknown as Properties)[key] = value;
  }
  element.append(...children.filter((child): child is Node | string => child !== null && child !== undefined && child !== false));
  return element;
}

/** Creates a button. `key` tells the buttons of a panel apart, so that the focus stays (see `replaceKeepingFocus`). */
export function button(key: string, act: () => void, properties: Properties, ...children: Child[]): HTMLButtonElement {
  return h('button', { type: 'button', 'data-key': key, onclick: act, ...properties }, ...children);
}

/** Creates a select element with these choices. */
export function choice(
  label: string,
  choices: { value: string; text: string }[],
  value: string,
  change: (value: string) => void,
  id?: string,
): HTMLSelectElement {
  const options = choices.map(({ value: each, text }) => h('option', { value: each, selected: each === value }, text));
  const select = h('select', { 'aria-label': label, title: label, id }, ...options);
  select.addEventListener('change', () => change(select.value));
  return select;
}

/** Creates a row of buttons of which one is pressed. `name` gives the text of each button, `caption` the text before them. */
export function segmented<T extends string>(
  label: string,
  choices: readonly T[],
  value: T,
  change: (value: T) => void,
  name: (value: T) => string = (value) => value,
  caption: string = label,
): HTMLElement {
  const buttons = choices.map((each) =>
    button(`${label}=${each}`, () => change(each), { 'aria-pressed': String(each === value), 'data-value': each }, name(each)),
  );
  return h('div', { class: 'segmented', role: 'group', 'aria-label': caption || 'mode' }, caption && h('span', { class: 'caption' }, caption), ...buttons);
}

/** Creates a text field. `change` gets the text when the user has typed it, with Enter or by leaving the field. */
export function textField(id: string, value: string, change: (text: string) => void, properties: Properties = {}): HTMLInputElement {
  const input = h('input', { id, value, ...properties });
  input.addEventListener('input', () => (input.dataset['typed'] = 'true'));
  input.addEventListener('change', () => {
    delete input.dataset['typed'];
    change(input.value);
  });
  input.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return;
    delete input.dataset['typed'];
    input.value = value;
    input.blur();
  });
  return input;
}

/** Returns whether the user has typed into a text field and not finished. */
export function isBeingTyped(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement && (target.dataset['typed'] === 'true' || (target.type === 'search' && target.value !== ''));
}

/** Creates an input or a choice with its label. */
export function labeled(label: string, input: HTMLElement, title?: string): HTMLElement {
  return h('label', { for: input.id, title }, h('span', {}, label), input);
}

/** Creates a table. A text of `head` becomes the heading of a column. */
export function table(name: string, head: (HTMLElement | string)[], rows: HTMLElement[]): HTMLElement {
  const cells = head.map((cell) => (typeof cell === 'string' ? h('th', { scope: 'col' }, cell) : cell));
  return h('table', { class: name }, h('thead', {}, h('tr', {}, ...cells)), h('tbody', {}, ...rows));
}

/** Creates a list of facts, each with its name. */
export function factList(facts: [name: string, fact: Node | string][]): HTMLElement {
  return h('dl', { class: 'facts' }, ...facts.flatMap(([name, fact]) => [h('dt', {}, name), h('dd', {}, fact)]));
}

/** Creates a row of a table that acts on a click or the key Enter. */
export function actionRow(properties: Properties, act: () => void, ...cells: HTMLElement[]): HTMLElement {
  const onkeydown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') act();
  };
  return h('tr', { ...properties, tabIndex: 0, onclick: act, onkeydown }, ...cells);
}

/** Replaces children, and gives the focus, and a text that is being typed, to the new element that replaces the focused one. */
export function replaceKeepingFocus(parent: HTMLElement, ...children: Child[]): void {
  const focused = parent.contains(document.activeElement) ? document.activeElement : null;
  const key = focused?.id ? `#${CSS.escape(focused.id)}` : focused?.getAttribute('data-key');
  parent.replaceChildren(...children.filter((child): child is Node | string => Boolean(child)));
  if (!key) return;
  const again = key.startsWith('#') ? parent.querySelector(key) : parent.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (again instanceof HTMLElement) again.focus({ preventScroll: true });
  if (again instanceof HTMLInputElement && again !== focused && isBeingTyped(focused)) {
    again.value = (focused as HTMLInputElement).value;
    again.dataset['typed'] = 'true';
  }
}
