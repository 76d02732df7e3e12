import type { OAuth } from '../definition/auth.ts'
import type { ConnectorDefinition } from '../definition/definition.ts'
import type { Field } from '../definition/fields.ts'
import { itemsAt, textAt } from '../definition/payload.ts'
import type { ReceivedEvent, Registration } from '../definition/receiver.ts'
import { encodeSegment } from '../definition/template.ts'
import { findByUrl } from './find-registration.ts'

export const TENANT: Field = {
  key: 'tenant',
  label: 'Tenant',
  required: false,
  hint: 'The Microsoft Entra tenant’s id or domain, if the app is registered for one tenant only',
  pattern: '[A-Za-z0-9][A-Za-z0-9.-]{0,253}',
  placeholder: 'contoso.onmicrosoft.com',
}

const LOGIN = 'https://login.microsoftonline.com/{config.tenant}/oauth2/v2.0'

export const microsoftAuth = (scopes: readonly string[]): OAuth => ({
  type: 'oauth',
  authorizeUrl: `${LOGIN}/authorize`,
  tokenUrl: `${LOGIN}/token`,
  registerUrl: 'https://entra.microsoft.com/#view/Microsoft_AAD_RegisteredApps',
  scopes: { default: ['offline_access', ...scopes] },
  selectAccount: { prompt: 'select_account' },
  lifetime: { access: 3600, refresh: 'rotates', idleDays: 90 },
})

export const GRAPH: Pick<ConnectorDefinition, 'baseUrl' | 'check' | 'errors' | 'errorFields'> = {
  baseUrl: 'https://graph.microsoft.com/v1.0',
  check: {
    request: { method: 'GET', path: '/me' },
    account: { id: 'id', name: 'displayName', email: 'mail' },
  },
  errors: [
    { path: 'error.code', equals: 'InvalidAuthenticationToken', means: 'expired' },
    { path: 'error.code', equals: 'TooManyRequests', means: 'slow_down' },
    { path: 'error.code', equals: 'ApplicationThrottled', means: 'slow_down' },
  ],
  errorFields: { code: 'error.code', message: 'error.message' },
}

/** Graph's limit is three days for channel messages, seven for mail. */
const SUBSCRIPTION_MS = 2.5 * 86_400_000

const expiryOf = (now: Date) => new Date(now.getTime() + SUBSCRIPTION_MS).toISOString()

/** `missed` needs no renewal: notifications got lost, but the subscription stays. */
const ENDS: readonly (string | null)[] = ['reauthorizationRequired', 'subscriptionRemoved']

/** Renewing a subscription also reauthorizes it. */
export const announcesEnd = ({ body }: ReceivedEvent): boolean =>
  itemsAt(body, 'value').some((item) => ENDS.includes(textAt(item, 'lifecycleEvent')))

/** `clientState` is the secret. Over an hour requires the lifecycle URL. */
export const graphSubscription = ({
  resource,
  changeType,
  fields,
}: {
  resource: (config: Readonly<Record<string, string>>) => string
  changeType: string
  fields?: Registration['fields']
}): Registration => ({
  by: 'api',
  register: ({ url, secret, config, now }) => ({
    request: {
      method: 'POST',
      path: '/subscriptions',
      json: {
        changeType,
        notificationUrl: url,
        lifecycleNotificationUrl: url,
        resource: resource(config),
        expirationDateTime: expiryOf(now),
        clientState: secret,
      },
    },
    keep: (answer) => ({ subscriptionId: textAt(answer, 'id') ?? '' }),
  }),
  update: ({ subscriptionId = '' }, { now }) => ({
    method: 'PATCH',
    path: `/subscriptions/${encodeSegment(subscriptionId)}`,
    json: { expirationDateTime: expiryOf(now) },
  }),
  find: findByUrl(
    { method: 'GET', path: '/subscriptions' },
    { items: 'value', url: 'notificationUrl', keep: 'subscriptionId' },
  ),
  unregister: ({ subscriptionId = '' }) => ({
    method: 'DELETE',
    path: `/subscriptions/${encodeSegment(subscriptionId)}`,
  }),
  ...(fields && { fields }),
  renewDays: 1,
})
