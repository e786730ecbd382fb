/**
 * The page's only script; its hash is in the page's policy. It shows the buttons that need it: those that copy a link,
 * which screen readers are told of, and the one that toggles light and dark; and it says of each action of a link which
 * link it is for. The older way of copying also works where a page is served without TLS, and
 * a browser without storage does not remember the colours.
 */
export const PAGE_SCRIPT = `const root=document.documentElement,theme=document.querySelector(".theme"),told=document.querySelector(".told");
try{root.dataset.theme=localStorage.theme||""}catch{}
for(const button of document.querySelectorAll("button[data-done]")){button.hidden=false;button.onclick=()=>{getSelection().selectAllChildren(button.closest(".link,.row").querySelector("code"));if(document.execCommand("copy"))button.textContent=told.textContent=button.dataset.done}}
for(const action of document.querySelectorAll(".row span>*"))action.title=action.closest(".row").querySelector("bdi").textContent;
theme.hidden=false;theme.onclick=()=>{const now=root.dataset.theme||(matchMedia("(prefers-color-scheme:dark)").matches?"dark":"light");root.dataset.theme=now==="dark"?"light":"dark";try{localStorage.theme=root.dataset.theme}catch{}}`;
