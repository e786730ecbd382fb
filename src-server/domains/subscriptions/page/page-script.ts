/**
 * The page's one script; its hash is in the page's policy. It shows the buttons that copy a link, which do nothing without it.
 * The older way of copying also works where a page is served without TLS.
 */
export const PAGE_SCRIPT = `for(const button of document.querySelectorAll("button[data-done]")){button.hidden=false;button.onclick=()=>{getSelection().selectAllChildren(button.closest(".link,.row").querySelector("code"));if(document.execCommand("copy"))button.textContent=button.dataset.done}}`;
