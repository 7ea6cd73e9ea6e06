// Switches the page and the picture between dark and light.

import type { Stage } from '../scene/stage';

export function followTheme(stage: Stage): void {
  const preferred = window.matchMedia('(prefers-color-scheme: dark)');
  const apply = () => {
    const chosen = document.documentElement.dataset.theme;
    stage.setDark(chosen ? chosen === 'dark' : preferred.matches);
  };
  preferred.addEventListener('change', apply);
  new MutationObserver(apply).observe(document.documentElement, { attributeFilter: ['data-theme'] });
  apply();
}
