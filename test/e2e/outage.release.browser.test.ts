import { afterAll, describe, test } from 'vitest'
import { startS3Server } from '../../server/testing/fakes/s3-server.ts'
import { buildTestApp } from '../../server/testing/test-app.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { uploader } from './stored-files.ts'

describe.skipIf(!CHROMIUM)('bucket outage', () => {
  let bucket: Awaited<ReturnType<typeof startS3Server>>
  const e2e = startE2e({
    build: async () => {
      bucket = await startS3Server()
      return buildTestApp({ env: bucket.env })
    },
  })
  afterAll(() => bucket.close())

  test('shows a banner naming object storage until the bucket responds', async () => {
    const ada = await e2e.app.person(await e2e.app.organization(), { name: 'Ada' })
    const { id } = await uploader(e2e.app, ada)('note.txt', 'The content of the note')
    await bucket.stop()
    const page = await e2e.visit(`/files?file=${id}`, { as: ada, expectedStatuses: [503] })
    const banner = page.getByRole('alert').filter({ hasText: 'Object storage is unavailable.' })
    await banner.first().waitFor()
    await bucket.restart()
    await banner.first().waitFor({ state: 'detached' })
    await page.getByText('The content of the note').waitFor()
  })
})
