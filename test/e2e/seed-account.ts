import { PASSWORD } from '../../server/testing/factories/factories.ts'
import { enrolTotp } from '../../server/testing/fakes/authenticator-app.ts'
import type { TestApp } from '../../server/testing/test-app.ts'

const LONG = 'A workspace with a name that is much too long for the width of a narrow screen'

/** An organization with members of every role, invitations, workspaces, an audit log, and a pending device login. */
export async function seedAccounts(app: TestApp) {
  const org = await app.organization('Analytical Engines')
  const ada = await app.person(org, { name: 'Ada Lovelace', role: 'owner', password: PASSWORD })
  const grace = await app.person(org, { name: 'Grace Hopper', role: 'admin', password: PASSWORD })
  const charles = await app.person(org, {
    name: 'Charles Babbage, Lucasian Professor of Mathematics at Cambridge',
  })
  const mary = await app.person(org, { name: 'Mary Somerville' })
  await app.join(ada, await app.organization('Difference & Sons'))
  for (const person of [grace, charles]) await enrolTotp(app, person)

  const owner = await app.withSession(ada)
  const invited = 'invited@example.com'
  await owner.organization.invite({ email: invited, role: 'admin' })
  await owner.organization.invite({
    email: `${'long-address-'.repeat(4)}@subdomain.example.com`,
    role: 'member',
  })
  const { id: workspaceId } = await owner.workspaces.create({ name: 'Research' })
  await owner.workspaces.addMember({ id: workspaceId, userId: grace.id, role: 'viewer' })
  await owner.workspaces.addMember({ id: workspaceId, userId: charles.id, role: 'editor' })
  await owner.workspaces.create({ name: LONG })
  await owner.workspaces.rename({ id: workspaceId, name: 'Research and development' })
  await owner.organization.changeRole({ userId: mary.id, role: 'admin' })
  await owner.organization.changeRole({ userId: mary.id, role: 'member' })
  const login = await app
    .as({})
    .deviceLogin.start({ client_name: 'Atrium CLI', hostname: 'difference-engine.local' })
  return { ada, grace, charles, mary, invited, workspaceId, userCode: login.user_code }
}
