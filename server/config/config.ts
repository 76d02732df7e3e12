import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { z } from 'zod'
import { QUOTA_MAX, QUOTA_NAMES, QUOTAS, type QuotaName } from '../../contract/quotas.ts'
import { StartupError } from '../errors.ts'
import { type ConnectorsConfig, isConnectorVariable, readConnectorsConfig } from './connectors.ts'
import { networkList, oneOf, toCidr, url } from './fields.ts'
import {
  isNamedProviderVariable,
  type ModelsConfig,
  missingModelVariable,
  modelVariables,
  readModelsConfig,
} from './models.ts'
import { missingOAuthVariable, type OAuthClient, oauthVariables, readOAuthClients } from './oauth-clients.ts'
import {
  missingObjectStoreVariable,
  type ObjectStoreConfig,
  objectStoreVariables,
  readObjectStoreConfig,
} from './object-store.ts'
import { readTelemetryConfig, type TelemetryConfig, telemetryVariables } from './telemetry.ts'
import {
  missingTelephonyVariable,
  readTelephonyConfig,
  type TelephonyConfig,
  telephonyVariables,
} from './telephony.ts'
import {
  missingWebSearchVariable,
  readWebSearchConfig,
  type WebSearchConfig,
  webSearchVariables,
} from './web-search.ts'

export type Config = Readonly<{
  port: number
  host: string
  /** A worker serves only `/readyz` and `/metrics`. */
  healthPort: number
  dataFolder: string
  databaseUrl: string | null
  /** A streaming standby that runs lists. */
  databaseReadUrl: string | null
  secret: string | null
  publicUrl: string | null
  objects: ObjectStoreConfig
  role: 'all' | 'api' | 'worker'
  /** That serve requests and run jobs, and share the port. */
  processes: number
  owner: { email: string; password: string } | null
  /** `open`: anyone can create an account with their own organization. */
  signup: 'invite' | 'open'
  oauthClients: OAuthClient[]
  smtpUrl: string | null
  mailFrom: string
  trustedProxies: string[]
  /** Outbound requests may reach these, in CIDR notation. */
  allowPrivateTargets: string[]
  metricsToken: string | null
  /** Null while neither traces nor metrics are sent. */
  telemetry: TelemetryConfig | null
  /** Without a trailing slash. */
  stripeUrl: string
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  production: boolean
  models: ModelsConfig
  webSearch: WebSearchConfig
  connectors: ConnectorsConfig
  telephony: TelephonyConfig
  /** For organizations without their own limits. */
  quotas: Record<QuotaName, number>
  /** Variables with our prefix: misspelled, or from another version. */
  unused: string[]
}>

const PROCESSES_MAX = 64

/** An invalid value fails the start and names the variable. */
export function readConfig(source: NodeJS.ProcessEnv = process.env): Config {
  const variables = Object.fromEntries(
    Object.entries(source).filter((entry): entry is [string, string] => Boolean(entry[1])),
  )
  const parsed = Environment.safeParse(variables)
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`)
    throw new StartupError(lines.join('\n'))
  }
  const env = parsed.data
  return Object.freeze({
    port: env.PORT,
    host: env.HOST,
    healthPort: env.ATRIUM_HEALTH_PORT,
    dataFolder: resolve(env.ATRIUM_DATA),
    databaseUrl: env.DATABASE_URL ?? null,
    databaseReadUrl: env.DATABASE_READ_URL ?? null,
    secret: env.ATRIUM_SECRET ?? null,
    publicUrl: env.ATRIUM_PUBLIC_URL ?? null,
    objects: readObjectStoreConfig(env),
    role: env.ATRIUM_ROLE,
    processes: env.ATRIUM_PROCESSES,
    owner: ownerOf(env.ATRIUM_OWNER_EMAIL, env.ATRIUM_OWNER_PASSWORD),
    signup: env.ATRIUM_SIGNUP,
    oauthClients: readOAuthClients(env),
    smtpUrl: env.ATRIUM_SMTP_URL ?? null,
    mailFrom: env.ATRIUM_MAIL_FROM,
    trustedProxies: env.ATRIUM_TRUSTED_PROXIES,
    allowPrivateTargets: env.ATRIUM_ALLOW_PRIVATE_TARGETS.map(toCidr),
    metricsToken: env.ATRIUM_METRICS_TOKEN ?? null,
    telemetry: readTelemetryConfig(env),
    stripeUrl: env.ATRIUM_STRIPE_URL.replace(/\/+$/, ''),
    logLevel: env.ATRIUM_LOG_LEVEL,
    production: env.NODE_ENV === 'production',
    models: readModelsConfig(env, variables),
    webSearch: readWebSearchConfig(env),
    connectors: readConnectorsConfig(variables),
    telephony: readTelephonyConfig(env),
    quotas: quotaLimitsOf(env),
    unused: Object.keys(variables).filter(
      (name) =>
        name.startsWith('ATRIUM_') &&
        !(name in Environment.shape) &&
        !isNamedProviderVariable(name) &&
        !isConnectorVariable(name),
    ),
  })
}

/** `ATRIUM_QUOTA_PROJECTS` and so on: each quota's default limit. */
const variableOf = <N extends QuotaName>(name: N) =>
  `ATRIUM_QUOTA_${name.toUpperCase()}` as `ATRIUM_QUOTA_${Uppercase<N>}`

const QUOTA_RULE = `must be a whole number from 0 to ${QUOTA_MAX}`
const quotaLimit = z.coerce
  .number({ error: QUOTA_RULE })
  .int(QUOTA_RULE)
  .min(0, QUOTA_RULE)
  .max(QUOTA_MAX, QUOTA_RULE)
  .optional()

type QuotaVariables = Record<`ATRIUM_QUOTA_${Uppercase<QuotaName>}`, typeof quotaLimit>

const quotaVariables = Object.fromEntries(
  QUOTA_NAMES.map((name) => [variableOf(name), quotaLimit]),
) as QuotaVariables

const quotaLimitsOf = (env: Partial<Record<keyof QuotaVariables, number | undefined>>) =>
  Object.fromEntries(
    QUOTA_NAMES.map((name) => [name, env[variableOf(name)] ?? QUOTAS[name].default]),
  ) as Record<QuotaName, number>

const port = () =>
  z.coerce
    .number({ error: 'must be a port number' })
    .int('must be a port number')
    .min(0, 'must be a port number')
    .max(65_535, 'must be a port number')

const Environment = z
  .object({
    PORT: port().default(3000),
    ATRIUM_HEALTH_PORT: port().default(3001),
    HOST: z.string().default('127.0.0.1'),
    ATRIUM_DATA: z.string().default('./data'),
    DATABASE_URL: url('postgres:', 'postgresql:').optional(),
    DATABASE_READ_URL: url('postgres:', 'postgresql:').optional(),
    ATRIUM_SECRET: z.string().min(32, 'must be at least 32 characters').optional(),
    ATRIUM_PUBLIC_URL: url('http:', 'https:')
      .refine((value) => ['', '/'].includes(new URL(value).pathname), 'must not have a path')
      .transform((value) => new URL(value).origin)
      .optional(),
    ...objectStoreVariables,
    ATRIUM_ROLE: oneOf('all', 'api', 'worker').default('all'),
    ATRIUM_PROCESSES: z
      .string()
      .regex(/^(auto|[1-9]|[1-5]\d|6[0-4])$/, 'must be auto or a whole number from 1 to 64')
      .transform((value) =>
        value === 'auto' ? Math.min(availableParallelism(), PROCESSES_MAX) : Number(value),
      )
      .default(1),
    ATRIUM_OWNER_EMAIL: z.email('must be an email address').toLowerCase().optional(),
    ATRIUM_OWNER_PASSWORD: z
      .string()
      .min(12, 'must be at least 12 characters')
      .max(200, 'must be at most 200 characters')
      .optional(),
    ATRIUM_SIGNUP: oneOf('invite', 'open').default('invite'),
    ...oauthVariables,
    ...modelVariables,
    ...quotaVariables,
    ...telephonyVariables,
    ...webSearchVariables,
    ...telemetryVariables,
    ATRIUM_SMTP_URL: url('smtp:', 'smtps:').optional(),
    ATRIUM_MAIL_FROM: z.string().default('Atrium <atrium@localhost>'),
    ATRIUM_TRUSTED_PROXIES: networkList(),
    ATRIUM_ALLOW_PRIVATE_TARGETS: networkList(),
    ATRIUM_METRICS_TOKEN: z.string().min(16, 'must be at least 16 characters').optional(),
    ATRIUM_STRIPE_URL: url('http:', 'https:').default('https://api.stripe.com'),
    ATRIUM_LOG_LEVEL: oneOf('debug', 'info', 'warn', 'error', 'silent').default('info'),
    NODE_ENV: z.string().default('development'),
  })
  .refine((env) => !(env.NODE_ENV === 'production' && env.DATABASE_URL) || env.ATRIUM_SECRET, {
    path: ['ATRIUM_SECRET'],
    error: 'is required when NODE_ENV is production and DATABASE_URL is set',
  })
  .refine((env) => !env.DATABASE_READ_URL || env.DATABASE_URL, {
    path: ['DATABASE_READ_URL'],
    error: 'needs DATABASE_URL: the embedded PostgreSQL has no standby',
  })
  .refine((env) => !env.ATRIUM_OWNER_EMAIL === !env.ATRIUM_OWNER_PASSWORD, {
    path: ['ATRIUM_OWNER_EMAIL'],
    error: 'and ATRIUM_OWNER_PASSWORD must be set together',
  })
  .superRefine((env, check) => {
    const missing =
      missingOAuthVariable(env) ??
      missingModelVariable(env) ??
      missingTelephonyVariable(env) ??
      missingWebSearchVariable(env)
    const message = 'is missing: the variables of a provider must be set together'
    if (missing) check.addIssue({ code: 'custom', path: [missing], message })
    const missingKey = missingObjectStoreVariable(env)
    const keyMessage = 'is missing: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set together'
    if (missingKey) check.addIssue({ code: 'custom', path: [missingKey], message: keyMessage })
  })

/** Fixed names only. Connector and named-provider variables contain a name. */
export const variableNames = (): string[] => Object.keys(Environment.shape)

const ownerOf = (email?: string, password?: string) => (email && password ? { email, password } : null)
