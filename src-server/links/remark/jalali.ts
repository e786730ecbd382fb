const PERSIAN = new Intl.DateTimeFormat('en-u-ca-persian-nu-latn', {
  timeZone: 'UTC',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
});

/** `1402/10/11` for `2024-01-01`; empty stays empty. */
export function jalaliDate(isoDate: string): string {
  if (isoDate === '') return '';
  const parts = new Map(
    PERSIAN.formatToParts(new Date(`${isoDate}T00:00:00Z`)).map(({ type, value }) => [type, value]),
  );
  return [parts.get('year'), parts.get('month'), parts.get('day')].join('/');
}
