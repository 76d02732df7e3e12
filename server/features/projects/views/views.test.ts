import { beforeAll, expect, test } from 'vitest'
import { VIEWS_MAX } from '../../../../contract/projects/list-options.ts'
import { shareTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

test('a view is personal until it is shared; its creator changes it, and admins change shared ones', async () => {
  const org = await app.organization()
  const [admin, member] = [await app.person(org, { role: 'admin' }), await app.person(org, { name: 'Bob' })]
  const [boss, bob] = [await app.withSession(admin), await app.withSession(member)]
  const settings = { status: 'archived', sort: 'name', favourites: 'first', layout: 'board' } as const
  const view = await bob.projectViews.create({ name: 'Done', settings })
  expect(view).toMatchObject({
    name: 'Done',
    shared: false,
    settings,
    canEdit: true,
    createdBy: { name: 'Bob' },
  })
  const names = async (client: typeof bob) => (await client.projectViews.list()).items.map(({ name }) => name)
  expect([await names(bob), await names(boss)]).toEqual([['Done'], []])
  await expect(boss.projectViews.update({ id: view.id, name: 'Mine' })).rejects.toThrow(
    'Project view not found',
  )

  await bob.projectViews.update({ id: view.id, shared: true })
  expect((await boss.projectViews.list()).items).toMatchObject([{ name: 'Done', settings, canEdit: true }])
  const stranger = await app.newUser()
  expect(await names(stranger.client)).toEqual([])
  await expect(stranger.client.projectViews.remove({ id: view.id })).rejects.toThrow('Project view not found')
  const shared = await boss.projectViews.create({ name: 'All', shared: true, settings: {} })
  await expect(bob.projectViews.remove({ id: shared.id })).rejects.toThrow('Only the creator of this view')
  expect(await names(bob)).toEqual(['All', 'Done'])
  await boss.projectViews.update({ id: view.id, settings: { tag: 'x' } })
  expect((await bob.projectViews.list()).items[1]!.settings).toEqual({ tag: 'x' })

  const sent = { name: 'Wrong', settings: { sort: 'size' } } as never
  await expect(bob.projectViews.create(sent)).rejects.toThrow('body.settings.sort')
  await app.sql`
    insert into project_views (org_id, id, user_id, name, shared, settings, created_at, updated_at)
    select ${org.id}, gen_random_uuid(), ${member.id}, 'x', false, '{}', now(), now() from generate_series(1, ${VIEWS_MAX})`
  await expect(bob.projectViews.create({ name: 'More', settings })).rejects.toThrow(
    `You can have ${VIEWS_MAX} views of your own`,
  )
  await bob.projectViews.remove({ id: view.id })
  expect(await names(boss)).toEqual(['All'])
})
