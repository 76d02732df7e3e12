import { expect, test } from 'vitest'
import { createSharedProject, openShare } from '../testing/factories/sharing.ts'
import { captureLog } from '../testing/log.ts'
import { buildTestApp } from '../testing/test-app.ts'

test("a share link's token reaches neither the log nor a referrer", async () => {
  const { lines, stream } = captureLog()
  const app = await buildTestApp({ log: stream })
  try {
    const { token } = await createSharedProject(app)
    for (const path of [`/s/${token}`, `/s/${token}/`, `/s/${token}?from=mail`, '/s']) {
      const { status, headers } = await app.request('GET', path)
      expect([path, status, headers.get('referrer-policy')]).toEqual([path, 200, 'no-referrer'])
    }
    expect((await app.request('GET', '/projects')).headers.get('referrer-policy')).toBe('same-origin')
    await app.request('POST', `/s/${token}`, { body: {} })
    await app.request('GET', `/api/v1/s/${token}`)
    expect((await openShare(app, { token })).status).toBe(200)
    expect(lines.join('')).toContain('/api/v1/shares/open')
    expect(lines.join('')).not.toContain(token)
  } finally {
    await app.close()
  }
})
