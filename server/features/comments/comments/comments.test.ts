import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { COMMENT_LIMITS } from '../../../../contract/comments/comment-options.ts'
import { createStoredFile } from '../../../testing/clients/file-client.ts'
import { openCanvasStream } from '../../../testing/clients/live.ts'
import { createSharedProject, guestHeaders } from '../../../testing/factories/sharing.ts'
import { cookie, shareTestApp, type TestApp } from '../../../testing/test-app.ts'
import { deleteOrphanedThreads } from './queries.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})
beforeEach(async () => void (await app.sql`delete from rate_limits`))

/** An owner with a project and a note, an editor and a viewer of its workspace, and a member who does not see it. */
async function createTeam() {
  const org = await app.organization()
  const owner = await app.person(org, { role: 'owner', name: 'Ada' })
  const project = await app.project(owner)
  const ada = await app.withSession(owner)
  const editor = await app.person(org, { name: 'Bob Editor' })
  const viewer = await app.person(org, { name: 'Vera' })
  await app.setWorkspaceRole(viewer, org.workspaceId, 'viewer')
  const outsider = await app.person(org, { name: 'Otto' })
  await app.setWorkspaceRole(outsider, org.workspaceId, null)
  const block = await ada.canvas.create({ projectId: project.id, type: 'note', content: 'Plan' })
  return {
    ...{ org, owner, editor, viewer, outsider, project, block, ada },
    target: `block:${block.id}`,
    bob: await app.withSession(editor),
    vera: await app.withSession(viewer),
    otto: await app.withSession(outsider),
  }
}

describe('comments', () => {
  test('are threads, oldest first, with their newest replies, on blocks, files and runs', async () => {
    const { ada, bob, project, owner, target } = await createTeam()
    const file = await createStoredFile(app, owner)
    const run = await ada.runs.start({ projectId: project.id, title: 'Research' })
    for (const subject of [target, `file:${file.id}`, `run:${run.id}`]) {
      const first = await ada.comments.create({ target: subject, body: 'First' })
      const second = await bob.comments.create({ target: subject, body: 'Second' })
      for (let n = 0; n < COMMENT_LIMITS.repliesShown + 1; n++)
        await bob.comments.create({ target: subject, parentId: first.id, body: `Reply ${n}` })
      await app.sql`delete from rate_limits`
      const { items, nextCursor } = await ada.comments.list({ target: subject, limit: 1 })
      expect(items).toMatchObject([{ id: first.id, body: 'First', author: { name: 'Ada' }, replyCount: 21 }])
      expect(items[0]!.replies.map(({ body }) => body)).toEqual(
        Array.from({ length: 20 }, (_, n) => `Reply ${n + 1}`),
      )
      const next = await ada.comments.list({ target: subject, limit: 1, cursor: nextCursor! })
      expect([next.items.map(({ id }) => id), next.nextCursor]).toEqual([[second.id], null])
      const replies = await ada.comments.list({ target: subject, parentId: first.id, limit: 50 })
      expect(replies.items).toHaveLength(21)
      expect(await bob.comments.get({ id: second.id })).toMatchObject({ target: subject, canEdit: true })
    }
    expect((await bob.comments.counts({ projectId: project.id })).items).toEqual([
      { blockId: target.slice('block:'.length), open: 2 },
    ])
  })

  test("can be written by viewers too, and are hidden from members who can't see the target", async () => {
    const { vera, otto, target } = await createTeam()
    const { id } = await vera.comments.create({ target, body: 'I see' })
    for (const attempt of [
      () => otto.comments.list({ target }),
      () => otto.comments.create({ target, body: 'Me too' }),
      () => otto.comments.get({ id }),
      () => otto.comments.update({ id, resolved: true }),
      () => otto.comments.remove({ id }),
    ])
      await expect(attempt()).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('are edited only by their author, deleted also by editors, and resolved by both', async () => {
    const { ada, bob, vera, target } = await createTeam()
    const { id } = await vera.comments.create({ target, body: 'Mine' })
    await expect(bob.comments.update({ id, body: 'Yours' })).rejects.toMatchObject({ code: 'FORBIDDEN' })
    app.clock.advance(1000)
    const edited = await vera.comments.update({ id, body: 'Still mine' })
    expect(edited).toMatchObject({ body: 'Still mine', editedAt: expect.any(String) })
    const other = await bob.comments.create({ target, body: 'Of Bob' })
    await expect(vera.comments.update({ id: other.id, resolved: true })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    })
    await expect(vera.comments.remove({ id: other.id })).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect(await vera.comments.update({ id, resolved: true })).toMatchObject({
      resolved: { by: { name: 'Vera' } },
    })
    expect((await ada.comments.list({ target, state: 'open' })).items.map((item) => item.id)).toEqual([
      other.id,
    ])
    const reply = await bob.comments.create({ target, parentId: id, body: 'Not yet' })
    expect(await ada.comments.get({ id })).toMatchObject({ resolved: null, replyCount: 1 })
    await bob.comments.remove({ id })
    expect(await ada.comments.get({ id })).toMatchObject({ deleted: true, body: '', replyCount: 1 })
    await bob.comments.remove({ id: reply.id })
    await expect(ada.comments.get({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const { items } = await ada.organization.audit({ action: 'comment.deleted' })
    expect(items.map(({ details }) => details.author)).toEqual(['Bob Editor', 'Vera'])
  })

  test('mention members who can see the target, by their current name', async () => {
    const { ada, vera, editor, viewer, outsider, target } = await createTeam()
    const body = `Please read, @[${viewer.id}] and @[${editor.id}]`
    const { id, mentions } = await ada.comments.create({ target, body })
    expect(mentions).toHaveLength(2)
    await app.sql`update users set name = 'Vera Vogel' where id = ${viewer.id}`
    expect((await vera.comments.get({ id })).mentions).toContainEqual({ id: viewer.id, name: 'Vera Vogel' })
    await expect(ada.comments.create({ target, body: `And @[${outsider.id}]` })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      details: [{ path: 'body.body', message: expect.stringContaining(outsider.id) }],
    })
    const names = async (search: string) =>
      (await ada.comments.people({ target, search })).items.map(({ name }) => name)
    expect(await names('')).toEqual(['Ada', 'Bob Editor', 'Vera Vogel'])
    expect([await names('vog'), await names('edi'), await names('ott')]).toEqual([
      ['Vera Vogel'],
      ['Bob Editor'],
      [],
    ])
  })

  test("are refused with the invalid field's path", async () => {
    const { ada, bob, block, target, project } = await createTeam()
    const thread = await ada.comments.create({ target, body: 'First' })
    const reply = await bob.comments.create({ target, parentId: thread.id, body: 'Reply' })
    const other = await ada.canvas.create({ projectId: project.id, type: 'note' })
    const pathOf = (attempt: Promise<unknown>) =>
      attempt.then(
        () => null,
        (error: { details: { path: string }[] }) => error.details[0]!.path,
      )
    expect(await pathOf(ada.comments.create({ target: `note:${block.id}`, body: 'x' }))).toBe('body.target')
    expect(await pathOf(ada.comments.create({ target, body: ' ' }))).toBe('body.body')
    expect(await pathOf(ada.comments.create({ target, body: 'x'.repeat(10_001) }))).toBe('body.body')
    expect(await pathOf(ada.comments.create({ target, body: 'x', name: 'Ada' }))).toBe('body.name')
    expect(await pathOf(ada.comments.create({ target, body: 'x', parentId: reply.id }))).toBe('body.parentId')
    expect(
      await pathOf(ada.comments.create({ target: `block:${other.id}`, body: 'x', parentId: thread.id })),
    ).toBe('body.parentId')
    expect(await pathOf(bob.comments.update({ id: reply.id, resolved: true }))).toBe('body.resolved')
    // A block of another project may have the same id.
    const { id: projectId } = await ada.projects.create({ name: 'Copy' })
    await ada.canvas.create({ projectId, id: block.id, type: 'note' })
    expect(await pathOf(ada.comments.list({ target }))).toBe('query.projectId')
    expect((await ada.comments.list({ target, projectId })).items).toEqual([])
    expect((await ada.comments.list({ target, projectId: project.id })).items).toHaveLength(1)
  })

  test('are limited to a thousand per target', async () => {
    const { ada, org, owner, project, block, target } = await createTeam()
    await app.sql`
      insert into comments (org_id, id, target_type, target_id, project_id, author_id, body, created_at)
      select ${org.id}, gen_random_uuid(), 'block', ${block.id}, ${project.id}, ${owner.id}, 'x', now()
      from generate_series(1, ${COMMENT_LIMITS.perTarget})`
    await expect(ada.comments.create({ target, body: 'One more' })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
  })

  test('are hidden and restored with their target, and deleted when it is purged', async () => {
    const { ada, owner, project, block, target, org } = await createTeam()
    const file = await createStoredFile(app, owner)
    const fileComment = await ada.comments.create({ target: `file:${file.id}`, body: 'On the file' })
    const { id } = await ada.comments.create({ target, body: 'On the block' })
    const expectNotFound = (commentId: string) =>
      expect(ada.comments.get({ id: commentId })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await ada.files.remove({ id: file.id })
    await expectNotFound(fileComment.id)
    await ada.files.restore({ id: file.id })
    expect(await ada.comments.get({ id: fileComment.id })).toMatchObject({ body: 'On the file' })
    await ada.files.remove({ id: file.id })
    await ada.files.remove({ id: file.id, permanent: 'true' })
    expect(await app.sql`select from comments where id = ${fileComment.id}`).toHaveLength(0)

    const { seq } = await ada.canvas.list({ projectId: project.id })
    await ada.canvas.remove({ projectId: project.id, blockId: block.id })
    await expectNotFound(id)
    expect((await ada.comments.counts({ projectId: project.id })).items).toEqual([])
    await deleteOrphanedThreads(app.sql, null, 10_000)
    await ada.canvas.rewind({ projectId: project.id, seq: seq! })
    expect(await ada.comments.get({ id })).toMatchObject({ body: 'On the block' })
    await ada.canvas.remove({ projectId: project.id, blockId: block.id })
    await app.sql`delete from canvas_changes where org_id = ${org.id}`
    await deleteOrphanedThreads(app.sql, null, 10_000)
    expect(await app.sql`select from comments where id = ${id}`).toHaveLength(0)
  })
})

describe('share link guests', () => {
  async function createShared(access: 'view' | 'comment' | 'edit') {
    const { project, browser, token } = await createSharedProject(app, { access })
    const block = await browser.canvas.create({ projectId: project.id, type: 'note' })
    const headers = await guestHeaders(app, token)
    return { project, browser, block, target: `block:${block.id}`, headers, guest: app.as(headers) }
  }

  test.each(['comment', 'edit'] as const)(
    'can read and write under a name with %s access',
    async (access) => {
      const { browser, guest, target, project } = await createShared(access)
      const thread = await browser.comments.create({ target, body: 'Welcome' })
      const added = await guest.comments.create({
        target,
        parentId: thread.id,
        body: 'Thanks',
        name: ' Grace ',
      })
      expect(added).toMatchObject({ author: { id: null, name: 'Grace', guest: true }, canEdit: false })
      const { items } = await guest.comments.list({ target })
      expect(items[0]!.replies).toMatchObject([{ author: { name: 'Grace', guest: true }, canDelete: false }])
      expect((await guest.comments.counts({ projectId: project.id })).items).toHaveLength(1)
      await browser.comments.remove({ id: added.id })
    },
  )

  test("can't see or write comments with view access", async () => {
    const { browser, guest, target } = await createShared('view')
    await browser.comments.create({ target, body: 'Among us' })
    for (const attempt of [
      () => guest.comments.list({ target }),
      () => guest.comments.create({ target, body: 'Hello', name: 'Grace' }),
    ])
      await expect(attempt()).rejects.toMatchObject({ code: 'FORBIDDEN', details: { reason: 'view_only' } })
  })

  test("need a name, can't mention, and see only blocks in their project", async () => {
    const { browser, guest, target, project, headers } = await createShared('comment')
    const create = (body: object) => app.request('POST', '/api/v1/comments', { headers, body })
    const run = await browser.runs.start({ projectId: project.id })
    const pathOf = async (body: object) => (await create(body)).body.error.details[0].path
    expect(await pathOf({ target, body: 'Hello' })).toBe('body.name')
    expect(await pathOf({ target, body: 'Hello', name: 'A\u202eb' })).toBe('body.name')
    const mention = `Hello @[${project.creator.id}]`
    expect(await pathOf({ target, body: mention, name: 'Grace' })).toBe('body.body')
    expect((await create({ target: `run:${run.id}`, body: 'Hello', name: 'Grace' })).status).toBe(404)
    const elsewhere = await createShared('comment')
    await expect(guest.comments.list({ target: elsewhere.target })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    const own = await browser.comments.create({ target, body: 'Mine' })
    await expect(guest.comments.remove({ id: own.id })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  })

  test('receive comments on the canvas stream, unless their link excludes comments', async () => {
    const { browser, project, target, headers } = await createShared('comment')
    const viewOnly = await createShared('view')
    const member = cookie(await app.session(project.creator))
    const streams = [
      await openCanvasStream(app, project, { headers: member }),
      await openCanvasStream(app, project, { headers }),
      await openCanvasStream(app, viewOnly.project, { headers: viewOnly.headers }),
    ] as const
    await browser.comments.create({ target, body: 'Live' })
    await viewOnly.browser.comments.create({ target: viewOnly.target, body: 'Live' })
    await viewOnly.browser.projects.update({ id: viewOnly.project.id, name: 'Renamed' })
    for (const stream of streams.slice(0, 2))
      await expect.poll(() => stream.of('comments')).toEqual([{ target }])
    await expect.poll(() => streams[2].of('project')).toHaveLength(1)
    expect(streams[2].of('comments')).toEqual([])
    await Promise.all(streams.map((stream) => stream.disconnect()))
  })
})
