import { createHmac, timingSafeEqual } from 'node:crypto';

/** The secret that authenticates an API server's webhook calls. */
export interface WebhookProof {
  path: string;
  header: string;
}

/** @param secret signs the proof, which is the same as long as the secret is */
export function createWebhookProof(secret: () => Promise<string>) {
  async function proof(): Promise<WebhookProof> {
    const mark = createHmac('sha256', await secret())
      .update('bot-webhook')
      .digest('hex');
    return { path: mark.slice(0, 32), header: mark.slice(32) };
  }

  return {
    /** What the API server is told. */
    proof,
    /** Whether a caller is that server. */
    async isValid(sent: WebhookProof): Promise<boolean> {
      const wanted = await proof();
      return isSame(sent.path, wanted.path) && isSame(sent.header, wanted.header);
    },
  };
}

function isSame(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && timingSafeEqual(one, other);
}
