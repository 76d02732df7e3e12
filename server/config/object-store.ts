import { z } from 'zod'

export type ObjectStoreConfig = { kind: 'disk' } | S3Config

export interface S3Config {
  kind: 's3'
  bucket: string
  /** Null for Amazon S3. */
  endpoint: string | null
  region: string
  /** `endpoint/bucket/key` rather than `bucket.endpoint/key`. */
  forcePathStyle: boolean
  /** Null uses the machine's role or profile. */
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string } | null
}

type ParsedS3Url = Omit<S3Config, 'credentials' | 'region'> & { region: string | null }

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const SETTINGS = ['endpoint', 'region', 'forcePathStyle']
const EXAMPLE = 's3://bucket?endpoint=https://s3.example.com&region=us-east-1&forcePathStyle=true'

export const objectStoreVariables = {
  ATRIUM_OBJECTS: z
    .string()
    .transform((text, check) => {
      if (text === 'disk') return 'disk'
      const parsed = parseS3Url(text)
      if (typeof parsed === 'object') return parsed
      check.addIssue({ code: 'custom', message: parsed })
      return z.NEVER
    })
    .default('disk'),
  AWS_ACCESS_KEY_ID: z.string().optional(),
  AWS_SECRET_ACCESS_KEY: z.string().optional(),
  AWS_SESSION_TOKEN: z.string().optional(),
  AWS_REGION: z.string().optional(),
}

interface Variables {
  ATRIUM_OBJECTS: 'disk' | ParsedS3Url
  AWS_ACCESS_KEY_ID?: string
  AWS_SECRET_ACCESS_KEY?: string
  AWS_SESSION_TOKEN?: string
  AWS_REGION?: string
}

/** Ignored with objects on disk: the variables may be set for other programs. */
export function missingObjectStoreVariable(env: Variables): string | undefined {
  if (env.ATRIUM_OBJECTS === 'disk' || !env.AWS_ACCESS_KEY_ID === !env.AWS_SECRET_ACCESS_KEY) return undefined
  return env.AWS_ACCESS_KEY_ID ? 'AWS_SECRET_ACCESS_KEY' : 'AWS_ACCESS_KEY_ID'
}

export function readObjectStoreConfig(env: Variables): ObjectStoreConfig {
  if (env.ATRIUM_OBJECTS === 'disk') return { kind: 'disk' }
  const accessKeyId = env.AWS_ACCESS_KEY_ID
  const secretAccessKey = env.AWS_SECRET_ACCESS_KEY
  const sessionToken = env.AWS_SESSION_TOKEN
  return {
    ...env.ATRIUM_OBJECTS,
    region: env.ATRIUM_OBJECTS.region ?? env.AWS_REGION ?? 'us-east-1',
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey, sessionToken } : null,
  }
}

/** Returns an error message if invalid. */
function parseS3Url(text: string): ParsedS3Url | string {
  if (!text.startsWith('s3://') || !URL.canParse(text)) return `must be disk or a URL such as ${EXAMPLE}`
  const { host, pathname, searchParams: settings, username, password, hash } = new URL(text)
  if (username || password)
    return 'must not contain credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'
  if (!BUCKET.test(host)) return 'must name a bucket: 3 to 63 lowercase letters, digits, dots and hyphens'
  if (!['', '/'].includes(pathname) || hash) return 'must not have a path'
  const unknown = [...settings.keys()].find((name) => !SETTINGS.includes(name))
  if (unknown !== undefined) return `has an unknown setting: the settings are ${SETTINGS.join(', ')}`
  const endpoint = settings.get('endpoint')
  if (endpoint !== null && !isOrigin(endpoint))
    return 'must have an endpoint that begins with https:// or http://, without a path'
  const region = settings.get('region')
  if (region !== null && !/^[a-z0-9-]+$/.test(region)) return 'must have a region such as us-east-1'
  const style = settings.get('forcePathStyle')
  if (style !== null && style !== 'true' && style !== 'false')
    return 'must have forcePathStyle as true or false'
  // Self-hosted servers rarely have a host name per bucket.
  const forcePathStyle = style === null ? endpoint !== null : style === 'true'
  return { kind: 's3', bucket: host, endpoint: endpoint && new URL(endpoint).origin, region, forcePathStyle }
}

function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, pathname, search, username } = new URL(text)
  return ['http:', 'https:'].includes(protocol) && pathname === '/' && !search && !username
}
