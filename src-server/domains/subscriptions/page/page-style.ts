/** Dark colours; also used when a reader chooses them. */
const DARK =
  '--bg:#10151b;--card:#1a212a;--text:#e8edf3;--soft:#a3b0bf;--line:#2c3743;--accent:#78b1ff;--on-accent:#10151b;--on:#7fe0a8;--on-bg:#12382a;--off:#ffb0a6;--off-bg:#4a1d19';
const LIGHT =
  '--bg:#f3f5f8;--card:#fff;--text:#16202c;--soft:#566373;--line:#dfe4ea;--accent:#1261c9;--on-accent:#fff;--on:#0b6b3a;--on-bg:#dcf5e6;--off:#a1261b;--off-bg:#fde4e1';

/** The page's style sheet; its hash is in the page's policy. */
export const PAGE_STYLE = `:root{color-scheme:light;${LIGHT}}
@media (prefers-color-scheme:dark){:root{color-scheme:dark;${DARK}}}
:root[data-theme=light]{color-scheme:light;${LIGHT}}:root[data-theme=dark]{color-scheme:dark;${DARK}}
*{box-sizing:border-box;margin:0}
body{background:var(--bg);color:var(--text);font:16px/1.5 system-ui,sans-serif;padding:20px 14px}
main{max-width:680px;margin-inline:auto;display:grid;gap:14px}main>*{min-width:0}
header{display:flex;align-items:center;gap:12px;flex-wrap:wrap}header>div{flex:1 1 150px;min-width:0}
.logo{width:52px;height:52px;object-fit:contain;border-radius:12px}
h1{font-size:1.4rem;line-height:1.25;overflow-wrap:anywhere}h2{font-size:1.1rem}h3{font-size:1rem}
.who,.soft,small{color:var(--soft);overflow-wrap:anywhere}
.tag{padding:4px 12px;border-radius:99px;font-weight:600;font-size:.9rem}.on{color:var(--on);background:var(--on-bg)}.off{color:var(--off);background:var(--off-bg)}
section,details,.note{background:var(--card);border:1px solid var(--line);border-radius:16px;padding:18px}
.note{border-inline-start:4px solid var(--accent);white-space:pre-line;overflow-wrap:anywhere}.ended{border-inline-start-color:var(--off)}
.usage{display:flex;justify-content:space-between;align-items:baseline;gap:0 12px;flex-wrap:wrap;color:var(--soft)}.usage strong{font-size:1.7rem;color:var(--text)}
progress{width:100%;height:10px;margin-block:8px;border:0;border-radius:99px;overflow:hidden;background:var(--line);appearance:none;display:block}
progress::-webkit-progress-bar{background:var(--line)}progress::-webkit-progress-value{background:var(--accent);border-radius:99px}progress::-moz-progress-bar{background:var(--accent)}
progress.full::-webkit-progress-value{background:var(--off)}progress.full::-moz-progress-bar{background:var(--off)}
dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(112px,1fr));gap:14px;margin-block-start:12px}
dt{color:var(--soft);font-size:.85rem}dd{font-weight:600;font-variant-numeric:tabular-nums}dd small{display:block;font-weight:400}
.devices,.apps,.steps{list-style:none;padding:0;margin-block-start:12px;display:flex;flex-wrap:wrap;gap:8px}
.devices a,.apps a,button{display:inline-block;padding:8px 14px;border:1px solid var(--line);border-radius:10px;background:var(--card);color:var(--text);font:inherit;font-size:.95rem;text-decoration:none;cursor:pointer}
.devices a{padding:5px 12px;border-radius:99px;font-size:.9rem;color:var(--soft)}.devices a[aria-current]{color:var(--accent);border-color:var(--accent);font-weight:600}
.devices a:hover,.apps a:hover,button:hover{border-color:var(--accent)}
.steps{display:grid;gap:18px;counter-reset:step}.steps>li{counter-increment:step;position:relative;padding-inline-start:42px;min-width:0}
.steps>li::before{content:counter(step);position:absolute;inset-inline-start:0;inset-block-start:-3px;width:30px;height:30px;border-radius:50%;background:var(--line);font-weight:600;text-align:center;line-height:30px}:lang(fa) .steps>li::before{content:counter(step,persian)}
.steps{margin-block-start:20px}.steps .apps{margin-block-start:8px}.apps a{color:var(--accent)}.apps a::before{content:"↓ "/""}.add a,.go{font-weight:600}.add a::before{content:"+ "/""}.add .go,footer .go{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}.apps .go{border-color:var(--accent);border-width:2px;padding:7px 13px}
.link{display:flex;gap:18px;align-items:center;justify-content:space-between;flex-wrap:wrap}.link>div{flex:1 1 240px;min-width:0}
code{display:block;margin-block-start:10px;padding:10px 12px;border:1px solid var(--line);border-radius:10px;background:var(--bg);font:13px/1.45 ui-monospace,monospace;overflow-wrap:anywhere;user-select:all}
code+button{margin-block-start:10px;color:var(--accent)}
.qr{display:block;max-width:100%;height:auto;margin-inline:auto;border-radius:10px;image-rendering:pixelated}
.row{margin-block-start:16px}.row p{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:baseline;gap:0 12px}.row bdi{min-width:0;overflow-wrap:anywhere}.row span{display:flex;align-items:baseline;gap:12px}.row button{padding:0;border:0;background:none;text-decoration:underline}.row code{margin-block-start:6px}.row .qr{margin-block-start:12px}
a,.row button{color:var(--accent)}summary{cursor:pointer;font-weight:600}details>p{margin-block-start:12px}
footer{display:flex;justify-content:space-between;align-items:center;gap:12px;flex-wrap:wrap}footer .go{padding:8px 14px;border-radius:10px;text-decoration:none}
nav{display:flex;flex-wrap:wrap;align-items:center;gap:6px 14px}footer nav a[aria-current]{color:var(--text);font-weight:600;text-decoration:none}.theme{padding:2px 10px;font-size:1.1rem;line-height:1.4}
button[hidden]{display:none}.told{position:absolute;clip-path:inset(50%)}
a:focus-visible,button:focus-visible,summary:focus-visible{outline:3px solid var(--accent);outline-offset:2px}`;
