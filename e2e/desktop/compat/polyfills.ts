/** What the sources use of current JavaScript and Node, for a main process with Node 16. */
if (typeof URL.canParse !== 'function')
  URL.canParse = (text: string | URL): boolean => {
    try {
      return Boolean(new URL(text));
    } catch {
      return false;
    }
  };
