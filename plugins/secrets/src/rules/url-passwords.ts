import { isPlaceholder } from './placeholders.js';
import { places, type Rule } from './rule.js';

/** `scheme://user:password@host`, the user maybe empty. A password ends at the last `@` before the path. */
const URL_PASSWORD =
  /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{1,30}:\/\/[^\s:/?#@"'`<>]{0,200}:(?<secret>[^\s/?#"'`<>]{3,300})@[\w.[-]/dgi;
/** Words in the place of a password: `PASSWORD`, `$PASSWORD`, `%s`, `{password}`. */
const WORD = /^(?:[A-Z][A-Z_]+|\$\w+|%\w|\{\w+\}|\[\w+\]|:\w+)$/;

export const URL_PASSWORDS: Rule = {
  id: 'url-password',
  *find(text) {
    if (!text.includes('://')) return;
    for (const place of places(URL_PASSWORD, text)) {
      const password = text.slice(place.start, place.end);
      if (!WORD.test(password) && !isPlaceholder(password)) yield place;
    }
  },
};
