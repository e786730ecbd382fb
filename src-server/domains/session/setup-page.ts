/** Page of a one-time link. Opening it uses nothing up (mail and chat programs open links too); its button does. */
export function setupPage(): string {
  return page(
    `<h1>Sign in to your new panel</h1>
<p>This link signs this browser in. It works once.</p>
<form method="post"><button type="submit">Sign in</button></form>`,
  );
}

export function usedSetupPage(): string {
  return page(
    `<h1>This link does not work any more</h1>
<p>It was used already, or it is older than an hour, or the panel was restarted since. Sign in with the user name and
password that the first start printed, or reset them on the command line of the machine that runs the panel.</p>`,
  );
}

function page(body: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Panel</title></head>
<body>
${body}
</body>
</html>
`;
}
