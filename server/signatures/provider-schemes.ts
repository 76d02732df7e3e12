import type { HmacScheme, JwtScheme, PublicKeyScheme, TimestampRule, TokenScheme } from './scheme.ts'

/** Default: hex HMAC-SHA256 over the body, keyed with the secret as text. */
const bodyHmac = (name: string, header: string, overrides: Partial<HmacScheme> = {}): HmacScheme => ({
  kind: 'hmac',
  name,
  header: [header],
  algorithm: 'sha256',
  encoding: 'hex',
  key: 'text',
  format: { as: 'one', prefix: '' },
  signs: ['body'],
  ...overrides,
})

const timestampHeader = (header: string, unit: TimestampRule['unit']): TimestampRule => ({
  from: { header: [header] },
  unit,
  toleranceSeconds: 300,
})

/** Version 3. Events always arrive by POST. */
export const HUBSPOT = bodyHmac('hubspot', 'x-hubspot-signature-v3', {
  encoding: 'base64',
  signs: [{ text: 'POST' }, 'url', 'body', 'timestamp'],
  timestamp: timestampHeader('x-hubspot-request-timestamp', 'ms'),
})

export const ZENDESK = bodyHmac('zendesk', 'x-zendesk-webhook-signature', {
  encoding: 'base64',
  signs: ['timestamp', 'body'],
  timestamp: timestampHeader('x-zendesk-webhook-signature-timestamp', 'iso'),
})

/** One signature per secret during rotation. */
export const PAGERDUTY = bodyHmac('pagerduty', 'x-pagerduty-signature', {
  format: { as: 'pairs', name: 'v1' },
})

/** GitHub and Jira use the same header with other prefixes. */
export const INTERCOM = bodyHmac('intercom', 'x-hub-signature', {
  algorithm: 'sha1',
  format: { as: 'one', prefix: 'sha1=', selects: true },
})

export const NOTION = bodyHmac('notion', 'x-notion-signature', { format: { as: 'one', prefix: 'sha256=' } })

export const DROPBOX = bodyHmac('dropbox', 'x-dropbox-signature')

/** The secret is `macSecretBase64`, decoded for the key. */
export const AIRTABLE = bodyHmac('airtable', 'x-airtable-content-mac', {
  key: 'plain-base64',
  format: { as: 'one', prefix: 'hmac-sha256=' },
})

/** `sentry-hook-timestamp` is not signed. */
export const SENTRY = bodyHmac('sentry', 'sentry-hook-signature')

export const SENDGRID: PublicKeyScheme = {
  kind: 'ecdsa-p256',
  name: 'sendgrid',
  header: ['x-twilio-email-event-webhook-signature'],
  encoding: 'base64',
  format: { as: 'one', prefix: '' },
  signs: ['timestamp', 'body'],
  timestamp: timestampHeader('x-twilio-email-event-webhook-timestamp', 's'),
}

/** Token set when the channel was created. Notifications have no body. */
export const GOOGLE_CHANNEL: TokenScheme = {
  kind: 'token',
  name: 'google-channel',
  header: ['x-goog-channel-token'],
  prefix: '',
}

/** The provider sent the secret in `x-hook-secret` on registration. */
export const ASANA = bodyHmac('asana', 'x-hook-signature')

/** Signs the registered URL with the API key's secret. */
export const TRELLO = bodyHmac('trello', 'x-trello-webhook', {
  algorithm: 'sha1',
  encoding: 'base64',
  signs: ['body', 'url'],
})

/** For hooks an OAuth app registered, keyed with its client secret. */
export const ATLASSIAN_JWT: JwtScheme = {
  kind: 'jwt',
  name: 'atlassian-jwt',
  header: ['authorization'],
  prefix: 'Bearer ',
}
