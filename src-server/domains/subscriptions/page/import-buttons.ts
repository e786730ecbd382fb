/** Address that opens an app with this subscription. */
interface ImportButton {
  app: string;
  platforms: string;
  address: string;
}

/** The apps whose import addresses are known, with the systems they run on. */
export function importButtons(url: string, subId: string, title: string): ImportButton[] {
  const encoded = encodeURIComponent(url);
  const flagged = `${url}${url.includes('?') ? '&' : '?'}flag=shadowrocket`;
  const name = encodeURIComponent(title === '' ? subId : title);
  const inBase64 = Buffer.from(flagged).toString('base64');
  return [
    { app: 'v2rayNG', platforms: 'Android', address: `v2rayng://install-config?url=${encoded}` },
    { app: 'Happ', platforms: 'Android · iOS · PC', address: `happ://add/${url}` },
    {
      app: 'V2Box',
      platforms: 'iOS · macOS',
      address: `v2box://install-sub?url=${encoded}&name=${encodeURIComponent(subId)}`,
    },
    { app: 'Streisand', platforms: 'iOS · macOS', address: `streisand://import/${encoded}` },
    { app: 'Shadowrocket', platforms: 'iOS', address: `shadowrocket://add/sub://${inBase64}?remark=${name}` },
  ];
}
