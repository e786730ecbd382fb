import * as z from 'zod';
import { endpoint } from '../../contract/endpoint.ts';
import { Reason } from '../../contract/envelope.ts';

/** Stages of sending a message. */
export const MailStage = z.enum(['connect', 'auth', 'send']);
export type MailStage = z.output<typeof MailStage>;

export const testSmtp = endpoint('POST', '/panel/api/setting/testSmtp', {
  summary: 'Sends a test message with the stored settings, and says how far it came.',
  result: z.object({
    /** Whether the mail server accepted the message. */
    success: z.boolean(),
    /** The last stage; `send` on success. */
    stage: MailStage,
    /** What happened, in English. */
    msg: z.string(),
    /** Code of the reason; empty on success. */
    code: z.string(),
    /** Error text of the mail server; empty if there was none. */
    answer: z.string(),
  }),
  response: 'raw',
});

const EmailParam = z.object({ email: z.string().max(1024) });

export const sendClientLink = endpoint('POST', '/panel/api/clients/sendLink/:email', {
  summary: 'Sends a client its subscription link by e-mail, which follows a moment later.',
  params: EmailParam,
  result: z.null(),
  message: 'mail.linkQueued',
});

const SkippedLink = Reason.extend({ email: z.string() });
export type SkippedLink = z.output<typeof SkippedLink>;

export const bulkSendClientLinks = endpoint('POST', '/panel/api/clients/bulkSendLink', {
  summary: 'Sends many clients their subscription links by e-mail; those that cannot get one are listed.',
  body: z.object({ emails: z.array(z.string().max(1024)).max(500_000).default([]) }),
  result: z.object({
    /** Number of e-mails that will be sent. */
    queued: z.int(),
    skipped: z.array(SkippedLink),
  }),
});

export const getClientMail = endpoint('GET', '/panel/api/clients/mailChoice/:email', {
  summary: 'Whether a client can be sent e-mail, and whether it has stopped that.',
  params: EmailParam,
  result: z.object({
    /** Whether the client's name is an e-mail address, so that e-mail can be sent to it. */
    isAddress: z.boolean(),
    isStopped: z.boolean(),
  }),
});

export const setClientMail = endpoint('POST', '/panel/api/clients/mailChoice/:email', {
  summary: 'Stops e-mail to a client, or takes that back.',
  params: EmailParam,
  body: z.object({ isStopped: z.boolean() }),
  encoding: 'json',
  result: z.null(),
});
