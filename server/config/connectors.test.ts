import { describe, expect, test } from 'vitest'
import { startupBanner } from '../startup/startup-banner.ts'
import { readConfig } from './config.ts'

describe('connector variables', () => {
  test('set the client and the URL by slug', () => {
    const { connectors, unused } = readConfig({
      ATRIUM_CONNECTOR_GITHUB_CLIENT_ID: 'id',
      ATRIUM_CONNECTOR_GITHUB_CLIENT_SECRET: 'secret',
      ATRIUM_CONNECTOR_GOOGLE_DRIVE_URL: 'http://127.0.0.1:9000/',
      ATRIUM_CONNECTOR_HTTP_DISABLED: 'true',
    })
    expect(connectors).toMatchObject({
      github: { client: { id: 'id', secret: 'secret' }, url: null },
      'google-drive': { client: null, url: 'http://127.0.0.1:9000', isDisabled: false },
      http: { isDisabled: true },
    })
    expect(unused).toEqual([])
  })

  test('fail startup if a client secret is missing or a value is invalid, and name the variable', () => {
    expect(() => readConfig({ ATRIUM_CONNECTOR_GITHUB_CLIENT_ID: 'id' })).toThrow(
      'ATRIUM_CONNECTOR_GITHUB_CLIENT_SECRET is missing',
    )
    expect(() => readConfig({ ATRIUM_CONNECTOR_GITHUB_URL: 'github.com' })).toThrow(
      'ATRIUM_CONNECTOR_GITHUB_URL must be a URL',
    )
    expect(() => readConfig({ ATRIUM_CONNECTOR_GITHUB_DISABLED: 'yes' })).toThrow(
      'ATRIUM_CONNECTOR_GITHUB_DISABLED must be true or false',
    )
  })

  test('are reported as unknown at startup if no connector has the slug', () => {
    const config = readConfig({
      ATRIUM_CONNECTOR_GITUB_URL: 'http://127.0.0.1:1',
      ATRIUM_CONNECTOR_GITHUB_URL: 'http://127.0.0.1:1',
    })
    const banner = startupBanner({ config, url: null, setupToken: null, objects: 'disk' })
    expect(banner).toContain('unknown variable ATRIUM_CONNECTOR_GITUB_URL')
    expect(banner).not.toContain('ATRIUM_CONNECTOR_GITHUB_URL')
  })
})
