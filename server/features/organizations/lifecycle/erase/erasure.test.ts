import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PASSWORD } from '../../../../testing/factories/factories.ts'
import { storedFiles, upload } from '../../../../testing/factories/uploads.ts'
import { mailsTo } from '../../../../testing/fakes/mailbox.ts'
import { preventRemovals } from '../../../../testing/locks.ts'
import { buildTestApp, cookie, type TestApp } from '../../../../testing/test-app.ts'
import { erasureSchedules } from './erase.ts'

const DAY_S = 86_400
const TIMEOUTS = { timeout: 60_000, interval: 50 }

let app: TestApp
let operator: Awaited<ReturnType<TestApp['operator']>>
beforeAll(async () => {
  app = await buildTestApp({ mail: true })
  await app.app.startWorker()
  operator = await app.operator()
})
afterAll(() => app.close())
beforeEach(() => app.sql`delete from rate_limits`)

async function owner(name?: string) {
  const org = await app.organization(name)
  const person = await app.person(org, { role: 'owner', name: 'Ada', password: PASSWORD, verified: true })
  const headers = cookie(await app.session(person))
  return { org, person, headers, client: app.as(headers) }
}

const eraseDue = () => app.app.system().enqueue(erasureSchedules[0]!.job, {})

const receiptOf = async (orgId: string) =>
  (await (await app.withSession(operator.person)).erasures.list({})).items.find(
    ({ organizationId }) => organizationId === orgId,
  )!

describe('organization erasure', () => {
  test('is requested by an owner with the organization’s name, closes it, and can be canceled for 7 days', async () => {
    const { org, person, client } = await owner('Quux & Sons')
    await expect(client.erasures.request({ name: 'quux & sons' })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      details: [{ path: 'body.name' }],
    })
    const { eraseAfter, requestedAt } = await client.erasures.request({ name: 'Quux & Sons' })
    expect(Date.parse(eraseAfter) - Date.parse(requestedAt)).toBe(7 * DAY_S * 1000)
    await expect(client.projects.list({})).rejects.toMatchObject({
      code: 'FORBIDDEN',
      details: { reason: 'organization_suspended', eraseAfter },
    })
    expect((await client.accounts.session()).suspension).toMatchObject({ eraseAfter })
    expect((await client.erasures.get()).erasure).toMatchObject({ status: 'scheduled', byOperator: false })
    expect((await mailsTo(app, person.email)).at(-1)).toMatchObject({ subject: 'Quux & Sons will be erased' })
    app.clock.advance(6 * DAY_S)
    const again = await app.withSession(person)
    await eraseDue()
    await expect
      .poll(() => app.sql`select from graphile_worker.jobs where task_identifier like 'erasures.%'`)
      .toHaveLength(0)
    expect(await again.erasures.cancel()).toMatchObject({ status: 'canceled' })
    expect(await again.organization.get()).toMatchObject({ id: org.id })
    await expect(again.erasures.cancel()).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await app.sql`select type from events where org_id = ${org.id} order by id`).toEqual([
      { type: 'organization.erasure.requested' },
      { type: 'organization.erasure.canceled' },
    ])
    app.clock.advance(2 * DAY_S)
    await eraseDue()
    await expect
      .poll(() => app.sql`select from graphile_worker.jobs where task_identifier like 'erasures.%'`)
      .toHaveLength(0)
    expect(await app.sql`select from organizations where id = ${org.id}`).toHaveLength(1)
  })

  test('waits for a backup whose snapshot may need the objects', async () => {
    const { org, client, headers } = await owner()
    await upload(app, headers, 'hello')
    await client.erasures.request({ name: org.name })
    const endBackup = await preventRemovals(app)
    app.clock.advance(7 * DAY_S)
    await eraseDue()
    await expect
      .poll(
        () =>
          app.sql`select from graphile_worker.jobs where task_identifier = 'erasures.erase' and run_at > now()`,
        TIMEOUTS,
      )
      .toHaveLength(1)
    expect(await storedFiles(app, org.id)).toBe(1)
    await endBackup()
    await app.sql`select graphile_worker.reschedule_jobs(array_agg(id), run_at => now()) from graphile_worker.jobs where task_identifier = 'erasures.erase'`
    await expect.poll(async () => (await receiptOf(org.id)).status, TIMEOUTS).toBe('done')
    expect(await storedFiles(app, org.id)).toBe(0)
  })
})

test("admins, operators without step-up and other organizations' owners cannot erase an organization", async () => {
  const victim = await owner()
  const admin = await app.person(victim.org, { role: 'admin' })
  const erase = (headers: Record<string, string>, path: string) =>
    app.request('POST', path, { headers, body: { name: victim.org.name } })
  const reasonOf = async (response: ReturnType<typeof erase>) => {
    const { status, body } = await response
    return [status, body.error?.details?.reason]
  }
  const byAdmin = cookie(await app.session(admin))
  const path = `/api/v1/admin/organizations/${victim.org.id}/erasure`
  expect(await reasonOf(erase(byAdmin, path))).toEqual([403, 'operator_required'])
  expect(await reasonOf(erase(byAdmin, '/api/v1/org/erasure'))).toEqual([403, 'role_required'])
  const withoutStepUp = cookie(await app.session(operator.person, { steppedUp: false }))
  expect(await reasonOf(erase(withoutStepUp, path))).toEqual([403, 'step_up_required'])
  const stranger = await owner()
  expect(await reasonOf(erase(stranger.headers, path))).toEqual([403, 'operator_required'])
  // The name of another organization erases nothing.
  expect((await erase(stranger.headers, '/api/v1/org/erasure')).status).toBe(400)
  expect(
    await app.sql`select from erasures where subject_id in (${victim.org.id}, ${stranger.org.id})`,
  ).toHaveLength(0)
})
