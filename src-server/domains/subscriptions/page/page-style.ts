/** The page's one style sheet; its hash is in the page's policy. */
export const PAGE_STYLE = `:root{color-scheme:light dark;--bg:#f3f5f8;--card:#fff;--text:#16202c;--soft:#566373;--line:#dfe4ea;--accent:#1261c9;--on:#0b6b3a;--on-bg:#dcf5e6;--off:#a1261b;--off-bg:#fde4e1}
@media (prefers-color-scheme:dark){:root{--bg:#10151b;--card:#1a212a;--text:#e8edf3;--soft:#a3b0bf;--line:#2c3743;--accent:#78b1ff;--on:#7fe0a8;--on-bg:#12382a;--off:#ffb0a6;--off-bg:#4a1d19}}
*{box-sizing:border-box;margin:0}
body{background:var(--bg);color:var(--text);font:16px/1.5 system-ui,sans-serif;padding:24px 16px}
main{max-width:720px;margin-inline:auto;display:grid;gap:16px}
header{display:flex;justify-content:space-between;align-items:start;gap:12px;flex-wrap:wrap}
h1{font-size:1.5rem;line-height:1.25;overflow-wrap:anywhere}h2{font-size:1.05rem}
.who{color:var(--soft);overflow-wrap:anywhere}
.tag{padding:4px 12px;border-radius:99px;font-weight:600;font-size:.9rem}.on{color:var(--on);background:var(--on-bg)}.off{color:var(--off);background:var(--off-bg)}
section,details,.note{background:var(--card);border:1px solid var(--line);border-radius:14px;padding:20px}
.note{border-inline-start:4px solid var(--accent);white-space:pre-line;overflow-wrap:anywhere}
.usage strong{font-size:1.7rem}.usage{color:var(--soft)}.usage strong{color:var(--text)}
progress{width:100%;height:10px;margin-block:8px;border:0;border-radius:99px;overflow:hidden;background:var(--line);accent-color:var(--accent);appearance:none}
progress::-webkit-progress-bar{background:var(--line)}progress::-webkit-progress-value{background:var(--accent);border-radius:99px}progress::-moz-progress-bar{background:var(--accent)}
dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(122px,1fr));gap:14px;margin-block-start:12px}
dt{color:var(--soft);font-size:.85rem}dd{font-weight:600;font-variant-numeric:tabular-nums}
.link{display:flex;gap:20px;align-items:center;justify-content:space-between;flex-wrap:wrap}.link>div:first-child{flex:1 1 260px;min-width:0}.link p{color:var(--soft)}
code{display:block;margin-block-start:10px;padding:12px;border:1px solid var(--line);border-radius:10px;background:var(--bg);font:13px/1.45 ui-monospace,monospace;overflow-wrap:anywhere;user-select:all}
.link code+button{margin-block-start:10px}button{padding:6px 14px;border:1px solid var(--line);border-radius:8px;background:var(--card);color:var(--accent);font:inherit;font-size:.9rem;cursor:pointer}button:hover{border-color:var(--accent)}.row button{padding:0;border:0;background:none;text-decoration:underline}
.qr{width:180px;margin-inline:auto;background:#fff;border-radius:10px;padding:6px}.qr.big{width:min(100%,440px)}.qr svg{display:block;width:100%;height:auto}
.row{margin-block-start:16px}.row>p{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:baseline;gap:0 12px;margin:0}.row>p bdi{min-width:0;overflow-wrap:anywhere}.row>p span{display:flex;align-items:baseline;gap:12px;flex-shrink:0}.row a{color:var(--accent)}.row code{margin-block-start:6px}.row .qr{margin-block-start:12px}
.apps b{font-size:.875rem}.apps{list-style:none;padding:0;margin-block-start:12px;display:grid;grid-template-columns:repeat(auto-fill,minmax(130px,1fr));gap:10px}
.apps a{display:block;height:100%;padding:10px;overflow-wrap:anywhere;border:1px solid var(--line);border-radius:10px;text-decoration:none;color:var(--text)}.apps a:hover{border-color:var(--accent)}.apps small{display:block;color:var(--soft)}
summary{cursor:pointer;font-weight:600}details p{margin-block-start:12px;color:var(--soft)}
footer{display:flex;justify-content:space-between;gap:12px;flex-wrap:wrap}footer a{color:var(--accent)}nav{display:flex;gap:14px}nav a[aria-current]{color:var(--text);font-weight:600;text-decoration:none}
a:focus-visible,button:focus-visible,summary:focus-visible{outline:3px solid var(--accent);outline-offset:2px}`;
