import { beforeAll, expect, test } from 'vitest'
import { VIEWS_MAX } from '../../../../../contract/projects/list-options.ts'
import { shareTestApp, type TestApp } from '../../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

test('a view is personal until shared; its creator changes it, and admins change shared ones', async () => {
  const org = await app.organization()
  const [admin, member] = [await app.person(org, { role: 'admin' }), await app.person(org, { name: 'Bob' })]
  const [asAdmin, asMember] = [await app.withSession(admin), await app.withSession(member)]
  const settings = { status: 'archived', sort: 'name', favourites: 'first', layout: 'board' } as const
  const view = await asMember.projectViews.create({ name: 'Done', settings })
  expect(view).toMatchObject({
    name: 'Done',
    shared: false,
    settings,
    canEdit: true,
    createdBy: { name: 'Bob' },
  })
  const names = async (client: typeof asMember) =>
    (await client.projectViews.list()).items.map(({ name }) => name)
  expect([await names(asMember), await names(asAdmin)]).toEqual([['Done'], []])
  await expect(asAdmin.projectViews.update({ id: view.id, name: 'Mine' })).rejects.toThrow(
    'Project view not found',
  )

  await asMember.projectViews.update({ id: view.id, shared: true })
  expect((await asAdmin.projectViews.list()).items).toMatchObject([{ name: 'Done', settings, canEdit: true }])
  const stranger = await app.newUser()
  expect(await names(stranger.client)).toEqual([])
  await expect(stranger.client.projectViews.remove({ id: view.id })).rejects.toThrow('Project view not found')
  const shared = await asAdmin.projectViews.create({ name: 'All', shared: true, settings: {} })
  await expect(asMember.projectViews.remove({ id: shared.id })).rejects.toThrow('Only this view’s creator')
  expect(await names(asMember)).toEqual(['All', 'Done'])
  await asAdmin.projectViews.update({ id: view.id, settings: { tag: 'x' } })
  expect((await asMember.projectViews.list()).items[1]!.settings).toEqual({ tag: 'x' })

  const invalid = { name: 'Wrong', settings: { sort: 'size' } } as never
  await expect(asMember.projectViews.create(invalid)).rejects.toThrow('body.settings.sort')
  await app.sql`
    insert into project_views (org_id, id, user_id, name, shared, settings, created_at, updated_at)
    select ${org.id}, gen_random_uuid(), ${member.id}, 'x', false, '{}', now(), now() from generate_series(1, ${VIEWS_MAX})`
  await expect(asMember.projectViews.create({ name: 'More', settings })).rejects.toThrow(
    `You can have ${VIEWS_MAX} personal views`,
  )
  await asMember.projectViews.remove({ id: view.id })
  expect(await names(asAdmin)).toEqual(['All'])
})

test('viewers save their own views but share none', async () => {
  const org = await app.organization()
  const viewer = await app.person(org)
  await app.setWorkspaceRole(viewer, org.workspaceId, 'viewer')
  const { projectViews } = await app.withSession(viewer)
  const refused = { status: 403, details: { reason: 'view_only' } }
  await expect(projectViews.create({ name: 'Ours', shared: true, settings: {} })).rejects.toMatchObject(
    refused,
  )
  const { id } = await projectViews.create({ name: 'Mine', settings: {} })
  await expect(projectViews.update({ id, shared: true })).rejects.toMatchObject(refused)
  await projectViews.update({ id, name: 'Still mine' })
})
