import { randomHex } from '../../security/random.ts'
import type { Headers, TestApp } from '../test-app.ts'
import { PASSWORD, type PersonOptions } from './factories.ts'

export const randomEmail = () => `${randomHex(6)}@example.com`

export const NEW_USER = { name: 'Grace', password: PASSWORD }

export const createOutsider = async (app: TestApp, options: PersonOptions = {}) =>
  app.person(await app.organization('Home'), { verified: true, ...options })

/** `token` is the emailed link's secret. */
export async function createInvitation(
  app: TestApp,
  email = randomEmail(),
  role: 'admin' | 'member' = 'member',
) {
  const org = await app.organization('Engines')
  const admin = await app.person(org, { role: 'admin', name: 'Ada' })
  const browser = await app.withSession(admin)
  const { id } = await browser.organization.invite({ email, role })
  const [mail] = await app.sql`select body from mails where id = ${`invite-${id}`}`
  return { org, admin, browser, id, email, token: /invite#(\S+)/.exec(mail!.body)![1]! }
}

export const readInvite = (app: TestApp, token: string) =>
  app.request('GET', `/api/v1/auth/invite?token=${token}`)

export const acceptInvite = (app: TestApp, body: object, headers: Headers = {}) =>
  app.request('POST', '/api/v1/auth/invite/accept', { headers, body })

export const listMemberIds = async (app: TestApp, { id }: { id: string }) =>
  (await app.sql`select user_id from memberships where org_id = ${id} order by created_at`).map(
    ({ user_id }) => user_id,
  )

export const sortedStatuses = (responses: { status: number }[]) =>
  responses.map(({ status }) => status).sort((left, right) => left - right)
