import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { QUOTAS } from '../../contract/quotas.ts'
import { readConfig } from './config.ts'

const SECRET = 'x'.repeat(32)
const OLLAMA = { url: 'http://127.0.0.1:11434', isExplicit: false }
const DEFAULT_MODELS = {
  providers: [],
  ollama: OLLAMA,
  prices: {},
  testModels: false,
  embeddingsFolder: null,
}
const OPENAI = {
  kind: 'openai',
  name: 'OpenAI',
  url: 'https://api.openai.com/v1',
  apiKey: 'sk-secret',
  models: [],
  namingModel: 'gpt-4.1-mini',
}
const DEFAULT_QUOTAS = Object.fromEntries(
  Object.entries(QUOTAS).map(([name, quota]) => [name, quota.default]),
)

const DEFAULT_WEB_SEARCH = { provider: null, searchesPerRun: 50, fetchesPerRun: 100 }

const NO_ACCOUNTS = {
  twilio: null,
  elevenlabs: { apiKey: null, webhookSecret: null },
  openaiWebhookSecret: null,
}

describe('readConfig', () => {
  test('has a default for every variable', () => {
    expect(readConfig({})).toEqual({
      port: 3000,
      host: '127.0.0.1',
      healthPort: 3001,
      dataFolder: resolve('./data'),
      databaseUrl: null,
      databaseReadUrl: null,
      secret: null,
      publicUrl: null,
      objects: { kind: 'disk' },
      role: 'all',
      processes: 1,
      owner: null,
      signup: 'invite',
      oauthClients: [],
      smtpUrl: null,
      mailFrom: 'Atrium <atrium@localhost>',
      trustedProxies: [],
      allowPrivateTargets: [],
      metricsToken: null,
      telemetry: null,
      stripeUrl: 'https://api.stripe.com',
      logLevel: 'info',
      production: false,
      models: { ...DEFAULT_MODELS, testModels: true },
      webSearch: DEFAULT_WEB_SEARCH,
      connectors: {},
      telephony: NO_ACCOUNTS,
      quotas: DEFAULT_QUOTAS,
      unused: [],
    })
  })

  test('reads every variable', () => {
    const env = {
      PORT: '8080',
      ATRIUM_HEALTH_PORT: '8081',
      HOST: '0.0.0.0',
      ATRIUM_DATA: '/srv/atrium',
      DATABASE_URL: 'postgresql://u:p@db/atrium',
      DATABASE_READ_URL: 'postgresql://u:p@standby/atrium',
      ATRIUM_SECRET: SECRET,
      ATRIUM_PUBLIC_URL: 'https://Atrium.example/',
      ATRIUM_OBJECTS: 's3://our-files?endpoint=https://s3.example.com&region=eu-1',
      AWS_ACCESS_KEY_ID: 'five',
      AWS_SECRET_ACCESS_KEY: 'six',
      ATRIUM_ROLE: 'worker',
      ATRIUM_PROCESSES: '4',
      ATRIUM_OWNER_EMAIL: 'Ada@Example.com',
      ATRIUM_OWNER_PASSWORD: 'analytical engine',
      ATRIUM_SIGNUP: 'open',
      ATRIUM_GOOGLE_CLIENT_ID: 'one',
      ATRIUM_GOOGLE_CLIENT_SECRET: 'two',
      ATRIUM_OIDC_URL: 'http://localhost:9000/realm/',
      ATRIUM_OIDC_CLIENT_ID: 'three',
      ATRIUM_OIDC_CLIENT_SECRET: 'four',
      ATRIUM_OIDC_NAME: 'Our directory',
      ATRIUM_SMTP_URL: 'smtps://mail.example',
      ATRIUM_MAIL_FROM: 'Us <us@example.com>',
      ATRIUM_TRUSTED_PROXIES: '10.0.0.0/8, 192.168.1.4 fd00::/8',
      ATRIUM_ALLOW_PRIVATE_TARGETS: '10.0.0.0/8, 127.0.0.1 ::1',
      ATRIUM_METRICS_TOKEN: 'sixteen letters!',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/',
      OTEL_EXPORTER_OTLP_HEADERS: 'key=a%20b',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'tenant=7',
      OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
      OTEL_METRICS_EXPORTER: 'none',
      OTEL_SERVICE_NAME: 'atrium-eu',
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=other,deployment.environment.name=eu',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.1',
      OTEL_BSP_MAX_QUEUE_SIZE: '100',
      ATRIUM_TRUSTED_TRACES: '10.0.0.0/8',
      ATRIUM_STRIPE_URL: 'https://stripe.example.com/',
      ATRIUM_LOG_LEVEL: 'warn',
      NODE_ENV: 'production',
      ATRIUM_OPENAI_API_KEY: 'sk-secret',
      ATRIUM_QUOTA_PROJECTS: '5',
    }
    expect(readConfig(env)).toEqual({
      port: 8080,
      host: '0.0.0.0',
      healthPort: 8081,
      dataFolder: '/srv/atrium',
      databaseUrl: 'postgresql://u:p@db/atrium',
      databaseReadUrl: 'postgresql://u:p@standby/atrium',
      secret: SECRET,
      publicUrl: 'https://atrium.example',
      objects: {
        kind: 's3',
        bucket: 'our-files',
        endpoint: 'https://s3.example.com',
        region: 'eu-1',
        forcePathStyle: true,
        credentials: { accessKeyId: 'five', secretAccessKey: 'six', sessionToken: undefined },
      },
      role: 'worker',
      processes: 4,
      owner: { email: 'ada@example.com', password: 'analytical engine' },
      signup: 'open',
      oauthClients: [
        {
          provider: 'google',
          name: 'Google',
          url: 'https://accounts.google.com',
          clientId: 'one',
          clientSecret: 'two',
        },
        {
          provider: 'oidc',
          name: 'Our directory',
          url: 'http://localhost:9000/realm',
          clientId: 'three',
          clientSecret: 'four',
        },
      ],
      smtpUrl: 'smtps://mail.example',
      mailFrom: 'Us <us@example.com>',
      trustedProxies: ['10.0.0.0/8', '192.168.1.4', 'fd00::/8'],
      allowPrivateTargets: ['10.0.0.0/8', '127.0.0.1/32', '::1/128'],
      metricsToken: 'sixteen letters!',
      telemetry: {
        traces: {
          url: 'http://collector:4318/v1/traces',
          headers: { key: 'a b', tenant: '7' },
          timeoutMs: 10_000,
          gzip: true,
        },
        metrics: null,
        resource: { 'service.name': 'atrium-eu', 'deployment.environment.name': 'eu' },
        sampler: { ratio: 0.1, followsParent: true },
        queue: { spansMax: 100, batchMax: 100, delayMs: 5000 },
        capturesContent: false,
        trustedNetworks: ['10.0.0.0/8'],
      },
      stripeUrl: 'https://stripe.example.com',
      logLevel: 'warn',
      production: true,
      models: { ...DEFAULT_MODELS, providers: [{ id: 'openai', ...OPENAI }] },
      webSearch: DEFAULT_WEB_SEARCH,
      connectors: {},
      telephony: NO_ACCOUNTS,
      quotas: { ...DEFAULT_QUOTAS, projects: 5 },
      unused: [],
    })
  })

  test('starts a process for each available core with ATRIUM_PROCESSES=auto', () =>
    expect(readConfig({ ATRIUM_PROCESSES: 'auto' }).processes).toBe(Math.min(availableParallelism(), 64)))

  test('returns a frozen value', () => expect(Object.isFrozen(readConfig({}))).toBe(true))

  test('treats an empty variable as unset', () =>
    expect(readConfig({ PORT: '', DATABASE_URL: '', ATRIUM_ROLE: '' })).toEqual(readConfig({})))

  test('lists prefixed variables that nothing reads', () =>
    expect(readConfig({ ATRIUM_PUBLIC_ULR: 'x', OTHER: 'y' }).unused).toEqual(['ATRIUM_PUBLIC_ULR']))
})
