import { expect, test } from 'vitest'
import { readConfig } from '../config/config.ts'
import { browserUrl } from './browser-url.ts'
import { startupBanner } from './startup-banner.ts'

const banner = (env: Record<string, string> = {}) =>
  startupBanner({
    config: readConfig(env),
    url: 'http://127.0.0.1:3000',
    setupToken: 'secret',
    objects: 'disk',
  })

test('the banner prints URLs where passkeys work', () => {
  expect(banner()).toMatch(/Dashboard +http:\/\/localhost:3000\n/)
  expect(banner()).toContain('http://localhost:3000/setup#secret')
  expect(banner({ ATRIUM_PUBLIC_URL: 'https://atrium.example' })).toContain(
    'https://atrium.example/setup#secret',
  )
  expect(browserUrl('http://[::1]:3000')).toBe('http://localhost:3000')
  expect(browserUrl('http://192.0.2.1:3000')).toBe('http://192.0.2.1:3000')
})

test('the banner shows whether email is sent, and where its links lead', () => {
  expect(banner()).toMatch(/Email +not configured: written to .*outbox; set ATRIUM_SMTP_URL to send/)
  expect(banner({ ATRIUM_SMTP_URL: 'smtp://mail.example' })).toContain('set ATRIUM_PUBLIC_URL')
  expect(banner({ ATRIUM_SIGNUP: 'open' })).toContain('ATRIUM_SIGNUP=open needs email')
})
