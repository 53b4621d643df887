import { useState } from 'react';
import { writeStored } from '../api/browser-storage.js';
import { Icon, type IconName } from '../ui/icon.js';

type Theme = 'system' | 'light' | 'dark';
const NEXT: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' };
const ICONS: Readonly<Record<Theme, IconName>> = { system: 'system', light: 'sun', dark: 'moon' };

/** Turns through the themes; public/theme.js sets the stored one before the first paint. */
export function ThemeButton() {
  const [theme, setTheme] = useState<Theme>(
    () => (document.documentElement.dataset['theme'] ?? 'system') as Theme,
  ); // theme.js sets no other
  const turn = () => {
    const next = NEXT[theme];
    if (next === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = next;
    writeStored('localStorage', 'theme', next === 'system' ? undefined : next);
    setTheme(next);
  };
  return (
    <button
      type="button"
      className="button quiet icon-only"
      onClick={turn}
      aria-label={`Theme: ${theme}`}
      title={`Theme: ${theme}`}
    >
      <Icon name={ICONS[theme]} />
    </button>
  );
}
