import { t } from '../text.ts'

/** A constant, because texts in properties called `code` aren't translated. */
const SOURCE_CODE = t`Source code`

/** Plain data without schemas, for the dashboard. */
export const CONNECTOR_CATEGORIES = {
  chat: t`Chat`,
  messaging: t`Messaging`,
  mail: t`Mail`,
  code: SOURCE_CODE,
  issues: t`Issue tracking`,
  payments: t`Payments`,
  knowledge: t`Documents and data`,
  customers: t`Customers`,
  operations: t`Operations`,
  telephony: t`Phone and voice`,
  other: t`Other`,
} as const
export type ConnectorCategory = keyof typeof CONNECTOR_CATEGORIES
export const CONNECTOR_CATEGORY_NAMES = Object.keys(CONNECTOR_CATEGORIES) as ConnectorCategory[]

export const CONNECTOR_AUTH_TYPES = ['oauth', 'api_key', 'none'] as const

/** `unconfigured`: no OAuth client is set. `disabled`: the operator turned it off. */
export const CONNECTOR_AVAILABILITIES = [
  'available',
  'beta',
  'coming_soon',
  'unconfigured',
  'disabled',
] as const
export type ConnectorAvailability = (typeof CONNECTOR_AVAILABILITIES)[number]

/**
 * `failed`: a pending connection not completed within 30 minutes. `expired`: the provider refuses the credentials.
 * `error`: the provider doesn't respond as expected.
 */
export const CONNECTION_STATUSES = ['pending', 'active', 'expired', 'error', 'failed', 'revoked'] as const
export type ConnectionStatus = (typeof CONNECTION_STATUSES)[number]

/** Besides its owner, in runs. */
export const CONNECTION_SHARING = ['none', 'project', 'org'] as const

export const CONNECTION_LIMITS = { label: 80, field: 4000, pendingMinutes: 30 } as const

/** Sizes in JSON bytes; lengths in characters. */
export const CUSTOM_CONNECTOR_LIMITS = {
  connectors: 50,
  tools: 100,
  bytes: 204_800,
  documentBytes: 2_097_152,
  schemaBytes: 16_384,
  name: 60,
  description: 1000,
} as const
