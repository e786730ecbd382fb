/**
 * The page's only script; its hash is in the page's policy. It shows the buttons that need it: those that copy a link,
 * and the one that toggles light and dark. The older way of copying also works where a page is served without TLS, and
 * a browser without storage does not remember the colours.
 */
export const PAGE_SCRIPT = `const root=document.documentElement,theme=document.querySelector(".theme");
try{root.dataset.theme=localStorage.theme||""}catch{}
for(const button of document.querySelectorAll("button[data-done]")){button.hidden=false;button.onclick=()=>{getSelection().selectAllChildren(button.closest(".link,.row").querySelector("code"));if(document.execCommand("copy"))button.textContent=button.dataset.done}}
theme.hidden=false;theme.onclick=()=>{const now=root.dataset.theme||(matchMedia("(prefers-color-scheme:dark)").matches?"dark":"light");root.dataset.theme=now==="dark"?"light":"dark";try{localStorage.theme=root.dataset.theme}catch{}}`;
