import { beforeAll, describe, test } from 'vitest'
import type { Person } from '../../server/testing/factories/factories.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { inspectPage } from './inspect-page.ts'

describe.skipIf(!CHROMIUM)('Sources', () => {
  const e2e = startE2e()
  let ada: Person
  beforeAll(async () => {
    ada = await e2e.app.person(await e2e.app.organization(), { name: 'Ada', role: 'owner' })
    await e2e.app.project(ada)
  })

  test('says what they are for while there is none', async () => {
    const page = await e2e.visit('/sources', { as: ada })
    await page.getByRole('heading', { name: 'No sources yet' }).waitFor()
    await inspectPage(page, 'sources')
  })
})
