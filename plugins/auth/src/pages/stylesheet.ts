/** Stylesheet of all pages: light and dark, from 320 px width. */
export const CSS = `
:root {
  color-scheme: light dark;
  --ground: #f4f5f7; --sheet: #ffffff; --ink: #1b1f24; --quiet: #59636e; --line: #d5dae0; --edge: #7d8792;
  --accent: #1f5fbf; --on-accent: #ffffff; --accent-strong: #184c99; --bad: #b3261e; --bad-ground: #fdeceb;
  --good: #1a6b3c; --good-ground: #e8f5ec;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171b; --sheet: #1d2126; --ink: #e8eaed; --quiet: #a3adb8; --line: #39414a; --edge: #76818d;
    --accent: #7db0ff; --on-accent: #0b1a30; --accent-strong: #a5c8ff; --bad: #ff9d95; --bad-ground: #3a1f1d;
    --good: #8fd9ab; --good-ground: #1c3325;
  }
}
* { box-sizing: border-box; }
html { background: var(--ground); }
body {
  margin: 0; min-height: 100vh; padding: 1.5rem 1rem 3rem; background: var(--ground); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  display: flex; flex-direction: column; align-items: center;
}
header {
  width: 100%; max-width: 27rem; margin: 4vh 0 1rem; display: flex; gap: .6rem; align-items: center;
  color: var(--quiet); font-size: .95rem; font-weight: 600;
}
header img { display: block; width: 1.6rem; height: 1.6rem; }
main {
  width: 100%; max-width: 27rem; padding: 1.75rem 1.5rem; background: var(--sheet);
  border: 1px solid var(--line); border-radius: .75rem;
}
h1 { margin: 0 0 .75rem; font-size: 1.4rem; line-height: 1.25; overflow-wrap: anywhere; text-wrap: balance; }
h2 { margin: 2rem 0 .5rem; padding-top: 1.25rem; border-top: 1px solid var(--line); font-size: 1.05rem; }
p { margin: 0 0 1rem; overflow-wrap: anywhere; text-wrap: pretty; }
ul { margin: 0 0 1.25rem; padding-left: 1.25rem; }
li { margin: .25rem 0; }
.quiet { color: var(--quiet); font-size: .9rem; }
.last { margin-bottom: 0; }
label { display: block; margin: 1.1rem 0 .4rem; font-weight: 600; font-size: .95rem; }
input {
  width: 100%; padding: .6rem .7rem; font: inherit; color: inherit; background: var(--sheet);
  border: 1px solid var(--edge); border-radius: .45rem;
}
input[aria-invalid="true"] { border-color: var(--bad); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.field-error { margin: .5rem 0 0; color: var(--bad); font-size: .9rem; }
.hint { margin: .5rem 0 0; color: var(--quiet); font-size: .9rem; }
.notice { padding: .65rem .8rem; border-radius: .45rem; background: var(--good-ground); color: var(--good); }
.notice.bad { background: var(--bad-ground); color: var(--bad); }
button {
  width: 100%; margin-top: 1.25rem; padding: .7rem 1rem; font: inherit; font-weight: 600; cursor: pointer;
  color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent); border-radius: .45rem;
}
button:hover { background: var(--accent-strong); border-color: var(--accent-strong); }
button.plain { color: var(--ink); background: transparent; border-color: var(--edge); margin-top: .75rem; }
button.plain:hover { background: var(--ground); }
button.small { width: auto; margin: 0; padding: .35rem .75rem; font-size: .9rem; }
button.link {
  width: auto; margin: 0; padding: 0; border: 0; background: none; color: var(--accent);
  font-weight: inherit; text-decoration: underline;
}
a { color: var(--accent); }
dl { margin: 0 0 1.25rem; display: grid; grid-template-columns: auto 1fr; gap: .3rem 1rem; }
dt { color: var(--quiet); }
dd { margin: 0; overflow-wrap: anywhere; }
.rows { list-style: none; padding: 0; margin: 0; }
.rows li { display: flex; gap: 1rem; align-items: center; justify-content: space-between; padding: .6rem 0; }
.rows li + li { border-top: 1px solid var(--line); }
.rows span { overflow-wrap: anywhere; }
form + p, form + form { margin-top: 1.25rem; }
`;
