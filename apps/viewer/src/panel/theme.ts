// Switches the page and the picture between dark and light.

import type { Stage } from '../scene/stage';

const { dataset } = document.documentElement;
const preferred = window.matchMedia('(prefers-color-scheme: dark)');

/** The user's choice on the page, or the browser's. */
function isDark(): boolean {
  return dataset.theme ? dataset.theme === 'dark' : preferred.matches;
}

export function switchTheme(): void {
  dataset.theme = isDark() ? 'light' : 'dark';
}

export function followTheme(stage: Stage): void {
  const apply = () => stage.setDark(isDark());
  preferred.addEventListener('change', apply);
  new MutationObserver(apply).observe(document.documentElement, { attributeFilter: ['data-theme'] });
  apply();
}
