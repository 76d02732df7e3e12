import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { z } from 'zod'
import { StartupError } from '../startup/startup-error.ts'
import {
  type ModelProvider,
  missingModelVariable,
  modelProvidersOf,
  modelVariables,
} from './model-providers.ts'
import { missingOAuthVariable, type OAuthClient, oauthClientsOf, oauthVariables } from './oauth-clients.ts'
import {
  missingObjectStoreVariable,
  type ObjectStoreConfig,
  objectStoreConfigOf,
  objectStoreVariables,
} from './object-store.ts'

export type Config = Readonly<{
  port: number
  host: string
  dataFolder: string
  databaseUrl: string | null
  secret: string | null
  publicUrl: string | null
  /** Where the bytes of files are kept. */
  objects: ObjectStoreConfig
  role: 'all' | 'api' | 'worker'
  owner: { email: string; password: string } | null
  /** Whether anybody may make an account, with an organization of its own. */
  signup: 'invite' | 'open'
  oauthClients: OAuthClient[]
  smtpUrl: string | null
  mailFrom: string
  trustedProxies: string[]
  /** Networks that outbound requests may reach although they are private. */
  allowPrivateTargets: string[]
  metricsToken: string | null
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  production: boolean
  /** Those of language models that are configured; the first is used. */
  modelProviders: ModelProvider[]
  /** Variables that look like ours but that nothing reads: misspelt, or meant for another version. */
  unused: string[]
}>

/** The environment as a checked, frozen value; nonsense stops the start and names the variable. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const parsed = Environment.safeParse(given)
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`)
    throw new StartupError(lines.join('\n'))
  }
  const read = parsed.data
  return Object.freeze({
    port: read.PORT,
    host: read.HOST,
    dataFolder: resolve(read.ATRIUM_DATA),
    databaseUrl: read.DATABASE_URL ?? null,
    secret: read.ATRIUM_SECRET ?? null,
    publicUrl: read.ATRIUM_PUBLIC_URL ?? null,
    objects: objectStoreConfigOf(read),
    role: read.ATRIUM_ROLE,
    owner: ownerOf(read.ATRIUM_OWNER_EMAIL, read.ATRIUM_OWNER_PASSWORD),
    signup: read.ATRIUM_SIGNUP,
    oauthClients: oauthClientsOf(read),
    smtpUrl: read.ATRIUM_SMTP_URL ?? null,
    mailFrom: read.ATRIUM_MAIL_FROM,
    trustedProxies: read.ATRIUM_TRUSTED_PROXIES,
    allowPrivateTargets: read.ATRIUM_ALLOW_PRIVATE_TARGETS.map(asNetwork),
    metricsToken: read.ATRIUM_METRICS_TOKEN ?? null,
    logLevel: read.ATRIUM_LOG_LEVEL,
    production: read.NODE_ENV === 'production',
    modelProviders: modelProvidersOf(read),
    unused: Object.keys(given).filter((name) => name.startsWith('ATRIUM_') && !(name in Environment.shape)),
  })
}

const url = (...protocols: string[]) =>
  z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), {
    error: `must be an address that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    abort: true,
  })

const oneOf = <const V extends [string, ...string[]]>(...values: V) =>
  z.enum(values, { error: `must be ${values.slice(0, -1).join(', ')} or ${values.at(-1)}` })

const NETWORK = 'must be a list of addresses or networks, such as 10.0.0.0/8, 192.168.1.4'

const networks = () =>
  z
    .string()
    .transform((value) => value.split(/[\s,]+/).filter(Boolean))
    .refine((list) => list.every(isNetwork), NETWORK)
    .default([])

const Environment = z
  .object({
    PORT: z.coerce
      .number({ error: 'must be a port number' })
      .int('must be a port number')
      .min(0, 'must be a port number')
      .max(65_535, 'must be a port number')
      .default(3000),
    HOST: z.string().default('127.0.0.1'),
    ATRIUM_DATA: z.string().default('./data'),
    DATABASE_URL: url('postgres:', 'postgresql:').optional(),
    ATRIUM_SECRET: z.string().min(32, 'must be at least 32 characters').optional(),
    ATRIUM_PUBLIC_URL: url('http:', 'https:')
      .refine((value) => ['', '/'].includes(new URL(value).pathname), 'must not have a path')
      .transform((value) => new URL(value).origin)
      .optional(),
    ...objectStoreVariables,
    ATRIUM_ROLE: oneOf('all', 'api', 'worker').default('all'),
    ATRIUM_OWNER_EMAIL: z.email('must be an email address').toLowerCase().optional(),
    ATRIUM_OWNER_PASSWORD: z
      .string()
      .min(12, 'must be at least 12 characters')
      .max(200, 'must be at most 200 characters')
      .optional(),
    ATRIUM_SIGNUP: oneOf('invite', 'open').default('invite'),
    ...oauthVariables,
    ...modelVariables,
    ATRIUM_SMTP_URL: url('smtp:', 'smtps:').optional(),
    ATRIUM_MAIL_FROM: z.string().default('Atrium <atrium@localhost>'),
    ATRIUM_TRUSTED_PROXIES: networks(),
    ATRIUM_ALLOW_PRIVATE_TARGETS: networks(),
    ATRIUM_METRICS_TOKEN: z.string().min(16, 'must be at least 16 characters').optional(),
    ATRIUM_LOG_LEVEL: oneOf('debug', 'info', 'warn', 'error', 'silent').default('info'),
    NODE_ENV: z.string().default('development'),
  })
  .refine((env) => !(env.NODE_ENV === 'production' && env.DATABASE_URL) || env.ATRIUM_SECRET, {
    path: ['ATRIUM_SECRET'],
    error: 'is required when NODE_ENV is production and DATABASE_URL is set',
  })
  .refine((env) => !env.ATRIUM_OWNER_EMAIL === !env.ATRIUM_OWNER_PASSWORD, {
    path: ['ATRIUM_OWNER_EMAIL'],
    error: 'and ATRIUM_OWNER_PASSWORD belong together: set both or neither',
  })
  .superRefine((env, check) => {
    const missing = missingOAuthVariable(env) ?? missingModelVariable(env)
    const message = 'is missing: the variables of a provider belong together'
    if (missing) check.addIssue({ code: 'custom', path: [missing], message })
    const half = missingObjectStoreVariable(env)
    const pair = 'is missing: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY belong together'
    if (half) check.addIssue({ code: 'custom', path: [half], message: pair })
  })

function isNetwork(value: string): boolean {
  const [address = '', bits, ...rest] = value.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}

/** An address alone is the network that holds nothing else. */
const asNetwork = (value: string) =>
  value.includes('/') ? value : `${value}/${isIP(value) === 4 ? 32 : 128}`

const ownerOf = (email?: string, password?: string) => (email && password ? { email, password } : null)
