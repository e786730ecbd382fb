const GIB = 1024 ** 3;
const DAY_MS = 86_400_000;

/** A client of the sample panel in the API's format, with its used traffic in bytes. */
interface Person {
  client: {
    email: string;
    group: string;
    comment: string;
    totalGB: number;
    expiryTime: number;
    limitIp: number;
    enable: boolean;
  };
  uploadBytes: number;
  downloadBytes: number;
}

/** First the clients that pictures open, then a page and a half of others. */
const NAMES = [
  'lena.hoffmann@example.org',
  'omid@example.org',
  'کاربر-۷',
  'guest-2026',
  'mikhail.petrov@example.org',
  'sara-iphone',
  'sara-laptop',
  'office-printer',
  'wang.lei@example.org',
  'nadia@example.org',
  'tomas.novak@example.org',
  'amir-tv',
  'fatemeh@example.org',
  'reza-office',
  'anna.kowalska@example.org',
  'li.na@example.org',
  'hotel-lobby',
  'dmitri@example.org',
  'parisa-phone',
  'jonas.weber@example.org',
  'elif@example.org',
  'workshop-tablet',
  'maryam@example.org',
  'chen.hao@example.org',
  'igor-home',
  'yasmin@example.org',
  'studio-mac',
  'behrouz@example.org',
  'oksana@example.org',
  'felix@example.org',
  'zhang.wei@example.org',
  'leila-tablet',
  'van-router',
  'emre@example.org',
  'katya@example.org',
  'hamid@example.org',
  'noor@example.org',
];
const GROUPS = ['family', 'VIP', 'office', '', 'resellers'];
const QUOTAS_GIB = [50, 0, 10, 1, 200, 30, 100];
const DAYS_LEFT = [30, 0, 0.5, -7, 90, 12, 45, 2, 120];
const USED_SHARES = [0.48, 0.2, 0.93, 0, 1.001, 0.12, 0.66, 0.31, 0.05, 0.82];
const COMMENTS = ['phone and laptop', '', 'renews by hand', 'starts with first use', '', 'paid until spring', ''];

/** The same clients at every run; only expiries move with the day. */
export function samplePeople(nowMs: number): Person[] {
  return NAMES.map((email, index) => {
    const quotaBytes = QUOTAS_GIB[index % QUOTAS_GIB.length]! * GIB;
    const days = DAYS_LEFT[index % DAYS_LEFT.length]!;
    const used = Math.round((quotaBytes || 80 * GIB) * USED_SHARES[index % USED_SHARES.length]!);
    return {
      client: {
        email,
        group: GROUPS[index % GROUPS.length]!,
        comment: COMMENTS[index % COMMENTS.length]!,
        totalGB: quotaBytes,
        expiryTime: days > 0 ? nowMs + days * DAY_MS : days * DAY_MS,
        limitIp: index % 4 === 0 ? 2 : 0,
        enable: index % 13 !== 12,
      },
      uploadBytes: Math.round(used / 9),
      downloadBytes: used - Math.round(used / 9),
    };
  });
}
