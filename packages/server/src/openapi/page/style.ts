/** The page's looks: system fonts, two colour schemes, nothing fetched from anywhere. */
export const style = `
:root {
  color-scheme: light dark;
  --ground: #ffffff; --panel: #f5f6f8; --line: #d9dde3; --text: #1c2128; --soft: #545d69;
  --accent: #0b57a4; --code: #eef0f3;
  --get: #0b57a4; --post: #1a6b34; --patch: #8a4b00; --delete: #b3261e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171c; --panel: #1b1f26; --line: #343b46; --text: #e4e8ee; --soft: #a7b0bd;
    --accent: #8ab8f5; --code: #232932;
    --get: #8ab8f5; --post: #7fce98; --patch: #f0b467; --delete: #f59a93;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--text); font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: break-word; }
a { color: var(--accent); }
a:focus-visible, summary:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 1rem; background: var(--ground); padding: .5rem 1rem; z-index: 1; }
main { max-width: 60rem; padding: 1rem 1rem 4rem; margin: 0 auto; }
h1 { font-size: 2rem; line-height: 1.2; margin: 1rem 0 .25rem; }
h2 { font-size: 1.5rem; margin: 3.5rem 0 .5rem; padding-bottom: .35rem; border-bottom: 2px solid var(--line); }
h3 { font-size: 1.15rem; margin: 0 0 .4rem; }
h4 { font-size: .95rem; margin: 1.4rem 0 .4rem; color: var(--soft); }
.lead { font-size: 1.1rem; color: var(--soft); margin-top: 0; }
code, pre { font-family: ui-monospace, 'Cascadia Mono', 'DejaVu Sans Mono', Menlo, monospace; font-size: .875em; }
code { background: var(--code); border-radius: 4px; padding: .1em .3em; overflow-wrap: anywhere; }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: 8px; padding: .8rem 1rem; margin: .75rem 0; white-space: pre-wrap; overflow-wrap: anywhere; line-height: 1.45; }
pre code { background: none; padding: 0; font-size: inherit; }
nav { background: var(--panel); border-bottom: 1px solid var(--line); padding: 1rem; font-size: .9rem; }
#contents { font-weight: 700; margin: 0 0 .5rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav > ul { display: flex; flex-wrap: wrap; gap: .25rem 1rem; }
nav ul ul { display: none; }
nav a { display: inline-block; padding: .2rem 0; text-decoration: none; }
nav a:hover { text-decoration: underline; }
.operation { border: 1px solid var(--line); border-radius: 10px; padding: 1.1rem 1.2rem; margin: 1.25rem 0; }
.route { margin: 0 0 .5rem; }
.route code { background: none; padding: 0; font-size: .95rem; }
.method { display: inline-block; font: 700 .75rem/1 ui-monospace, monospace; border: 1.5px solid; border-radius: 4px; padding: .28rem .45rem; margin-right: .3rem; }
.get { color: var(--get); } .post { color: var(--post); } .patch { color: var(--patch); } .delete { color: var(--delete); }
.facts { display: flex; flex-wrap: wrap; gap: .2rem 1.5rem; margin: .5rem 0; font-size: .9rem; }
.facts div { display: flex; gap: .4rem; }
.facts dt, p.facts { color: var(--soft); } .facts dd { margin: 0; }
table { width: 100%; border-collapse: collapse; font-size: .9rem; margin: .75rem 0; }
caption { text-align: left; color: var(--soft); padding-bottom: .25rem; }
th, td { text-align: left; vertical-align: top; padding: .4rem .75rem .4rem 0; border-top: 1px solid var(--line); }
thead th { color: var(--soft); font-weight: 600; border-top: 0; }
tbody th { font-weight: 400; }
tbody th code { white-space: nowrap; }
td[data-label=Default] code { overflow-wrap: normal; }
td:last-child { padding-right: 0; width: 38%; }
.required { color: var(--delete); font-size: .8rem; white-space: nowrap; }
.extension { color: var(--accent); font-size: .8rem; white-space: nowrap; }
.change { white-space: nowrap; } .change.rolls { color: var(--patch); } .change.immutable { color: var(--delete); }
.none, .type, .instead { color: var(--soft); }
.status { font-weight: 700; }
.refusals { display: flex; flex-wrap: wrap; gap: 0 .9rem; font-size: .9rem; margin-top: .75rem; }
.refusals span { color: var(--soft); }
.refusals ul { display: flex; flex-wrap: wrap; gap: 0 .9rem; list-style: none; margin: 0; padding: 0; }
details { margin: .5rem 0; }
summary { cursor: pointer; color: var(--accent); padding: .15rem 0; }
footer { color: var(--soft); font-size: .9rem; margin-top: 4rem; }
@media (max-width: 40rem) {
  .operation { padding: .9rem; }
  table, tbody, tr, tbody th, td { display: block; }
  thead { position: absolute; left: -100vw; }
  caption { display: block; }
  tbody tr { border-top: 1px solid var(--line); padding: .5rem 0; }
  th, td { border: 0; padding: .1rem 0; }
  tbody th code { white-space: normal; }
  td:last-child { width: auto; }
  td::before { content: attr(data-label) ': '; color: var(--soft); }
  td:last-child::before { content: none; }
  td:has(> .none) { display: none; }
}
@media (min-width: 72rem) {
  body { display: grid; grid-template-columns: 18rem minmax(0, 1fr); }
  nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; border: 0; border-right: 1px solid var(--line); }
  nav > ul { display: block; }
  nav > ul > li > a { font-weight: 600; margin-top: .5rem; }
  nav ul ul { display: block; padding-left: .75rem; border-left: 2px solid var(--line); }
  main { margin: 0; padding: 1rem 3rem 4rem; max-width: 66rem; }
}
@media print { nav { display: none; } .operation { break-inside: avoid-page; } }
`;
