import { describe, expect, test } from 'vitest'
import { StartupError } from '../errors.ts'
import { readConfig } from './config.ts'

const SECRET = 'x'.repeat(32)

const errorOf = (env: Record<string, string>): string => {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof StartupError) return error.message
    throw error
  }
  return 'none'
}

describe('an invalid value fails startup and names the variable:', () => {
  const url = 'must be a URL that begins with'
  const network = 'must be a list of IP addresses or networks, such as 10.0.0.0/8, 192.168.1.4'
  const bucketExample = 's3://bucket?endpoint=https://s3.example.com&region=us-east-1&forcePathStyle=true'
  const bucketName = 'must name a bucket: 3 to 63 lowercase letters, digits, dots and hyphens'
  const endpoint = 'must have an endpoint that begins with https:// or http://, without a path'
  test.each([
    ['PORT', 'many', 'must be a port number'],
    ['PORT', '1.5', 'must be a port number'],
    ['PORT', '-1', 'must be a port number'],
    ['PORT', '65536', 'must be a port number'],
    ['DATABASE_URL', 'mysql://hidden@db', `${url} postgres:// or postgresql://`],
    ['DATABASE_URL', 'hidden', `${url} postgres:// or postgresql://`],
    ['DATABASE_READ_URL', 'hidden', `${url} postgres:// or postgresql://`],
    [
      'DATABASE_READ_URL',
      'postgres://hidden@db',
      'needs DATABASE_URL: the embedded PostgreSQL has no standby',
    ],
    ['ATRIUM_SECRET', 'hidden', 'must be at least 32 characters'],
    ['ATRIUM_PUBLIC_URL', 'atrium.example', `${url} http:// or https://`],
    ['ATRIUM_PUBLIC_URL', 'ftp://atrium.example', `${url} http:// or https://`],
    ['ATRIUM_PUBLIC_URL', 'https://atrium.example/path', 'must not have a path'],
    ['ATRIUM_OBJECTS', 'hidden', `must be disk or a URL such as ${bucketExample}`],
    ['ATRIUM_OBJECTS', 'https://hidden.example', `must be disk or a URL such as ${bucketExample}`],
    [
      'ATRIUM_OBJECTS',
      's3://hidden:hidden@bucket',
      'must not contain credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
    ],
    ['ATRIUM_OBJECTS', 's3://A', bucketName],
    ['ATRIUM_OBJECTS', 's3://', bucketName],
    ['ATRIUM_OBJECTS', 's3://bucket/folder', 'must not have a path'],
    [
      'ATRIUM_OBJECTS',
      's3://bucket?secret=hidden',
      'has an unknown setting: the settings are endpoint, region, forcePathStyle',
    ],
    ['ATRIUM_OBJECTS', 's3://bucket?endpoint=minio', endpoint],
    ['ATRIUM_OBJECTS', 's3://bucket?endpoint=https://u:hidden@minio', endpoint],
    ['ATRIUM_OBJECTS', 's3://bucket?endpoint=https://minio/path', endpoint],
    ['ATRIUM_OBJECTS', 's3://bucket?region=Europe', 'must have a region such as us-east-1'],
    ['ATRIUM_OBJECTS', 's3://bucket?forcePathStyle=1', 'must have forcePathStyle as true or false'],
    ['ATRIUM_ROLE', 'both', 'must be all, api or worker'],
    ['ATRIUM_SIGNUP', 'closed', 'must be invite or open'],
    ['ATRIUM_OIDC_URL', 'hidden', `${url} https:// or http://`],
    ['ATRIUM_SMTP_URL', 'http://user:hidden@mail', `${url} smtp:// or smtps://`],
    ['ATRIUM_TRUSTED_PROXIES', 'proxy.local', network],
    ['ATRIUM_TRUSTED_PROXIES', '10.0.0.0/33', network],
    ['ATRIUM_TRUSTED_PROXIES', '10.0.0.0/8/8', network],
    ['ATRIUM_TRUSTED_PROXIES', 'fd00::/129', network],
    ['ATRIUM_ALLOW_PRIVATE_TARGETS', 'all', network],
    ['ATRIUM_ALLOW_PRIVATE_TARGETS', 'localhost', network],
    ['ATRIUM_ALLOW_PRIVATE_TARGETS', '127.0.0.0/33', network],
    ['ATRIUM_ALLOW_PRIVATE_TARGETS', '127.0.0.0/', network],
    ['ATRIUM_ALLOW_PRIVATE_TARGETS', '10.0.0.0-10.0.0.9', network],
    ['ATRIUM_METRICS_TOKEN', 'hidden', 'must be at least 16 characters'],
    ['ATRIUM_LOG_LEVEL', 'loud', 'must be debug, info, warn, error or silent'],
  ])('%s=%s', (name, value, message) => {
    expect(errorOf({ [name]: value })).toBe(`${name} ${message}`)
  })

  test.each([
    ['ATRIUM_OWNER_EMAIL', { ATRIUM_OWNER_EMAIL: 'ada' }, 'must be an email address'],
    ['ATRIUM_OWNER_PASSWORD', { ATRIUM_OWNER_PASSWORD: 'hidden' }, 'must be at least 12 characters'],
    ['ATRIUM_OWNER_PASSWORD', { ATRIUM_OWNER_PASSWORD: 'h'.repeat(201) }, 'must be at most 200 characters'],
  ])('owner variable %s', (name, change, message) => {
    const owner = { ATRIUM_OWNER_EMAIL: 'ada@example.com', ATRIUM_OWNER_PASSWORD: 'analytical engine' }
    expect(errorOf({ ...owner, ...change })).toBe(`${name} ${message}`)
  })

  test('an owner email without a password, or the reverse', () => {
    const message = 'ATRIUM_OWNER_EMAIL and ATRIUM_OWNER_PASSWORD must be set together'
    expect(errorOf({ ATRIUM_OWNER_EMAIL: 'ada@example.com' })).toBe(message)
    expect(errorOf({ ATRIUM_OWNER_PASSWORD: 'analytical engine' })).toBe(message)
  })

  test.each([
    [['ATRIUM_GOOGLE_CLIENT_ID'], 'ATRIUM_GOOGLE_CLIENT_SECRET'],
    [['ATRIUM_GITHUB_CLIENT_SECRET'], 'ATRIUM_GITHUB_CLIENT_ID'],
    [['ATRIUM_MICROSOFT_CLIENT_ID'], 'ATRIUM_MICROSOFT_CLIENT_SECRET'],
    [['ATRIUM_OIDC_URL'], 'ATRIUM_OIDC_CLIENT_ID'],
    [['ATRIUM_OIDC_CLIENT_ID', 'ATRIUM_OIDC_CLIENT_SECRET'], 'ATRIUM_OIDC_URL'],
  ])('a provider with only %s', (names, missing) => {
    const env = Object.fromEntries(names.map((name) => [name, 'https://hidden.example']))
    expect(errorOf(env)).toBe(`${missing} is missing: the variables of a provider must be set together`)
  })

  test('half a bucket key pair, ignored if objects are on disk', () => {
    const message = 'is missing: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set together'
    const env = { ATRIUM_OBJECTS: 's3://our-files' }
    expect(errorOf({ ...env, AWS_ACCESS_KEY_ID: 'hidden' })).toBe(`AWS_SECRET_ACCESS_KEY ${message}`)
    expect(errorOf({ ...env, AWS_SECRET_ACCESS_KEY: 'hidden' })).toBe(`AWS_ACCESS_KEY_ID ${message}`)
    expect(errorOf({ AWS_ACCESS_KEY_ID: 'one' })).toBe('none')
  })

  test('production on an external database with no secret', () => {
    const env = { NODE_ENV: 'production', DATABASE_URL: 'postgres://db/atrium' }
    expect(errorOf(env)).toBe('ATRIUM_SECRET is required when NODE_ENV is production and DATABASE_URL is set')
    expect(errorOf({ ...env, ATRIUM_SECRET: SECRET })).toBe('none')
    expect(errorOf({ NODE_ENV: 'production' })).toBe('none')
  })

  test('all invalid variables are reported together, without their values', () => {
    const message = errorOf({
      PORT: 'hidden',
      DATABASE_URL: 'mysql://u:hidden@db',
      ATRIUM_SECRET: 'hidden',
      ATRIUM_SMTP_URL: 'ftp://u:hidden@mail',
      ATRIUM_OWNER_PASSWORD: 'hidden',
      ATRIUM_METRICS_TOKEN: 'hidden',
    })
    expect(message.split('\n').map((line) => line.split(' ')[0])).toEqual([
      'PORT',
      'DATABASE_URL',
      'ATRIUM_SECRET',
      'ATRIUM_OWNER_PASSWORD',
      'ATRIUM_SMTP_URL',
      'ATRIUM_METRICS_TOKEN',
    ])
    expect(message).not.toContain('hidden')
  })
})
